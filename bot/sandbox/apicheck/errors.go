package apicheck

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// ErrDescription: the file given to Load is not a description that this
// package can check against.
var ErrDescription = errors.New("apicheck: unusable API description")

// violation is one place that is not as described.
type violation struct {
	// in is the part of the request or response.
	in string
	// pointer is the place in that part: a JSON pointer into the body, ""
	// for all of it; elsewhere the name of the parameter. In a multipart form
	// it points into payload_json, or is the name of another form field.
	pointer string
	// reason is a phrase for people, to be read after the place. It may quote
	// the value, but never one from the path.
	reason string
}

// inBody is a violation by all of the body.
func inBody(reason string) violation { return violation{in: "body", reason: reason} }

// refuse makes an error of the violations, in the order of part and pointer and without
// duplicates, or nil if there are none. The operation is the method and the path's
// template, never the path itself; the method alone when no template fits.
func refuse(operation string, found []violation) error {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b violation) int {
		return cmp.Or(cmp.Compare(a.in, b.in), cmp.Compare(a.pointer, b.pointer), cmp.Compare(a.reason, b.reason))
	})
	text := "apicheck: " + operation + ": not as described"
	for _, v := range slices.Compact(found) {
		text += "\n\t" + strings.TrimSpace(v.in+" "+v.pointer) + ": " + v.reason
	}
	return errors.New(text)
}
