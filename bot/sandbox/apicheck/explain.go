package apicheck

import (
	"errors"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// english writes the validator's own messages.
var english = message.NewPrinter(language.English)

// violations turns the validator's error about a body into violations; nil gives none.
func violations(err error) (found []violation) {
	tree, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return nil
	}
	// A schema may state one thing twice (a type, and alternatives that have
	// the same type), so the first complaint at a place stands for the rest.
	for _, c := range complaints(tree) {
		at := pointer(c.InstanceLocation...)
		if !slices.ContainsFunc(found, func(v violation) bool { return v.pointer == at }) {
			found = append(found, violation{in: "body", pointer: at, reason: c.ErrorKind.LocalizedString(english)})
		}
	}
	return found
}

// complaints returns the leaves of the validator's error tree. Of a union that was not told
// apart it follows one alternative: one that takes values of that JSON type, of these the one
// with the fewest complaints and, if it is a draw, with a deeper one, since the validator got
// farther there.
func complaints(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	below := make([][]*jsonschema.ValidationError, len(e.Causes))
	for i, cause := range e.Causes {
		below[i] = complaints(cause)
	}
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		at := len(e.InstanceLocation)
		return slices.MinFunc(below, func(a, b []*jsonschema.ValidationError) int { return slices.Compare(rank(a, at), rank(b, at)) })
	}
	return slices.Concat(below...)
}

// rank is the lower the likelier the alternative was meant that has these complaints about a
// value so deep down.
func rank(complaints []*jsonschema.ValidationError, at int) []int {
	otherType, deepest := 0, at
	for _, c := range complaints {
		if _, ok := c.ErrorKind.(*kind.Type); ok && len(c.InstanceLocation) == at {
			otherType = 1
		}
		deepest = max(deepest, len(c.InstanceLocation))
	}
	return []int{otherType, len(complaints), -deepest}
}
