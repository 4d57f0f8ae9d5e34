package apicheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tictactoe/bot/sandbox/operations"
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
			Schemas   schemas                 `json:"schemas"`
			Responses map[string]responseNode `json:"responses"`
		} `json:"components"`
	}
	pathNode struct {
		Parameters                    []parameterNode
		Get, Put, Post, Delete, Patch *operationNode
	}
	operationNode struct {
		Parameters  []parameterNode         `json:"parameters"`
		RequestBody bodyNode                `json:"requestBody"`
		Responses   map[string]responseNode `json:"responses"`
	}
	parameterNode struct {
		Name     string `json:"name"`
		In       string `json:"in"`
		Required bool   `json:"required"`
		Schema   object `json:"schema"`
	}
	bodyNode struct {
		Ref      string      `json:"$ref"`
		Required bool        `json:"required"`
		Content  contentNode `json:"content"`
	}
	responseNode struct {
		Ref     string      `json:"$ref"`
		Content contentNode `json:"content"`
	}
	contentNode map[string]struct { // by content type
		Schema object `json:"schema"`
	}
)

// record describes an object that has no other properties.
type record struct {
	properties object
	required   []any
}

func (r *record) add(name string, schema any, required bool) {
	r.properties[name] = schema
	if required {
		r.required = append(r.required, name)
	}
}

func (r *record) schema() object {
	return object{"type": "object", "properties": r.properties, "required": r.required, "additionalProperties": false}
}

// parse reads a description and compiles the schemas of all its operations. It reads it twice:
// the request side is amended (departures.go) in ways that must not reach schemas which it
// shares with the response side.
func parse(raw []byte) (*Description, error) {
	requests, err := compile(raw, requestDepartures, document.request)
	if err != nil {
		return nil, err
	}
	answers, err := compile(raw, responseDepartures, document.answers)
	if err != nil {
		return nil, err
	}
	d := &Description{operations: map[string]operation{}}
	var all []operations.Operation
	for name, request := range requests {
		method, path, _ := strings.Cut(name, " ")
		all = append(all, operations.Operation{Method: method, Path: path})
		d.operations[name] = operation{request, answers[name].Properties}
	}
	d.routes = operations.NewRoutes(all)
	return d, nil
}

// compile reads one side of a description, amends it, and compiles what there is to say of each
// operation, by method and template.
func compile(
	raw []byte, departures []departure, describe func(document, *operationNode) (object, error),
) (map[string]*jsonschema.Schema, error) {
	var d document
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&d); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(d.OpenAPI, "3.1.") {
		return nil, fmt.Errorf("openapi is %q, want 3.1", d.OpenAPI)
	}
	if len(d.Paths) == 0 {
		return nil, errors.New("no paths")
	}
	if err := d.Components.Schemas.amend(departures); err != nil {
		return nil, err
	}
	all := object{}
	for template, item := range d.Paths {
		for method, op := range map[string]*operationNode{
			"GET": item.Get, "PUT": item.Put, "POST": item.Post, "DELETE": item.Delete, "PATCH": item.Patch,
		} {
			if op == nil {
				continue
			}
			name := method + " " + template
			op.Parameters = slices.Concat(item.Parameters, op.Parameters) // its own override shared ones
			schema, err := describe(d, op)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all[name] = schema
		}
	}
	whole := object{"components": object{"schemas": object(d.Components.Schemas)}, "properties": all}
	visit(whole, d.Components.Schemas.tellApart)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	for _, f := range formats {
		compiler.RegisterFormat(f)
	}
	compiler.UseLoader(jsonschema.SchemeURLLoader{}) // follows no reference out of the description
	const name = "apicheck://description"            // which nobody dials
	if err := compiler.AddResource(name, whole); err != nil {
		return nil, err
	}
	compiled, err := compiler.Compile(name)
	if err != nil {
		return nil, err
	}
	return compiled.Properties, nil
}

// request describes a request by its path's parameters, its query and its body.
func (document) request(op *operationNode) (object, error) {
	parts := map[string]*record{"path": {properties: object{}}, "query": {properties: object{}}}
	for _, p := range op.Parameters {
		if in := parts[p.In]; in != nil {
			in.add(p.Name, p.Schema, p.Required)
		}
	}
	request := record{properties: object{"path": parts["path"].schema(), "query": parts["query"].schema()}}
	if op.RequestBody.Ref != "" {
		return nil, errors.New("reference instead of a request body")
	}
	if body, ok := op.RequestBody.Content[jsonType]; ok {
		request.add("body", body.Schema, op.RequestBody.Required)
	}
	return request.schema(), nil
}

// answers describes answers by their body, for each status; any answer whose body is no JSON.
func (d document) answers(op *operationNode) (object, error) {
	byStatus := object{}
	for status, r := range op.Responses {
		if r.Ref != "" {
			named, ok := d.Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")]
			if !ok {
				return nil, fmt.Errorf("response %s refers to nothing", status)
			}
			r = named
		}
		answer := record{properties: object{}}
		body, isJSON := r.Content[jsonType]
		if isJSON {
			answer.add("body", body.Schema, true)
		}
		byStatus[status] = answer.schema()
		if len(r.Content) > 0 && !isJSON {
			byStatus[status] = true
		}
	}
	return object{"properties": byStatus}, nil
}
