package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Slow is from when on a request or an answer is worth a line in the log. An
// interaction has 3 s for its answer.
const Slow = 2 * time.Second

// logRequest writes what was refused or slow, and everything at level debug. Tokens
// stay out of it: of a path only what its template names is written.
func (s *API) logRequest(x *Exchange) {
	r := x.record
	attrs := []any{"request", r.Method + " " + x.loggedPath(), "status", r.Status}
	if r.Fault != "" {
		attrs = append(attrs, "fault", r.Fault)
	}
	switch {
	case r.Status == 0:
		s.world.Log().Warn("cut off", attrs...)
	case r.Unserved && r.Route != "": // see unserved
	case r.Status >= http.StatusBadRequest:
		code, reason := reasonOf(r.Response)
		if code != 0 {
			attrs = append(attrs, "code", code)
		}
		s.world.Log().Warn("refused", append(attrs, "reason", reason)...)
	case r.Took < Slow:
		s.world.Log().Debug("served", append(attrs, "took", r.Took)...)
	}
	if r.Took >= Slow {
		s.world.Log().Warn("slow", append(attrs, "took", r.Took.Round(time.Millisecond))...)
	}
}

// loggedPath is the path without the tokens that may be in it.
func (x *Exchange) loggedPath() string {
	segments := strings.Split(x.record.Path, "/")
	names := strings.Split(x.record.Route, "/") // without a route only the empty one before the first slash
	for i, segment := range segments {
		secret := len(segment) > 40 // no id, name or emoji is as long as a token
		if i < len(names) {
			secret = strings.HasSuffix(names[i], "_token}")
		}
		if secret {
			segments[i] = "…"
		}
	}
	return strings.Join(segments, "/")
}

// reasonOf is Discord's code and its words, with the fields they are about.
func reasonOf(body []byte) (code int, reason string) {
	var e struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Errors  map[string]any `json:"errors"`
	}
	if json.Unmarshal(body, &e) != nil {
		return 0, "an answer that is not Discord's"
	}
	return e.Code, strings.Join(append([]string{e.Message}, fieldErrors("", e.Errors)...), "; ")
}

// fieldErrors are the leaves of Discord's nested errors, by path.
func fieldErrors(path string, errors map[string]any) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(errors)) {
		switch e := errors[name].(type) {
		case map[string]any:
			lines = append(lines, fieldErrors(strings.TrimPrefix(path+"."+name, "."), e)...)
		case []any: // "_errors"
			for _, one := range e {
				o, _ := one.(map[string]any)
				lines = append(lines, strings.TrimPrefix(fmt.Sprintf("%s: %v (%v)", path, o["message"], o["code"]), ": "))
			}
		}
	}
	return lines
}
