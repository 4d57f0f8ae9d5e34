package rest

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxMessage  = 200  // bytes kept of an error's message
	maxDetails  = 1000 // bytes kept of its nested errors
	maxRetry    = 24 * time.Hour
	noRetrySaid = 5 * time.Second // a 429 that does not say when: a page of the proxy in front
)

// apiError reads Discord's error body: specified under "Error Messages" and
// "Rate Limits" in its documentation. A body that is not JSON is no news.
func (a attempt) apiError(r request, botToken string) *Error {
	e := &Error{Status: a.status, Route: r.String(), botToken: r.botToken}
	var body struct {
		Code       int             `json:"code"`
		Message    string          `json:"message"`
		Errors     json.RawMessage `json:"errors"`
		RetryAfter float64         `json:"retry_after"`
		Global     bool            `json:"global"`
	}
	err := json.Unmarshal(a.body, &body)
	e.global = body.Global || !json.Valid(a.body)
	if err == nil {
		e.Code = body.Code
		secrets := r.secrets(botToken)
		e.Message = shorten(hide(body.Message, secrets), maxMessage)
		e.Details = shorten(hide(details(body.Errors), secrets), maxDetails)
	}
	if a.status != http.StatusTooManyRequests {
		return e
	}
	e.shared = a.header.Get("X-RateLimit-Scope") == "shared"
	header, _ := strconv.ParseFloat(a.header.Get("Retry-After"), 64) // 0 if absent or a date
	e.RetryAfter = cmp.Or(seconds(body.RetryAfter), seconds(header), noRetrySaid)
	return e
}

// seconds turns Discord's decimal seconds into a duration, rounded up to a
// millisecond so that the wait is never a hair too short.
func seconds(s float64) time.Duration {
	switch {
	case math.IsNaN(s) || s <= 0:
		return 0
	case s > maxRetry.Seconds():
		return maxRetry
	}
	return time.Duration(math.Ceil(s*1000)) * time.Millisecond
}

// details flattens the nested errors of code 50035.
func details(raw json.RawMessage) string {
	var found []string
	flatten(raw, "", &found, 0)
	return strings.Join(found, "; ")
}

func flatten(raw json.RawMessage, path string, found *[]string, depth int) {
	var node map[string]json.RawMessage
	if depth > 20 || len(*found) > 20 || json.Unmarshal(raw, &node) != nil {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(node)) {
		if k != "_errors" {
			flatten(node[k], strings.TrimPrefix(path+"."+k, "."), found, depth+1)
			continue
		}
		var list []struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		}
		if json.Unmarshal(node[k], &list) != nil {
			continue
		}
		for _, e := range list {
			*found = append(*found, strings.TrimPrefix(path+": ", ": ")+e.Code+" "+e.Message)
		}
	}
}

// shorten cuts s to at most n bytes, between characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// countInvalid counts what Discord holds against the address.
func (c *Client) countInvalid(e *Error) {
	refused := e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
	if refused || e.Status == http.StatusTooManyRequests && !e.shared {
		c.invalid.note(1)
	}
}
