// Package apitest helps tests of the local Discord to speak to it without a
// library: bodies as they stand in tables, requests and their answers.
package apitest

// Obj and Arr spell JSON in tables.
type (
	Obj = map[string]any
	Arr = []any
)

// Button is a button with that custom id, changed by the fields of more; a nil
// one takes the field away.
func Button(id string, more ...Obj) Obj {
	b := Obj{"type": 2, "style": 2, "label": "x", "custom_id": id}
	for _, m := range more {
		for k, v := range m {
			if v == nil {
				delete(b, k)
			} else {
				b[k] = v
			}
		}
	}
	return b
}

// Row is an action row.
func Row(components ...any) Obj { return Obj{"type": 1, "components": append(Arr{}, components...)} }

// V2 is a message in components v2.
func V2(components ...any) Obj { return Obj{"flags": 32768, "components": components} }
