package apicheck

import (
	"net/url"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// operation is one method on a path, its schemas compiled.
type operation struct {
	request *jsonschema.Schema            // of an object with path, query and body
	answers map[string]*jsonschema.Schema // of objects with a body, by status, or by class as in 4XX
}

// decode reads a query as the JSON types of its parameters have it. What cannot be read so
// stays text, or a list of texts, which the parameter's schema then refuses.
func (op *operation) decode(query url.Values) object {
	decoded := object{}
	for name, values := range query {
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		decoded[name] = list
		kind := ""
		if p := op.request.Properties["query"].Properties[name]; p != nil && p.Types != nil {
			kind = p.Types.String()
		}
		if len(values) != 1 || kind == "[array]" {
			continue
		}
		decoded[name] = values[0]
		if n, err := strconv.ParseInt(values[0], 10, 64); kind == "[integer]" && err == nil {
			decoded[name] = n
		}
		if b, ok := booleans[values[0]]; kind == "[boolean]" && ok {
			decoded[name] = b
		}
	}
	return decoded
}

// booleans are the spellings that Discord's reference specifies.
var booleans = map[string]bool{"true": true, "True": true, "1": true, "false": false, "False": false, "0": false}
