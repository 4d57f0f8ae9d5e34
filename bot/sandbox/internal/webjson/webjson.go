// Package webjson is how the handlers of the local Discord that are no part of
// Discord's API speak JSON: strict bodies in, one value out, and for a no an object
// with a code and a sentence. It knows no route.
package webjson

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strings"
)

// Error is an answer that says no, {"error":{"code":…,"message":…}}.
type Error struct {
	Status int    `json:"-"`
	Code   string `json:"code"`
	// Message is a sentence for who asked.
	Message string `json:"message"`
	// Field names what is to blame, if one field is.
	Field string `json:"field,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Refuse makes an Error without a field.
func Refuse(status int, code, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}

// Known says how one of a package's errors is answered.
type Known struct {
	Err    error
	Status int
	Code   string
}

// Format is how one set of routes speaks. The zero value takes no body and knows no
// errors. It may be used by several goroutines at once.
type Format struct {
	// MaxBody bounds a request's body in bytes.
	MaxBody int64
	// Known are tried in order by errors.Is; their text stands in the answer without
	// what comes before the first colon and space, which is the package's name.
	Known []Known
	// Internal is the sentence for any other error; empty for the error's own text.
	Internal string
}

// Fail answers with err.
func (f Format) Fail(w http.ResponseWriter, err error) {
	answer, ok := errors.AsType[*Error](err)
	if !ok {
		answer = f.of(err)
	}
	Write(w, answer.Status, map[string]any{"error": answer})
}

func (f Format) of(err error) *Error {
	for _, k := range f.Known {
		if errors.Is(err, k.Err) {
			text := err.Error()
			if pkg, rest, ok := strings.Cut(text, ": "); ok && !strings.Contains(pkg, " ") {
				text = rest
			}
			return Refuse(k.Status, k.Code, text)
		}
	}
	return Refuse(http.StatusInternalServerError, "internal", cmp.Or(f.Internal, err.Error()))
}

// Write answers with v. No cache may keep it.
func Write(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"That could not be written as JSON."}}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// Do makes a handler of a function that takes no body.
func (f Format) Do(serve func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := serve(r)
		if err != nil {
			f.Fail(w, err)
			return
		}
		Write(w, http.StatusOK, out)
	}
}

// Post makes a handler of a function that takes the request's JSON.
func Post[T any](f Format, serve func(*http.Request, T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.Do(func(r *http.Request) (any, error) {
			var in T
			if err := f.read(w, r, &in); err != nil {
				return nil, err
			}
			return serve(r, in)
		})(w, r)
	}
}

// read reads exactly one JSON value of the expected shape. The content type is
// demanded because a form of another site cannot send it unasked.
func (f Format) read(w http.ResponseWriter, r *http.Request, v any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return Refuse(http.StatusUnsupportedMediaType, "content_type", "The body must be application/json.")
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, f.MaxBody))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return badBody(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Refuse(http.StatusBadRequest, "bad_json", "The body has more than one JSON value.")
	}
	return nil
}

// embedded are names of types in the path of a field, which are no part of the JSON: they have
// capitals, and keys have none.
var embedded = regexp.MustCompile(`(^|\.)(\w*[A-Z]\w*\.)+`)

func badBody(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return Refuse(http.StatusRequestEntityTooLarge, "too_large", "The body is too large.")
	}
	e := Refuse(http.StatusBadRequest, "bad_json", "The body is not the JSON that was expected: "+strings.TrimPrefix(err.Error(), "json: "))
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		e.Field = embedded.ReplaceAllString(wrong.Field, "$1")
	}
	return e
}
