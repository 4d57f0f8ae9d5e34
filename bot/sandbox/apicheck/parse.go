package apicheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The description is compiled twice, under two names that nobody dials: the
// request side is amended (departures.go) in ways that must not reach
// schemas which it shares with the response side.
const (
	requestDoc  = "apicheck://requests"
	responseDoc = "apicheck://responses"
)

// jsonType is the only content type of bodies whose schemas are compiled.
const jsonType = "application/json"

// The parts of an OpenAPI document that are read directly; everything inside a
// schema is left to the schema compiler.
type (
	document struct {
		OpenAPI    string              `json:"openapi"`
		Paths      map[string]pathNode `json:"paths"`
		Components struct {
			Responses map[string]responseNode `json:"responses"`
		} `json:"components"`
	}
	pathNode struct {
		Parameters                    []parameterNode
		Get, Put, Post, Delete, Patch *operationNode
	}
	operationNode struct {
		Parameters  []parameterNode         `json:"parameters"`
		RequestBody *bodyNode               `json:"requestBody"`
		Responses   map[string]responseNode `json:"responses"`
	}
	parameterNode struct {
		Name     string `json:"name"`
		In       string `json:"in"`
		Required bool   `json:"required"`
		Schema   struct {
			Type any `json:"type"`
		} `json:"schema"`
	}
	bodyNode struct {
		Ref      string              `json:"$ref"`
		Required bool                `json:"required"`
		Content  map[string]struct{} `json:"content"`
	}
	responseNode struct {
		Ref     string              `json:"$ref"`
		Content map[string]struct{} `json:"content"`
	}
)

// parser holds what is needed while routes are built.
type parser struct {
	doc      document
	compiler *jsonschema.Compiler
}

// parse reads a description and compiles the schemas of all its operations.
func parse(raw []byte) ([]*route, error) {
	var p parser
	if err := json.Unmarshal(raw, &p.doc); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(p.doc.OpenAPI, "3.1.") {
		return nil, fmt.Errorf("openapi is %q, want 3.1", p.doc.OpenAPI)
	}
	if len(p.doc.Paths) == 0 {
		return nil, errors.New("no paths")
	}
	p.compiler = jsonschema.NewCompiler()
	p.compiler.DefaultDraft(jsonschema.Draft2020)
	p.compiler.AssertFormat()
	for _, f := range formats {
		p.compiler.RegisterFormat(f)
	}
	p.compiler.UseLoader(jsonschema.SchemeURLLoader{}) // follows no reference out of the description
	for name, amendments := range map[string][]departure{requestDoc: requestDepartures, responseDoc: responseDepartures} {
		tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		if err := amend(tree, amendments); err != nil {
			return nil, err
		}
		if err := p.compiler.AddResource(name, tree); err != nil {
			return nil, err
		}
	}
	routes := make([]*route, 0, len(p.doc.Paths))
	for _, template := range slices.Sorted(maps.Keys(p.doc.Paths)) {
		rt, err := p.route(template)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", template, err)
		}
		routes = append(routes, rt)
	}
	return routes, nil
}

// route builds the route of one path with all its operations.
func (p *parser) route(template string) (*route, error) {
	rt := newRoute(template)
	item := p.doc.Paths[template]
	for method, node := range map[string]*operationNode{
		"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete, "PATCH": item.Patch,
	} {
		if node == nil {
			continue
		}
		key := strings.ToLower(method)
		op, err := p.operation(method+" "+template, pointer("paths", template, key), node)
		if err == nil {
			// An operation's own parameters come last: they override shared ones.
			err = p.parameters(op, pointer("paths", template, "parameters"), item.Parameters)
		}
		if err == nil {
			err = p.parameters(op, pointer("paths", template, key, "parameters"), node.Parameters)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		rt.operations[method] = op
	}
	return rt, nil
}

// operation compiles the bodies of one operation; at is its place.
func (p *parser) operation(name, at string, node *operationNode) (op *operation, err error) {
	op = &operation{
		name:      name,
		path:      make(map[string]*jsonschema.Schema),
		query:     make(map[string]parameter),
		responses: make(map[string]response),
	}
	if body := node.RequestBody; body != nil {
		if body.Ref != "" {
			return nil, errors.New("reference instead of a request body")
		}
		op.bodyRequired = body.Required
		if _, ok := body.Content[jsonType]; ok {
			op.body, err = p.compile(requestDoc, at+pointer("requestBody", "content", jsonType, "schema"))
			if err != nil {
				return nil, err
			}
		}
	}
	for status, r := range node.Responses {
		place := at + pointer("responses", status)
		if r.Ref != "" {
			id, ok := strings.CutPrefix(r.Ref, "#/components/responses/")
			named, known := p.doc.Components.Responses[id]
			if !ok || !known {
				return nil, fmt.Errorf("response %s refers to nothing", status)
			}
			r, place = named, pointer("components", "responses", id)
		}
		_, isJSON := r.Content[jsonType]
		want := response{opaque: len(r.Content) > 0 && !isJSON}
		if isJSON {
			want.body, err = p.compile(responseDoc, place+pointer("content", jsonType, "schema"))
			if err != nil {
				return nil, err
			}
		}
		op.responses[status] = want
	}
	return op, nil
}

// parameters compiles a list of parameters into the operation; at is the
// place of the list.
func (p *parser) parameters(op *operation, at string, nodes []parameterNode) error {
	for i, n := range nodes {
		schema, err := p.compile(requestDoc, at+fmt.Sprintf("/%d/schema", i))
		if err != nil {
			return err
		}
		switch n.In {
		case "path":
			op.path[n.Name] = schema
		case "query":
			kind, _ := n.Schema.Type.(string)
			op.query[n.Name] = parameter{schema: schema, kind: kind, required: n.Required}
		}
	}
	return nil
}

// compile compiles the schema at a place of one of the two documents.
func (p *parser) compile(doc, at string) (*jsonschema.Schema, error) {
	return p.compiler.Compile(doc + (&url.URL{Fragment: at}).String())
}

// pointer makes a JSON pointer of the given keys.
func pointer(keys ...string) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k))
	}
	return b.String()
}
