package apicheck

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

var (
	// ErrDescription: the file given to Load is not a description that this
	// package can check against.
	ErrDescription = errors.New("apicheck: unusable API description")
	// ErrUnknownRoute: the description has no such path.
	ErrUnknownRoute = errors.New("no such path in the description")
	// ErrUnknownMethod: the path is known, but not with this method.
	ErrUnknownMethod = errors.New("no such method on this path")
	// ErrUnknownStatus: the operation does not describe this status.
	ErrUnknownStatus = errors.New("no description of status")
	// ErrContentType: the body is neither JSON nor a multipart form. The
	// description also lists URL-encoded forms, but gives no rule for writing
	// nested objects in one, so they cannot be checked and are refused.
	ErrContentType = errors.New("content type cannot be checked")
	// ErrMalformed: the body is not readable as what its content type says.
	ErrMalformed = errors.New("malformed body")
	// ErrInvalid: readable, but not what the description asks for; the
	// violations say where.
	ErrInvalid = errors.New("not as described")
)

// Part says which part of a request or response a violation is in.
type Part string

// The parts of a request; a response has only a body.
const (
	InPath  Part = "path"
	InQuery Part = "query"
	InBody  Part = "body"
)

// Violation is one place that is not as described.
type Violation struct {
	// In is the part of the request or response.
	In Part
	// Pointer is the place in that part: a JSON pointer into the body, ""
	// for all of it; elsewhere the name of the parameter. In a multipart form
	// it points into payload_json, or is the name of another form field.
	Pointer string
	// Reason is a phrase for people, to be read after the place. It may quote
	// the value, but never one from the path.
	Reason string
}

// String returns the violation on one line.
func (v Violation) String() string {
	if v.Pointer == "" {
		return fmt.Sprintf("%s: %s", v.In, v.Reason)
	}
	return fmt.Sprintf("%s %s: %s", v.In, v.Pointer, v.Reason)
}

// Error tells why a request or response is not as described.
type Error struct {
	// Operation is the method and the path's template, never the path itself;
	// the method alone when no template fits.
	Operation string
	// Err is, or wraps, one of the package's sentinel errors.
	Err error
	// Violations are in the order of part and pointer, without duplicates.
	Violations []Violation
}

// Error returns the operation, the kind of error and all violations, each on a
// line of its own.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "apicheck: %s: %v", e.Operation, e.Err)
	for _, v := range e.Violations {
		b.WriteString("\n\t" + v.String())
	}
	return b.String()
}

// Unwrap returns the kind of error, so that errors.Is finds the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// refuse makes an error of the violations, or nil if there are none.
func refuse(operation string, found []Violation) error {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Reason, b.Reason))
	})
	return &Error{Operation: operation, Err: ErrInvalid, Violations: slices.Compact(found)}
}
