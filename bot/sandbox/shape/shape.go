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
		for kind := range strings.SplitSeq(kinds, "|") {
			s.note(path, kind)
		}
	}
}

// Compare returns the paths that only the one has, those that only the other has, and those
// that have values of other kinds in it. Null goes with everything. What is below a path that
// is missing is not named beside it, and below an empty list nothing is.
func Compare(known, seen Shape) (missing, more, others []string) {
	for _, path := range slices.Sorted(maps.Keys(known)) {
		if _, ok := seen[path]; !ok && seen.has(parent(path)) && !seen.emptyAt(parent(path)) {
			missing = append(missing, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		kinds, ok := known[path]
		switch {
		case !ok && known.has(parent(path)) && !known.emptyAt(parent(path)):
			more = append(more, path)
		case ok && !goes(kinds, seen[path]):
			others = append(others, path)
		}
	}
	return missing, more, others
}

func (s Shape) has(path string) bool {
	_, ok := s[path]
	return ok
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

func (s Shape) note(path, kind string) {
	kinds := strings.FieldsFunc(s[path], func(r rune) bool { return r == '|' })
	if !slices.Contains(kinds, kind) {
		kinds = append(kinds, kind)
		slices.Sort(kinds)
	}
	s[path] = strings.Join(kinds, "|")
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
