package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

// apiError is an answer of Discord's that says no.
type apiError struct {
	status  int
	code    int
	message string
	errors  map[string]any // nested by field, only with 50035
}

func (e *apiError) Error() string { return fmt.Sprintf("%d %s (code %d)", e.status, e.message, e.code) }

// body is the JSON that Discord answers with.
func (e *apiError) body() map[string]any {
	b := map[string]any{"message": e.message, "code": e.code}
	if len(e.errors) > 0 {
		b["errors"] = e.errors
	}
	return b
}

// Discord's errors by name. They are shared and never changed.
var (
	errNotFound           = &apiError{status: http.StatusNotFound, message: "404: Not Found"}
	errMethod             = &apiError{status: http.StatusMethodNotAllowed, message: "405: Method Not Allowed"}
	errUnauthorized       = &apiError{status: http.StatusUnauthorized, message: "401: Unauthorized"}
	errUserAgent          = &apiError{status: http.StatusForbidden, code: 40333, message: "internal network error"}
	errTooLarge           = &apiError{status: http.StatusRequestEntityTooLarge, code: 40005, message: "Request entity too large"}
	errBadJSON            = &apiError{status: http.StatusBadRequest, code: 50109, message: "The request body contains invalid JSON."}
	errUnknownChannel     = &apiError{status: http.StatusNotFound, code: 10003, message: "Unknown Channel"}
	errUnknownGuild       = &apiError{status: http.StatusNotFound, code: 10004, message: "Unknown Guild"}
	errUnknownMember      = &apiError{status: http.StatusNotFound, code: 10007, message: "Unknown Member"}
	errUnknownMessage     = &apiError{status: http.StatusNotFound, code: 10008, message: "Unknown Message"}
	errUnknownUser        = &apiError{status: http.StatusNotFound, code: 10013, message: "Unknown User"}
	errUnknownWebhook     = &apiError{status: http.StatusNotFound, code: 10015, message: "Unknown Webhook"}
	errUnknownInteraction = &apiError{status: http.StatusNotFound, code: 10062, message: "Unknown interaction"}
	errUnknownCommand     = &apiError{status: http.StatusNotFound, code: 10063, message: "Unknown application command"}
	errCommandCreates     = &apiError{status: http.StatusBadRequest, code: 30034, message: "Max number of daily application command creates has been reached (200)"}
	errAcknowledged       = &apiError{status: http.StatusBadRequest, code: 40060, message: "Interaction has already been acknowledged."}
	errFollowUps          = &apiError{status: http.StatusBadRequest, code: 40094, message: "Maximum number of follow up messages reached for this interaction"}
	errMissingAccess      = &apiError{status: http.StatusForbidden, code: 50001, message: "Missing Access"}
	errNotAuthor          = &apiError{status: http.StatusForbidden, code: 50005, message: "Cannot edit a message authored by another user"}
	errEmptyMessage       = &apiError{status: http.StatusBadRequest, code: 50006, message: "Cannot send an empty message"}
	errClosedDMs          = &apiError{status: http.StatusForbidden, code: 50007, message: "Cannot send messages to this user"}
	errMissingPermissions = &apiError{status: http.StatusForbidden, code: 50013, message: "Missing Permissions"}
	errWebhookToken       = &apiError{status: http.StatusUnauthorized, code: 50027, message: "Invalid Webhook Token"}
	errArchived           = &apiError{status: http.StatusBadRequest, code: 50083, message: "Thread is archived"}
	errServer             = &apiError{status: http.StatusInternalServerError, message: "500: Internal Server Error"}
)

// form gathers what is wrong with a request body, field by field. It points at
// one place of the body; at returns it for a place below.
type form struct {
	root *formRoot
	path []string
}

type formRoot struct {
	errors map[string]any
	count  int
}

func newForm(path ...string) form { return form{root: &formRoot{errors: map[string]any{}}, path: path} }

// at is the form for the field key, or the element of that index.
func (f form) at(key any) form {
	path := make([]string, 0, len(f.path)+1)
	path = append(path, f.path...)
	return form{f.root, append(path, fmt.Sprint(key))}
}

// fail notes an error here.
func (f form) fail(code, format string, args ...any) {
	f.root.count++
	node := f.root.errors
	for _, key := range f.path {
		next, ok := node[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			node[key] = next
		}
		node = next
	}
	list, _ := node["_errors"].([]any)
	node["_errors"] = append(list, map[string]any{"code": code, "message": fmt.Sprintf(format, args...)})
}

// err returns what was noted as one error, nil for nothing.
func (f form) err() error {
	if f.root.count == 0 {
		return nil
	}
	return &apiError{http.StatusBadRequest, 50035, "Invalid Form Body", f.root.errors}
}

func (f form) missing() { f.fail("BASE_TYPE_REQUIRED", "This field is required") }

// object returns v as an object.
func (f form) object(v any) (map[string]any, bool) {
	o, ok := v.(map[string]any)
	if !ok {
		f.fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
	}
	return o, ok
}

// text returns the string at key and whether there is one; null is as absent.
// Its length in characters must lie between low and high.
func (f form) text(o map[string]any, key string, low, high int) (string, bool) {
	v, ok := o[key]
	if !ok || v == nil {
		return "", false
	}
	s, ok := v.(string)
	if !ok {
		f.at(key).fail("STRING_TYPE_CONVERT", "Could not interpret %q as string.", fmt.Sprint(v))
		return "", false
	}
	f.at(key).length(utf8.RuneCountInString(s), low, high)
	return s, true
}

// need is text for a field that must be there.
func (f form) need(o map[string]any, key string, low, high int) string {
	if o[key] == nil {
		f.at(key).missing()
		return ""
	}
	s, _ := f.text(o, key, low, high)
	return s
}

// length notes an error when n is not between low and high.
func (f form) length(n, low, high int) bool {
	switch {
	case n >= low && n <= high:
		return true
	case low == 0:
		f.fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", high)
	default:
		f.fail("BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", low, high)
	}
	return false
}

// integer returns the whole number at key and whether there is one; null is as
// absent. It must lie between low and high.
func (f form) integer(o map[string]any, key string, low, high int64) (int64, bool) {
	v, ok := o[key]
	if !ok || v == nil {
		return 0, false
	}
	n, ok := wholeNumber(v)
	if !ok {
		f.at(key).fail("NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(v))
		return 0, false
	}
	if n < low {
		f.at(key).fail("NUMBER_TYPE_MIN", "int value should be greater than or equal to %d.", low)
		return 0, false
	}
	if n > high {
		f.at(key).fail("NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", high)
		return 0, false
	}
	o[key] = jsonInt(n) // 3.0 is kept as 3
	return n, true
}

// boolean returns the truth value at key and whether there is one; null is as absent.
func (f form) boolean(o map[string]any, key string) (value, ok bool) {
	v, ok := o[key]
	if !ok || v == nil {
		return false, false
	}
	b, ok := v.(bool)
	if !ok {
		f.at(key).fail("BOOLEAN_TYPE_CHOICES", "Must be either true or false.")
	}
	return b, ok
}

// list returns the array at key and whether there is one; null is as absent.
func (f form) list(o map[string]any, key string, low, high int) ([]any, bool) {
	v, ok := o[key]
	if !ok || v == nil {
		return nil, false
	}
	l, ok := v.([]any)
	if !ok {
		f.at(key).fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil, false
	}
	return l, f.at(key).length(len(l), low, high)
}

// choice notes an error at key unless the number there is one of allowed.
func (f form) choice(o map[string]any, key string, allowed ...int64) (int64, bool) {
	if o[key] == nil {
		f.at(key).missing()
		return 0, false
	}
	n, ok := wholeNumber(o[key])
	for _, a := range allowed {
		if ok && a == n {
			o[key] = jsonInt(n)
			return n, true
		}
	}
	f.at(key).fail("BASE_TYPE_CHOICES", "Value must be one of {%s}.", joinInts(allowed))
	return 0, false
}

// snowflake notes an error unless v is an identifier.
func (f form) snowflake(v any) (string, bool) {
	s, ok := v.(string)
	if n, isNumber := v.(json.Number); isNumber {
		s, ok = n.String(), true
	}
	if !ok || !isSnowflake(s) {
		f.fail("NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(v))
		return "", false
	}
	return s, true
}

func joinInts(ns []int64) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(parts, ", ")
}

// wholeNumber returns a decoded JSON number as an integer. 3.0 is one, "3" is not.
func wholeNumber(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	if i, err := n.Int64(); err == nil {
		return i, true
	}
	x, err := n.Float64()
	if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return 0, false
	}
	return int64(x), true
}

func jsonInt(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// decodeJSON decodes exactly one JSON value, numbers kept as they are written.
func decodeJSON(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("sandbox: more than one JSON value")
	}
	return v, nil
}

// asMap encodes a value of ours to the generic form of JSON.
func asMap[T any](v any) T {
	var out T
	b, err := json.Marshal(v)
	if err == nil {
		var generic any
		if generic, err = decodeJSON(b); err == nil {
			out, _ = generic.(T)
		}
	}
	return out
}
