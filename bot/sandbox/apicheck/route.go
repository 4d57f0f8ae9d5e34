package apicheck

import (
	"net/url"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox/operations"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// route is one path of the description with the operations on it.
type route struct {
	template   string
	segments   operations.Template
	operations map[string]*operation // by method
}

// operation is one method on a path, its schemas compiled.
type operation struct {
	name    string
	request *jsonschema.Schema            // of an object with path, query and body
	answers map[string]*jsonschema.Schema // of objects with a body, by status, or by class as in 4XX
}

// newRoute takes a template apart, such as /channels/{channel_id}/messages.
func newRoute(template string) *route {
	return &route{template, operations.Parse(template), make(map[string]*operation)}
}

// match picks the route of a path and its parameters by name, of two that fit the more literal
// one (@original over a message ID).
func match(routes []*route, path string) (*route, map[string]string) {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil || (plain == "" && i > 0) {
			return nil, nil
		}
		segments[i] = plain
	}
	var best *route
	for _, r := range routes {
		if r.segments.Fits(segments) && (best == nil || r.segments.MoreLiteral(best.segments)) {
			best = r
		}
	}
	if best == nil {
		return nil, nil
	}
	return best, operations.Parameters(best.template, segments)
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
