package shape

import (
	"slices"
	"testing"
)

// TestCompare: a key more, a key less and another kind are told; null, an empty list, ids and
// what is below a missing key are not.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, known, seen     string
		missing, more, others []string
	}{
		{name: "the same", known: `{"a":1,"b":[{"c":"x"}]}`, seen: `{"a":2,"b":[{"c":"y"},{"c":"z"}]}`},
		{name: "less", known: `{"a":1,"b":{"c":1}}`, seen: `{"a":1}`, missing: []string{"b"}},
		{name: "more", known: `{"a":1}`, seen: `{"a":1,"b":{"c":1}}`, more: []string{"b"}},
		{name: "other", known: `{"a":1}`, seen: `{"a":"1"}`, others: []string{"a"}},
		{name: "null", known: `{"a":null,"b":1}`, seen: `{"a":"1","b":null}`},
		{name: "empty lists", known: `{"a":[],"b":[{"c":1}]}`, seen: `{"a":[{"d":1}],"b":[]}`},
		{name: "ids", known: `{"m":{"1100000000000000001":{"a":1}}}`, seen: `{"m":{"1100000000000000002":{"a":1,"b":1}}}`, more: []string{"m.{}.b"}},
		{name: "in lists", known: `{"a":[{"b":1}]}`, seen: `{"a":[{"b":1,"c":2}]}`, more: []string{"a.[].c"}},
	} {
		missing, more, others := Compare(Of([]byte(c.known)), Of([]byte(c.seen)))
		if !slices.Equal(missing, c.missing) || !slices.Equal(more, c.more) || !slices.Equal(others, c.others) {
			t.Errorf("%s: missing %q, more %q, others %q", c.name, missing, more, others)
		}
	}
}
