package apicheck

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// A schema of alternatives (oneOf, anyOf) fails with the complaints of all its
// branches: for one label that is too long, thousands of characters about
// components which nobody meant to send. What follows finds the branch that
// was meant. Nearly all unions of the description are told apart by the
// constant of a property "type"; the rest are a schema or null.

// tag is the property by which the description tells the branches of a union
// apart.
const tag = "type"

// complaint is a leaf of the validator's error tree, or what the branches of a union ask for
// together, which is of no kind.
type complaint struct {
	at    []string
	kind  jsonschema.ErrorKind
	want  []any    // the constants of which one would have been right
	types []string // or the JSON types
}

// leaf makes a complaint of the validator's.
func leaf(e *jsonschema.ValidationError) complaint {
	c := complaint{at: e.InstanceLocation, kind: e.ErrorKind}
	switch k := e.ErrorKind.(type) {
	case *kind.Enum:
		c.want = k.Want
	case *kind.Const:
		c.want = []any{k.Want}
	case *kind.Type:
		c.types = k.Want
	}
	return c
}

// violations turns the validator's error about a body into violations; nil gives none.
func violations(err error) []violation {
	if err == nil {
		return nil
	}
	tree, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return []violation{inBody(err.Error())}
	}
	// A schema may state one thing twice (a type, and alternatives that have
	// the same type), so the first complaint at a place stands for the rest.
	var found []violation
	for _, c := range explain(tree) {
		at := pointer(c.at...)
		if !slices.ContainsFunc(found, func(v violation) bool { return v.pointer == at }) {
			found = append(found, violation{in: "body", pointer: at, reason: c.reason()})
		}
	}
	return found
}

// explain returns the complaints below a node, those of the likeliest branch
// only where the node is a union.
func explain(e *jsonschema.ValidationError) []complaint {
	if len(e.Causes) == 0 {
		return []complaint{leaf(e)}
	}
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		return choose(e)
	}
	var all []complaint
	for _, cause := range e.Causes {
		all = append(all, explain(cause)...)
	}
	return all
}

// choose picks the branch of a union that the value was meant for: the one
// whose JSON type and tag fit, and of several the one with the fewest
// complaints, the deeper ones if it is a draw, since the validator got farther
// there. If the tag fits none, it returns all that the tag may be.
func choose(union *jsonschema.ValidationError) []complaint {
	var best, wrongTag []complaint
	all := complaint{at: union.InstanceLocation}
	for _, cause := range union.Causes {
		branch := explain(cause)
		c, how := suit(branch, union.InstanceLocation)
		switch how {
		case fits:
			if best == nil || len(branch) < len(best) || len(branch) == len(best) && depth(branch) > depth(best) {
				best = branch
			}
			continue
		case otherTag:
			wrongTag = append(wrongTag, c)
		case otherValue:
			all.types = append(all.types, c.types...)
		}
		all.want = append(all.want, c.want...)
	}
	switch {
	case best != nil:
		return best
	case len(wrongTag) == 0:
		return []complaint{all}
	case len(all.want) > 0:
		return []complaint{{at: wrongTag[0].at, want: all.want}}
	}
	return wrongTag[:1]
}

// depth is the number of steps to the deepest place complained about.
func depth(branch []complaint) int {
	return len(slices.MaxFunc(branch, func(a, b complaint) int { return cmp.Compare(len(a.at), len(b.at)) }).at)
}

// How well a value suits a branch of a union.
const (
	fits = iota
	otherTag
	otherValue
)

// suit tells whether a branch refuses the value as a whole (its JSON type, or
// the constant that it should be) or its tag, and by which complaint.
func suit(branch []complaint, at []string) (complaint, int) {
	tagAt := append(slices.Clone(at), tag)
	for _, c := range branch {
		if slices.Equal(c.at, at) {
			switch k := c.kind.(type) {
			case nil, *kind.Type, *kind.Const, *kind.Enum:
				return c, otherValue
			case *kind.Required:
				if slices.Contains(k.Missing, tag) {
					return complaint{at: at, kind: &kind.Required{Missing: []string{tag}}}, otherTag
				}
			}
		}
		if slices.Equal(c.at, tagAt) {
			return c, otherTag
		}
	}
	return complaint{}, fits
}

// english writes the validator's own messages.
var english = message.NewPrinter(language.English)

// reason returns the complaint in words.
func (c complaint) reason() string {
	switch k := c.kind.(type) {
	case *kind.AdditionalProperties:
		return "has fields that are not described: " + strings.Join(k.Properties, ", ")
	case *kind.Required:
		return "lacks " + strings.Join(k.Missing, ", ")
	case nil:
		return c.alternatives()
	}
	return c.kind.LocalizedString(english)
}

// alternatives says what the branches of a union ask for.
func (c complaint) alternatives() string {
	words := make([]string, len(c.want))
	for i, w := range c.want {
		words[i] = fmt.Sprint(w)
	}
	switch {
	case len(words) > 0:
		return "must be one of " + list(words)
	case len(c.types) > 0:
		return "must be one of these types: " + list(c.types)
	}
	return "fits none, or more than one, of the alternatives"
}

// list joins words in order and without duplicates; shorter ones go first, so
// that numbers come out in their own order.
func list(words []string) string {
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return strings.Join(slices.Compact(words), ", ")
}
