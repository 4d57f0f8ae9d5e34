package apicheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// departure is one point in which we check something else than the published
// text. Each one fails, instead of doing nothing, when the place that it
// amends is gone; a newer description in which the place was put right is
// still taken.
type departure struct {
	reason string
	apply  amendment
}

type amendment = func(schemas) error

// commandSchemas describe a command in the requests that register it.
var commandSchemas = []string{
	"ApplicationCommandCreateRequest", "ApplicationCommandUpdateRequest", "ApplicationCommandPatchRequestPartial",
}

// requestDepartures amend the request side, in this order.
var requestDepartures = []departure{
	{
		reason: "default_member_permissions is described as a number, but Discord's documentation has" +
			" clients send the bit set as a string, as it comes back in every answer",
		apply: widen(commandSchemas, "default_member_permissions", object{"type": "string", "pattern": "^(0|[1-9][0-9]*)$"}),
	},
	{
		reason: "nsfw is missing, though documented as a field of commands and described in the answers",
		apply:  add(commandSchemas, object{"type": []any{"boolean", "null"}}, "nsfw"),
	},
	{
		reason: "discordgo writes these fields with null or false into options of every type;" +
			" Discord takes that for absence, and so the closing of objects below must not refuse it",
		apply: func(s schemas) error {
			options := slices.DeleteFunc(slices.Sorted(maps.Keys(s)), func(n string) bool {
				return !strings.HasPrefix(n, "ApplicationCommand") || !strings.HasSuffix(n, "Option")
			})
			return add(options, object{"enum": []any{nil, false}}, "channel_types", "choices", "options", "required", "autocomplete")(s)
		},
	},
	{
		reason: "animated is missing from the emoji of a button, though documented as a field of partial emoji",
		apply:  add([]string{"ComponentEmojiForRequest"}, object{"type": []any{"boolean", "null"}}, "animated"),
	},
	{
		reason: "the id of an attachment to upload is described as a snowflake only," +
			" but documented as the plain number n of its files[n]",
		apply: widen([]string{"MessageAttachmentRequest"}, "id",
			object{"type": "integer", "minimum": json.Number("0"), "maximum": json.Number("9")}),
	},
	{
		reason: "stricter: a field that is not described is refused. Discord ignores it, so the published" +
			" objects are open; but a request has such a field by mistake, and nearly all fields are" +
			" optional, so that open objects would let most misspelt or misplaced fields pass",
		apply: schemas.close,
	},
}

// responseDepartures amend the response side.
var responseDepartures = []departure{
	{
		reason: "the errors of a single field are described with the numeric code of the whole answer," +
			" but documented (and sent) with a word such as BASE_TYPE_REQUIRED",
		apply: each([]string{"InnerErrors"}, func(properties object) error {
			list, _ := properties["_errors"].(object)
			if list == nil {
				return errors.New("no _errors")
			}
			list["items"] = object{
				"type":       "object",
				"properties": object{"code": object{"type": "string"}, "message": object{"type": "string"}},
				"required":   []any{"code", "message"},
			}
			return nil
		}),
	},
	{
		reason: "the answer to too many requests is described as always having a code, but documented as" +
			" having one only sometimes",
		apply: func(s schemas) error {
			limited, _ := s["RatelimitedResponse"].(object)
			all, _ := limited["allOf"].([]any)
			common, ok := s["Error"].(object)
			if len(all) == 0 || !ok {
				return errors.New("no RatelimitedResponse")
			}
			all[0] = object{"type": "object", "properties": common["properties"], "required": []any{"message"}}
			return nil
		},
	},
}

// amend applies departures to the schemas of a description.
func (s schemas) amend(departures []departure) error {
	if len(s) == 0 {
		return errors.New("no schemas")
	}
	for _, d := range departures {
		if err := d.apply(s); err != nil {
			return fmt.Errorf("cannot amend (%s): %w", d.reason, err)
		}
	}
	return nil
}

// object is a JSON object as the schema compiler wants it.
type object = map[string]any

// schemas are the named schemas of a description.
type schemas object

// each calls f with the properties of the named schemas, all of which must be
// there.
func each(names []string, f func(properties object) error) amendment {
	return func(s schemas) error {
		if len(names) == 0 {
			return errors.New("no such schemas")
		}
		for _, name := range names {
			schema, _ := s[name].(object)
			properties, ok := schema["properties"].(object)
			if !ok {
				return fmt.Errorf("no properties in %s", name)
			}
			if err := f(properties); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
}

// add describes properties of the named schemas unless they are described already.
func add(names []string, schema object, missing ...string) amendment {
	return each(names, func(properties object) error {
		for _, name := range missing {
			if _, ok := properties[name]; !ok {
				properties[name] = schema
			}
		}
		return nil
	})
}

// widen lets a property of the named schemas also be what another schema describes.
func widen(names []string, name string, also object) amendment {
	return each(names, func(properties object) error {
		was, ok := properties[name]
		if !ok {
			return fmt.Errorf("no %s", name)
		}
		properties[name] = object{"anyOf": []any{was, also}}
		return nil
	})
}

// close makes every named schema, and every object inside one, refuse
// properties that it does not name. Left alone are objects that are maps by
// their description (no properties, or a rule for additional ones) and all
// that belong to an allOf, whose members each see only some of the properties.
func (s schemas) close() error {
	members := make(map[string]bool)
	visit(object(s), func(o object) {
		all, _ := o["allOf"].([]any)
		for _, member := range all {
			m, _ := member.(object)
			ref, _ := m["$ref"].(string)
			members[strings.TrimPrefix(ref, "#/components/schemas/")] = true
		}
	})
	closed := 0
	for name, schema := range s {
		if members[name] {
			continue
		}
		visit(schema, func(o object) {
			_, described := o["properties"].(object)
			_, decided := o["additionalProperties"]
			_, composed := o["allOf"]
			if isObject(o["type"]) && described && !decided && !composed {
				o["additionalProperties"] = false
				closed++
			}
		})
	}
	if closed == 0 {
		return errors.New("no object to close")
	}
	return nil
}

// isObject reports whether the keyword "type" allows objects.
func isObject(keyword any) bool {
	kinds, _ := keyword.([]any)
	return keyword == "object" || slices.Contains(kinds, any("object"))
}

// visit calls f for every object in a JSON value, inner ones first, without
// entering an allOf.
func visit(v any, f func(object)) {
	switch v := v.(type) {
	case object:
		for key, child := range v {
			if key != "allOf" {
				visit(child, f)
			}
		}
		f(v)
	case []any:
		for _, child := range v {
			visit(child, f)
		}
	}
}
