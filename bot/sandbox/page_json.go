package sandbox

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

// maxPageBody bounds what the page's requests may carry: a modal with five
// inputs of 4,000 characters fits several times over.
const maxPageBody = 128 << 10

// pageError is an answer that says no, for the page to show where it belongs.
type pageError struct {
	status int
	Code   string `json:"code"`
	// Message is a sentence for the person.
	Message string `json:"message"`
	// Field names the option or input that is to blame, if one is.
	Field string `json:"field,omitempty"`
}

func (e *pageError) Error() string { return e.Message }

func refuse(status int, code, message string) *pageError {
	return &pageError{status: status, Code: code, Message: message}
}

// actorErrors says how what a person may not do is answered.
var actorErrors = []struct {
	err    error
	status int
	code   string
}{
	{ErrUnknownCommand, http.StatusNotFound, "unknown_command"},
	{ErrBadOption, http.StatusUnprocessableEntity, "bad_option"},
	{ErrForbidden, http.StatusForbidden, "forbidden"},
	{ErrNotVisible, http.StatusNotFound, "not_visible"},
	{ErrNoComponent, http.StatusConflict, "no_component"},
	{ErrDisabled, http.StatusConflict, "disabled"},
	{ErrNoModal, http.StatusConflict, "no_modal"},
	{ErrGone, http.StatusGone, "gone"},
	{ErrUnknownFault, http.StatusNotFound, "unknown_fault"},
	{ErrClosed, http.StatusServiceUnavailable, "closed"},
}

// writeError answers with err as JSON: {"error":{"code":…,"message":…}}.
func writeError(w http.ResponseWriter, err error) {
	var known *pageError
	if !errors.As(err, &known) {
		known = refuse(http.StatusInternalServerError, "internal", "That did not work.")
		for _, a := range actorErrors {
			if errors.Is(err, a.err) {
				known = refuse(a.status, a.code, strings.TrimPrefix(err.Error(), "sandbox: "))
				break
			}
		}
	}
	writeJSON(w, known.status, map[string]any{"error": known})
}

func fail(w http.ResponseWriter, status int, code, message string) {
	writeError(w, refuse(status, code, message))
}

// writeJSON answers with v. Nothing of the page's data may be kept by a cache.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error":{"code":"internal","message":"That did not work."}}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// post makes a handler of a function that takes the request's JSON and returns
// what to answer with.
func post[T any](do func(T) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in T
		if err := readJSON(w, r, &in); err != nil {
			writeError(w, err)
			return
		}
		out, err := do(in)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, out)
	})
}

// readJSON reads exactly one JSON value of the expected shape. The content type
// is demanded because a form of another site cannot send it unasked.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "content_type", "The body must be application/json.")
	}
	dec := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxPageBody))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		return badBody(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badBody(err)
	}
	return nil
}

func badBody(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return refuse(http.StatusRequestEntityTooLarge, "too_large", "The body is too large.")
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		e := refuse(http.StatusBadRequest, "bad_json", "A field of the body has the wrong type.")
		e.Field = wrong.Field
		return e
	}
	return refuse(http.StatusBadRequest, "bad_json", "The body is not the JSON that was expected.")
}
