// Package apicheck holds HTTP traffic against the API description that Discord
// publishes (an OpenAPI 3.1 document), so that a test can say of every request
// it recorded: the real service's own description allows this.
//
// The description is read from a file that the caller names; no copy of it
// lives in this module. A request is checked whole: route, path parameters,
// query, content type and body. A response is checked by status and body.
//
// Where the package departs from the description, in either direction, the
// departure is one entry with its reason in departures.go and nowhere else.
//
// It will not do what the description cannot say: rules that tie two fields
// together (a v2 flag and the components it allows, unique custom IDs, the 40
// components counted over all levels), permissions, order of requests, headers
// other than the content type. Those belong to the server under which the
// requests were recorded. It opens no connection and follows no reference out
// of the file.
package apicheck

import (
	"cmp"
	"fmt"
	"mime"
	"net/url"
	"os"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox/operations"
)

// Description is Discord's API description, ready to check against. It does
// not change after Load: any number of goroutines may use one at the same
// time, and tests are meant to share one, since loading costs far more than
// checking.
type Description struct {
	routes     operations.Routes
	operations map[string]operation // by method and template
}

// Load reads the description from the file at path and prepares every
// operation in it. A file that cannot be read gives the error of the reading;
// one that is no OpenAPI 3.1 description, or that has lost a place which
// departures.go amends, an error that wraps [ErrDescription].
func Load(path string) (*Description, error) {
	raw, err := os.ReadFile(path) //nolint:gosec // the caller's choice
	if err != nil {
		return nil, fmt.Errorf("apicheck: %w", err)
	}
	d, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDescription, err)
	}
	return d, nil
}

// CheckRequest reports whether the description allows a request. The path is
// relative to the API's base and may be percent-encoded, such as
// /interactions/1/token/callback; it carries no query, which is given apart.
// The content type is ignored when the body is empty.
//
// The error for a request that is not allowed names every place found wrong, each
// on a line of its own. It never holds the path's parameters, because interaction
// tokens are among them.
func (d *Description) CheckRequest(method, path, contentType string, query url.Values, body []byte) error {
	name, params, err := d.find(method, path)
	if err != nil {
		return err
	}
	found, op := violations{}, d.operations[name]
	payload := body
	if len(body) > 0 {
		payload = found.split(contentType, body)
	}
	if payload != nil || len(body) == 0 {
		found.hold(op.request, object{"path": params, "query": op.decode(query)}, payload)
	}
	return found.err(name)
}

// CheckResponse reports whether the description allows the given answer to a
// request with that method and path. A status that the operation does not list
// (every 5xx, for one) is not allowed; otherwise errors are those of CheckRequest.
// Bodies that the description does not give as JSON, such as images, are not looked at.
func (d *Description) CheckResponse(method, path string, status int, body []byte) error {
	name, _, err := d.find(method, path)
	if err != nil {
		return err
	}
	found, op, code := violations{}, d.operations[name], strconv.Itoa(status)
	switch want := cmp.Or(op.answers[code], op.answers[strconv.Itoa(status/100)+"XX"]); {
	case want == nil:
		found.add("status "+code, "is not described")
	case want.Bool == nil: // it says something of the body
		found.hold(want, object{}, body)
	}
	return found.err(name)
}

// find picks the operation for a method and path, with the path's parameters by name.
func (d *Description) find(method, path string) (name string, params object, err error) {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if segments[i], err = url.PathUnescape(s); err != nil {
			return "", nil, violations{"path": "is not described"}.err(method)
		}
	}
	op, ok := d.routes.Find(method, segments)
	if !ok {
		if op, ok = d.routes.Find("", segments); ok {
			return "", nil, violations{"method": "is not described for this path"}.err(method + " " + op.Path)
		}
		return "", nil, violations{"path": "is not described"}.err(method)
	}
	params = object{}
	for name, value := range operations.Parameters(op.Path, segments) {
		params[name] = value
	}
	return op.String(), params, nil
}

// split returns the JSON payload of a request body, which is the body itself
// or one part of a multipart form, and notes what is wrong with the other parts. There
// is no payload where the body cannot be read; URL-encoded forms are among what
// cannot, since the description gives no rule for nested objects in one.
func (v violations) split(contentType string, body []byte) (payload []byte) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	switch {
	case err == nil && mediaType == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8")):
		return body
	case err == nil && mediaType == "multipart/form-data":
		return v.splitForm(params["boundary"], body)
	}
	v.add("body", fmt.Sprintf("has a content type that cannot be checked: %q", contentType))
	return nil
}
