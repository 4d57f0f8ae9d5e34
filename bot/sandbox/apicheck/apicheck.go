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
	"bytes"
	"fmt"
	"mime"
	"net/url"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Description is Discord's API description, ready to check against. It does
// not change after Load: any number of goroutines may use one at the same
// time, and tests are meant to share one, since loading costs far more than
// checking.
type Description struct {
	routes []*route
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
	routes, err := parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDescription, err)
	}
	return &Description{routes: routes}, nil
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
	op, params, err := d.find(method, path)
	if err != nil {
		return err
	}
	found := append(op.checkPath(params), op.checkQuery(query)...)
	switch {
	case len(body) == 0 && op.bodyRequired:
		found = append(found, inBody("is missing"))
	case len(body) > 0 && op.body == nil:
		found = append(found, inBody("is not expected for this operation"))
	case len(body) > 0:
		payload, wrong := split(contentType, body)
		found = append(found, wrong...)
		if payload != nil {
			found = append(found, check(op.body, payload)...)
		}
	}
	return refuse(op.name, found)
}

// CheckResponse reports whether the description allows the given answer to a
// request with that method and path. A status that the operation does not list
// (every 5xx, for one) is not allowed; otherwise errors are those of CheckRequest.
// Bodies that the description does not give as JSON, such as images, are not looked at.
func (d *Description) CheckResponse(method, path string, status int, body []byte) error {
	op, _, err := d.find(method, path)
	if err != nil {
		return err
	}
	want, ok := op.responses[strconv.Itoa(status)]
	if !ok {
		want, ok = op.responses[strconv.Itoa(status/100)+"XX"]
	}
	switch {
	case !ok:
		return refuse(op.name, []violation{{in: "status", pointer: strconv.Itoa(status), reason: "is not described"}})
	case want.body != nil:
		return refuse(op.name, check(want.body, body))
	case !want.opaque && len(body) > 0:
		return refuse(op.name, []violation{inBody(fmt.Sprintf("is not expected with status %d", status))})
	}
	return nil
}

// find picks the operation for a method and path, with the path's parameters by name.
func (d *Description) find(method, path string) (*operation, map[string]string, error) {
	rt, params := match(d.routes, path)
	if rt == nil {
		return nil, nil, refuse(method, []violation{{in: "path", reason: "is not described"}})
	}
	op := rt.operations[method]
	if op == nil {
		return nil, nil, refuse(method+" "+rt.template, []violation{{in: "method", reason: "is not described for this path"}})
	}
	return op, params, nil
}

// checkPath holds the path's parameters against their schemas.
func (op *operation) checkPath(params map[string]string) []violation {
	var found []violation
	for name, value := range params {
		if schema := op.path[name]; schema != nil && schema.Validate(value) != nil {
			// The value stays out of the message: it may be a token.
			found = append(found, violation{in: "path", pointer: name, reason: "is not what the description asks for"})
		}
	}
	return found
}

// checkQuery holds the query against the operation's parameters; one that the
// operation does not have is a violation, for a misspelt parameter would
// otherwise go unseen.
func (op *operation) checkQuery(query url.Values) []violation {
	var found []violation
	for name, values := range query {
		p, ok := op.query[name]
		if !ok {
			found = append(found, violation{in: "query", pointer: name, reason: "is no parameter of this operation"})
			continue
		}
		value, reason := p.decode(values)
		if reason == "" && p.schema.Validate(value) != nil {
			reason = "is not what the description asks for"
		}
		if reason != "" {
			found = append(found, violation{in: "query", pointer: name, reason: reason})
		}
	}
	for name, p := range op.query {
		if p.required && !query.Has(name) {
			found = append(found, violation{in: "query", pointer: name, reason: "is missing"})
		}
	}
	return found
}

// split returns the JSON payload of a request body, which is the body itself
// or one part of a multipart form, and what is wrong with the other parts. There
// is no payload where the body cannot be read; URL-encoded forms are among what
// cannot, since the description gives no rule for nested objects in one.
func split(contentType string, body []byte) (payload []byte, found []violation) {
	mediaType, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	switch {
	case err == nil && mediaType == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8")):
		return body, nil
	case err == nil && mediaType == "multipart/form-data":
		return splitForm(params["boundary"], body)
	}
	return nil, []violation{inBody(fmt.Sprintf("has a content type that cannot be checked: %q", contentType))}
}

// check holds one JSON value that must fill the whole text against a schema.
func check(schema *jsonschema.Schema, text []byte) []violation {
	if !utf8.Valid(text) {
		return []violation{inBody("is malformed: not UTF-8")}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return []violation{inBody("is malformed: " + err.Error())}
	}
	return violations(schema.Validate(value))
}
