package apicheck

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// english writes the validator's own messages.
var english = message.NewPrinter(language.English)

// hold holds a request or an answer, with a body if it has one, against its schema. A schema may state one thing twice (a
// type, and alternatives that have the same type), so the first complaint at a place stands for
// the rest.
func (v violations) hold(schema *jsonschema.Schema, whole object, body []byte) {
	if len(body) > 0 {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if !utf8.Valid(body) {
			err = errors.New("not UTF-8")
		}
		if err != nil {
			v.add("body", "is malformed: "+err.Error())
			return
		}
		whole["body"] = value
	}
	err, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(whole))
	if !ok {
		return
	}
	for _, c := range complaints(err) {
		at := c.InstanceLocation
		if len(at) == 0 {
			at = []string{"body"} // which is missing, or is not expected
		}
		reason := c.ErrorKind.LocalizedString(english)
		if at[0] == "path" {
			reason = "is not what the description asks for" // without the value, which may be a token
		}
		v.add(strings.TrimSpace(at[0]+" "+pointer(at[1:])), reason)
	}
}

// pointer makes a JSON pointer of keys.
func pointer(keys []string) (text string) {
	for _, k := range keys {
		text += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(k)
	}
	return text
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
