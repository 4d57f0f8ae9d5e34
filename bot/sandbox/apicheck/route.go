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
	name         string
	path         map[string]*jsonschema.Schema
	query        map[string]parameter
	body         *jsonschema.Schema // nil: takes none
	bodyRequired bool
	responses    map[string]response // by status, or by class as in 4XX
}

// parameter is a query parameter. Its kind is the JSON type that the text is
// read as: boolean, integer, array or string.
type parameter struct {
	schema   *jsonschema.Schema
	kind     string
	required bool
}

// response is one described answer: JSON with a schema, opaque (something else
// than JSON), or without a body.
type response struct {
	body   *jsonschema.Schema
	opaque bool
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

// decode reads the values of a query parameter as its JSON kind; the reason is
// empty if that worked. A parameter that is no array is given once.
func (p parameter) decode(values []string) (value any, reason string) {
	if p.kind == "array" {
		items := make([]any, len(values))
		for i, v := range values {
			items[i] = v
		}
		return items, ""
	}
	if len(values) != 1 {
		return nil, "is not given exactly once"
	}
	text := values[0]
	switch p.kind {
	case "boolean":
		// All six spellings are specified by Discord's reference.
		switch text {
		case "true", "True", "1":
			return true, ""
		case "false", "False", "0":
			return false, ""
		}
		return nil, "is no boolean"
	case "integer":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, "is no integer"
		}
		return n, ""
	}
	return text, ""
}
