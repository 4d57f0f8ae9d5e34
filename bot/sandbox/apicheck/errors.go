package apicheck

import (
	"cmp"
	"errors"
	"maps"
	"slices"
)

// ErrDescription: the file given to Load is not a description that this
// package can check against.
var ErrDescription = errors.New("apicheck: unusable API description")

// violations are the places that are not as described, each with a phrase for people, to be
// read after the place. A place is the part of the request or response and, below it, a JSON
// pointer. In a multipart form that points into payload_json, or is the name of another form
// field. A phrase may quote the value, but never one from the path.
type violations map[string]string

// add notes what is wrong at a place, unless something is already.
func (v violations) add(place, reason string) {
	v[place] = cmp.Or(v[place], reason)
}

// err makes an error of the violations in the order of places, or nil if there are none. The
// operation is the method and the path's template, never the path itself; the method alone
// when no template fits.
func (v violations) err(operation string) error {
	if len(v) == 0 {
		return nil
	}
	text := "apicheck: " + operation + ": not as described"
	for _, place := range slices.Sorted(maps.Keys(v)) {
		text += "\n\t" + place + ": " + v[place]
	}
	return errors.New(text)
}
