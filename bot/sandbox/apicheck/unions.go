package apicheck

import (
	"slices"
	"strings"
)

// tag is the property by whose constants the description tells objects apart.
const tag = "type"

// tellApart states a union (oneOf, anyOf) of constants as an enumeration, and one of objects
// with tags as a choice: what has the tag of one alternative must fit that one. It means the
// same. But a union fails with the complaints of all its alternatives: for one label that is too
// long, thousands of characters about components which nobody meant to send.
func (s schemas) tellApart(o object) {
	for _, union := range []string{"oneOf", "anyOf"} {
		alternatives, tagged := o[union].([]any)
		var constants, tags, choice []any
		for _, alternative := range alternatives {
			schema, _ := alternative.(object)
			if constant, ok := schema["const"]; ok {
				constants = append(constants, constant)
			}
			own := s.tags(schema)
			tagged = tagged && own != nil && !slices.ContainsFunc(own, func(t any) bool { return slices.Contains(tags, t) })
			tags = append(tags, own...)
			choice = append(choice, object{"if": withTag(own), "then": alternative})
		}
		switch {
		case constants != nil && len(constants) == len(alternatives):
			delete(o, union)
			o["enum"] = constants
		case tagged:
			delete(o, union)
			composed, _ := o["allOf"].([]any)
			o["allOf"] = append(append(composed, withTag(tags)), choice...)
		}
	}
}

// tags are the constants of the tag that objects of a schema must have.
func (s schemas) tags(schema object) (constants []any) {
	if ref, ok := schema["$ref"].(string); ok {
		schema, _ = s[strings.TrimPrefix(ref, "#/components/schemas/")].(object)
	}
	properties, _ := schema["properties"].(object)
	property, _ := properties[tag].(object)
	if required, _ := schema["required"].([]any); slices.Contains(required, any(tag)) && schema["type"] == "object" {
		constants, _ = property["enum"].([]any)
	}
	return constants
}

// withTag allows objects with one of these tags.
func withTag(constants []any) object {
	return object{"type": "object", "required": []any{tag}, "properties": object{tag: object{"enum": constants}}}
}
