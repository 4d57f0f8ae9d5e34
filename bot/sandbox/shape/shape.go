// Package shape compares JSON by what keys it has and of what kinds their values are.
package shape

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Shape is the kinds of values by their paths, such as "member.user.id": a part "[]" stands for
// every element of a list, "{}" for every key that is an id. Kinds are joined by "|".
type Shape map[string]string

// Of returns the shape of a JSON value. What is no JSON has none.
func Of(raw []byte) Shape {
	var v any
	s := Shape{}
	if json.Unmarshal(raw, &v) == nil {
		s.add("", v)
	}
	return s
}

// Join adds what the other has.
func (s Shape) Join(other Shape) {
	for path, kinds := range other {
		s.note(path, kinds)
	}
}

// Compare returns the paths that only the one has, those that only the other has, and those
// that have values of other kinds in it. Null goes with everything. What is below a path that
// is missing is not named beside it, and below an empty list nothing is.
func Compare(known, seen Shape) (missing, more, others []string) {
	for _, path := range slices.Sorted(maps.Keys(known)) {
		if seen[path] == "" && seen[parent(path)] != "" && !seen.emptyAt(parent(path)) {
			missing = append(missing, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		switch kinds := known[path]; {
		case kinds == "" && known[parent(path)] != "" && !known.emptyAt(parent(path)):
			more = append(more, path)
		case kinds != "" && !goes(kinds, seen[path]):
			others = append(others, path)
		}
	}
	return missing, more, others
}

// emptyAt reports whether there is nothing below the path to compare: a list without elements,
// an object that has ids as keys and none now, or null.
func (s Shape) emptyAt(path string) bool {
	for below := range s {
		if len(below) > len(path) && parent(below) == path {
			return false
		}
	}
	return true
}

// goes reports whether every kind that was seen is known.
func goes(known, seen string) bool {
	if strings.Contains(known, "null") && !strings.Contains(known, "|") {
		return true // of what else it can be nothing is known
	}
	for kind := range strings.SplitSeq(seen, "|") {
		if kind != "null" && !slices.Contains(strings.Split(known, "|"), kind) {
			return false
		}
	}
	return true
}

func parent(path string) string {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)]
}

// note adds kinds to those of a path.
func (s Shape) note(path, kinds string) {
	all := strings.FieldsFuncSeq(s[path]+"|"+kinds, func(r rune) bool { return r == '|' })
	s[path] = strings.Join(slices.Compact(slices.Sorted(all)), "|")
}

func (s Shape) add(path string, v any) {
	below := func(name string, v any) { s.add(strings.TrimPrefix(path+"."+name, "."), v) }
	switch v := v.(type) {
	case nil:
		s.note(path, "null")
	case bool:
		s.note(path, "bool")
	case float64:
		s.note(path, "number")
	case string:
		s.note(path, "string")
	case []any:
		s.note(path, "list")
		for _, one := range v {
			below("[]", one)
		}
	case map[string]any:
		s.note(path, "object")
		for name, one := range v {
			if len(name) >= 15 && strings.Trim(name, "0123456789") == "" {
				name = "{}"
			}
			below(name, one)
		}
	}
}
