package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Form gathers what is wrong with a request body, field by field. It points at
// one place of the body; At returns it for a place below.
type Form struct {
	root *formRoot
	path []string
}

type formRoot struct {
	errors map[string]any
	count  int
}

// NewForm is an empty form for a body, or for the place in it that path leads to.
func NewForm(path ...string) Form { return Form{root: &formRoot{errors: map[string]any{}}, path: path} }

// At is the form for the field key, or the element of that index.
func (f Form) At(key any) Form {
	return Form{f.root, append(slices.Clip(f.path), fmt.Sprint(key))}
}

// Fail notes an error here.
func (f Form) Fail(code, format string, args ...any) {
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

// Err returns what was noted as one error, nil for nothing.
func (f Form) Err() error {
	if f.root.count == 0 {
		return nil
	}
	return &Error{Status: http.StatusBadRequest, Code: 50035, Message: "Invalid Form Body", Errors: f.root.errors}
}

// Missing notes that a required field is not there.
func (f Form) Missing() { f.Fail("BASE_TYPE_REQUIRED", "This field is required") }

// Object returns v as an object.
func (f Form) Object(v any) (map[string]any, bool) {
	o, ok := v.(map[string]any)
	if !ok {
		f.Fail("MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
	}
	return o, ok
}

// below is an object that a field may hold, and the form of what is below it.
func (f Form) below(o map[string]any, key string) (Form, map[string]any, bool) {
	if o[key] == nil {
		return f, nil, false
	}
	f = f.At(key)
	in, ok := f.Object(o[key])
	return f, in, ok
}

// Text returns the string at key and whether there is one; null is as absent.
// Its length in characters must lie between low and high.
func (f Form) Text(o map[string]any, key string, low, high int) (string, bool) {
	s, ok := o[key].(string)
	if ok {
		f.At(key).Length(utf8.RuneCountInString(s), low, high)
	} else if o[key] != nil {
		f.At(key).Fail("STRING_TYPE_CONVERT", "Could not interpret %q as string.", fmt.Sprint(o[key]))
	}
	return s, ok
}

// has reports whether there is a field that must be there, and notes it where there is none.
func (f Form) has(o map[string]any, key string) bool {
	if o[key] == nil {
		f.At(key).Missing()
	}
	return o[key] != nil
}

// Need is text for a field that must be there.
func (f Form) Need(o map[string]any, key string, low, high int) string {
	f.has(o, key)
	s, _ := f.Text(o, key, low, high)
	return s
}

// Length notes an error when n is not between low and high.
func (f Form) Length(n, low, high int) bool {
	switch {
	case n >= low && n <= high:
		return true
	case low == 0:
		f.Fail("BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", high)
	default:
		f.Fail("BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", low, high)
	}
	return false
}

// Integer returns the whole number at key and whether there is one; null is as
// absent. It must lie between low and high.
func (f Form) Integer(o map[string]any, key string, low, high int64) (int64, bool) {
	if o[key] == nil {
		return 0, false
	}
	switch n, ok := wholeNumber(o[key]); {
	case !ok:
		f.At(key).Fail("NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(o[key]))
	case n < low:
		f.At(key).Fail("NUMBER_TYPE_MIN", "int value should be greater than or equal to %d.", low)
	case n > high:
		f.At(key).Fail("NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", high)
	default:
		o[key] = jsonInt(n) // 3.0 is kept as 3
		return n, true
	}
	return 0, false
}

// Boolean returns the truth value at key and whether there is one; null is as absent.
func (f Form) Boolean(o map[string]any, key string) (value, ok bool) {
	if value, ok = o[key].(bool); !ok && o[key] != nil {
		f.At(key).Fail("BOOLEAN_TYPE_CHOICES", "Must be either true or false.")
	}
	return value, ok
}

// List returns the array at key and whether there is one; null is as absent.
func (f Form) List(o map[string]any, key string, low, high int) ([]any, bool) {
	l, ok := o[key].([]any)
	if !ok && o[key] != nil {
		f.At(key).Fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
	}
	return l, ok && f.At(key).Length(len(l), low, high)
}

// NeedList is List for a field that must be there.
func (f Form) NeedList(o map[string]any, key string, low, high int) ([]any, bool) {
	f.has(o, key)
	return f.List(o, key, low, high)
}

// Each are the objects of a list that is here, each with its form. Anything else in it is noted.
func (f Form) Each(list []any) iter.Seq2[Form, map[string]any] {
	return func(yield func(Form, map[string]any) bool) {
		for i, v := range list {
			g := f.At(i)
			if o, ok := g.Object(v); ok && !yield(g, o) {
				return
			}
		}
	}
}

// NeedChoice is Choice for a field that must be there.
func (f Form) NeedChoice(o map[string]any, key string, allowed ...int64) int64 {
	f.has(o, key)
	n, _ := f.Choice(o, key, allowed...)
	return n
}

// Choice returns the number at key, which must be one of allowed, and whether there is one;
// null is as absent.
func (f Form) Choice(o map[string]any, key string, allowed ...int64) (int64, bool) {
	if o[key] == nil {
		return 0, false
	}
	if n, ok := wholeNumber(o[key]); ok && slices.Contains(allowed, n) {
		o[key] = jsonInt(n)
		return n, true
	}
	f.At(key).Fail("BASE_TYPE_CHOICES", "Value must be one of {%s}.", joinInts(allowed))
	return 0, false
}

// Snowflake notes an error unless v is an identifier.
func (f Form) Snowflake(v any) (string, bool) {
	s, ok := v.(string)
	if n, isNumber := v.(json.Number); isNumber {
		s, ok = n.String(), true
	}
	if !ok || !IsSnowflake(s) {
		f.Fail("NUMBER_TYPE_COERCE", "Value %q is not snowflake.", fmt.Sprint(v))
		return "", false
	}
	return s, true
}

// NeedSnowflake is Snowflake for a field that must be there.
func (f Form) NeedSnowflake(o map[string]any, key string) (string, bool) {
	if !f.has(o, key) {
		return "", false
	}
	return f.At(key).Snowflake(o[key])
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

// DecodeJSON decodes exactly one JSON value, numbers kept as they are written.
func DecodeJSON(b []byte) (any, error) {
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

// Encode encodes an object of our own.
func Encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("sandbox: " + err.Error()) // those always encode
	}
	return b
}

// AsMap encodes an object of ours to the generic form of JSON.
func AsMap(v any) map[string]any {
	b, _ := json.Marshal(v) // what is no JSON is nothing below
	generic, _ := DecodeJSON(b)
	out, _ := generic.(map[string]any)
	return out
}

// EachObject calls f for every object in the value.
func EachObject(v any, f func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		f(v)
		for _, below := range v {
			EachObject(below, f)
		}
	case []any:
		for _, below := range v {
			EachObject(below, f)
		}
	}
}

// Permissions reads a number of permission bits, which is text or a number; null has none.
func (f Form) Permissions(o map[string]any, key string) int64 {
	if o[key] == nil {
		return 0
	}
	text := fmt.Sprint(o[key])
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		f.At(key).Fail("NUMBER_TYPE_COERCE", `Value "%s" is not int.`, text)
	}
	return int64(n)
}

// Until reads a time that is at most longest after now; null is the zero time.
func (f Form) Until(v any, key string, now time.Time, longest time.Duration) time.Time {
	if v == nil {
		return time.Time{}
	}
	text, _ := v.(string)
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		f.At(key).Fail("DATETIME_PARSE_ERROR", "Could not parse %s. Should be ISO8601.", text)
	case at.Sub(now) > longest:
		f.At(key).Fail("BASE_TYPE_BAD_TIME", "The time is too far away.")
	}
	return at
}
