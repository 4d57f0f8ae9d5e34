// Package operations lists what Discord's API consists of: the REST operations of
// its published description by method and path, and the Gateway's events by name. It
// says nothing about what is served here.
package operations

import (
	_ "embed"
	"slices"
	"strings"
)

//go:generate go test -run TestPublishedOperations -update

var (
	//go:embed operations.txt
	operationLines string
	//go:embed events.txt
	eventLines string
)

// Operation is one method on one path of the REST API.
type Operation struct {
	Method string
	// Path is a template below the API's base, such as /channels/{channel_id}.
	Path string
}

func (o Operation) String() string { return o.Method + " " + o.Path }

var (
	all = parse(operationLines)
	// known are those, and what the documentation has and the published description has not
	// (its page SKU), with their paths taken apart.
	known = templates(append(All(), Operation{"GET", "/applications/{application_id}/skus"}))
)

func parse(lines string) []Operation {
	var list []Operation
	for line := range strings.Lines(lines) {
		method, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, Operation{method, path})
	}
	return list
}

func templates(list []Operation) map[Operation]Template {
	out := map[Operation]Template{}
	for _, o := range list {
		out[o] = Parse(o.Path)
	}
	return out
}

// All lists the operations by path, then by method.
func All() []Operation { return slices.Clone(all) }

// Events lists the names of the events that the Gateway dispatches.
func Events() []string { return strings.Fields(eventLines) }

// Find returns the operation that a request is for. The path is without the API's
// base and begins with a slash. Where a literal and a parameter fit, the literal
// wins, as OpenAPI has it.
func Find(method, path string) (best Operation, ok bool) {
	segments := strings.Split(path, "/")
	for o, t := range known {
		if o.Method == method && t.Fits(segments) && (!ok || t.MoreLiteral(known[best])) {
			best, ok = o, true
		}
	}
	return best, ok
}

// Template is a path taken apart at its slashes; a parameter is "".
type Template []string

// Parse takes a path apart, such as /channels/{channel_id}/messages.
func Parse(path string) Template {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = ""
		}
	}
	return segments
}

// Fits reports whether a path that was split is one of the template's, with something for
// every parameter. Both begin with what is before the first slash.
func (t Template) Fits(path []string) bool {
	if len(path) != len(t) {
		return false
	}
	for i, want := range t {
		if i > 0 && want == "" && path[i] == "" || (i == 0 || want != "") && want != path[i] {
			return false
		}
	}
	return true
}

// Parameters takes them by name out of a path that was split and is one of the template's.
func Parameters(template string, path []string) map[string]string {
	params := map[string]string{}
	for i, segment := range strings.Split(template, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			params[strings.TrimSuffix(name, "}")] = path[i]
		}
	}
	return params
}

// MoreLiteral reports whether t has a literal where it first differs from another template
// of its length, which then is the one to use, as OpenAPI has it.
func (t Template) MoreLiteral(other Template) bool {
	for i := range t {
		if (t[i] == "") != (other[i] == "") {
			return t[i] != ""
		}
	}
	return false
}
