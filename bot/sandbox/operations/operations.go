// Package operations lists what Discord's API consists of: the REST operations of
// its published description by method and path, and the Gateway's events by name. It
// says nothing about what is served here.
package operations

import (
	_ "embed"
	"regexp"
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
	// (its page SKU).
	known = NewRoutes(append(All(), Operation{"GET", "/applications/{application_id}/skus"}))
)

func parse(lines string) []Operation {
	var list []Operation
	for line := range strings.Lines(lines) {
		method, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, Operation{method, path})
	}
	return list
}

// All lists the operations by path, then by method.
func All() []Operation { return slices.Clone(all) }

// Events lists the names of the events that the Gateway dispatches.
func Events() []string { return strings.Fields(eventLines) }

// Find returns the operation of Discord's API that a request is for.
func Find(method string, path []string) (Operation, bool) { return known.Find(method, path) }

// Routes are operations in the order in which they are tried.
type Routes []route

// route is an operation and its path, split, with each parameter as "{": a literal is less.
type route struct {
	Operation
	segments []string
}

// NewRoutes returns the routes of operations.
func NewRoutes(list []Operation) Routes {
	routes := make(Routes, len(list))
	for i, o := range list {
		routes[i] = route{o, strings.Split(parameter.ReplaceAllString(o.Path, "{"), "/")}
	}
	slices.SortFunc(routes, func(a, b route) int { return slices.Compare(a.segments, b.segments) })
	return routes
}

var parameter = regexp.MustCompile(`{[^/]*`)

// Find returns the operation that a request is for, whose path without the API's base is split
// at its slashes; of any method for "". Where a literal and a parameter fit, the literal wins, as
// OpenAPI has it.
func (r Routes) Find(method string, path []string) (o Operation, ok bool) {
	i := slices.IndexFunc(r, func(one route) bool { return (method == "" || one.Method == method) && one.fits(path) })
	if i >= 0 {
		o = r[i].Operation
	}
	return o, i >= 0
}

// fits reports whether a path is one of the route's, with something for every parameter.
func (r route) fits(path []string) bool {
	return slices.EqualFunc(r.segments, path, func(want, got string) bool { return want == got || want == "{" && got != "" })
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
