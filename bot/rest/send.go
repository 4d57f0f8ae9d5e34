package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"
)

const (
	// maxBody is what the client reads of an answer. The largest legitimate one is
	// a full list of localized commands.
	maxBody = 4 << 20

	maxTries     = 4
	firstPause   = 50 * time.Millisecond // before the second try; doubles
	usefulRest   = 50 * time.Millisecond // no try is worth starting with less time left
	firstTryPart = 0.6                   // of the time left goes to a first try that may be repeated
)

// request is one API call, named by its route template.
type request struct {
	method string
	route  string   // template; each {name} stands for the next of ids
	ids    []string // what fills the template
	query  string   // "" or "?name=value"
	major  int      // index in ids of the top-level resource that owns the rate limit
	repeat bool     // a try of unknown outcome may be repeated
	// first marks the first answer to an interaction. A try of it is never cut short,
	// since it may only be slow: see hedge. It is sent even when the budget of refused
	// requests is spent: somebody waits for it, and it adds nothing to them.
	first bool
}

func (r request) String() string { return r.method + " " + r.route }

// path fills the template. Ids come from outside: each becomes one path segment.
func (r request) path() (string, error) {
	var b strings.Builder
	next := 0
	for _, seg := range strings.Split(r.route[1:], "/") {
		b.WriteByte('/')
		if !strings.HasPrefix(seg, "{") {
			b.WriteString(seg)
			continue
		}
		id := r.ids[next]
		next++
		if id == "" || id == "." || id == ".." {
			return "", fmt.Errorf("%s: %s: %w", r, seg, ErrBadArgument)
		}
		b.WriteString(url.PathEscape(id))
	}
	b.WriteString(r.query)
	return b.String(), nil
}

// attempt is what became of one try.
type attempt struct {
	status  int
	header  http.Header
	body    []byte
	err     error // no usable answer, though there may be a status
	reached bool  // the request may have reached Discord

	botToken string // no error may quote it
}

func (a attempt) ok() bool { return a.err == nil && a.taken() }

// taken reports whether Discord has done what was asked, whether or not the rest of
// its answer could be read.
func (a attempt) taken() bool { return a.status >= 200 && a.status < 300 }

// unknown reports whether Discord may have done what was asked without our knowing.
func (a attempt) unknown() bool { return a.err != nil && a.reached || a.status >= 500 }

// try sends r once.
func (c *Client) try(ctx context.Context, by *http.Client, r request, path string, body []byte, repeat int) attempt {
	start := time.Now()
	a := c.roundTrip(ctx, by, r, path, body)
	c.stats.requests.Add(1)
	if repeat > 0 {
		c.stats.repeats.Add(1)
	}
	code := 0
	switch {
	case a.err != nil:
		c.stats.failures.Add(1)
	case a.status >= 500:
		c.stats.serverErrors.Add(1)
	case a.status >= 400:
		e := a.apiError(r, by == c.routes)
		code = e.Code
		c.count(e)
	}
	d := time.Since(start)
	if c.observe != nil {
		c.observe(Try{Route: r.String(), Status: a.status, Code: code, Duration: d, Repeat: repeat})
	}
	c.log.LogAttrs(ctx, logDebug, "discord request", attrs(r, a.status, code, d, repeat)...)
	return a
}

func (c *Client) roundTrip(ctx context.Context, by *http.Client, r request, path string, body []byte) (a attempt) {
	a.botToken = c.token()
	trace := httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { a.reached = true }}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, &trace), r.method, c.base+path, reader)
	if err != nil {
		a.err = &connError{op: r.String(), err: ErrBadArgument}
		return a
	}
	req.Header.Set("User-Agent", c.agent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if by == c.routes {
		req.Header.Set("Authorization", c.auth)
	}
	resp, err := by.Do(req)
	if err != nil {
		a.err = &connError{op: r.String(), err: cause(err), secrets: r.secrets(a.botToken)}
		return a
	}
	c.dates.note(time.Now(), resp.Header)
	defer func() { _ = resp.Body.Close() }() // read to its end below, or given up
	a.body, err = io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	a.status, a.header = resp.StatusCode, resp.Header
	switch {
	case err != nil:
		a.err = &connError{op: r.String(), err: err, secrets: r.secrets(a.botToken)}
	case len(a.body) > maxBody:
		a.err = &connError{op: r.String(), err: ErrTooLarge}
	}
	return a
}

// cause takes the error out of net/http's wrapping, which quotes the URL.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// answer sends an interaction answer: at once, repeated only while it can help.
func (c *Client) answer(ctx context.Context, r request, body, out any) error {
	raw, err := encode(body)
	if err != nil {
		return err
	}
	path, err := r.path()
	if err != nil {
		return err
	}
	ctx, cancel := withDefaultTimeout(ctx, c.answerTimeout)
	defer cancel()
	if err := c.invalid.allow(true); err != nil && !r.first {
		c.stats.refused.Add(1)
		return &Error{Route: r.String(), Message: err.Error()}
	}
	send := func(ctx context.Context, by *http.Client, n int) attempt { return c.try(ctx, by, r, path, raw, n) }
	uncertain := false
	hedge := newHedge(ctx, r)
	for n := 0; ; n++ {
		var a attempt
		if r.first {
			a = c.hedged(ctx, hedge, n, send)
		} else {
			a = c.firstShare(ctx, r, n, func(ctx context.Context) attempt { return send(ctx, c.answers, n) })
		}
		if a.ok() || r.first && a.taken() {
			return decode(r, a, out)
		}
		failure := c.failure(r, a, false)
		if uncertain && r.method == http.MethodDelete && errors.Is(failure, ErrUnknownMessage) {
			return nil // the earlier try deleted it
		}
		pause, again := retry(r, a, failure, n)
		if !again || !fits(ctx, pause) {
			return failure
		}
		uncertain = uncertain || a.unknown()
		if err := sleep(ctx, pause); err != nil {
			return failure
		}
	}
}

// firstShare runs try with a part of the remaining time if it is the first and
// may be repeated: a connection that hangs must leave time for another one.
func (c *Client) firstShare(ctx context.Context, r request, n int, try func(context.Context) attempt) attempt {
	deadline, ok := ctx.Deadline()
	left := time.Until(deadline)
	if !ok || n > 0 || !r.repeat || left < 10*usefulRest {
		return try(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(float64(left)*firstTryPart))
	defer cancel()
	return try(ctx)
}

// failure makes the error of a try that was no success, and tells who must know.
func (c *Client) failure(r request, a attempt, botToken bool) error {
	if a.err != nil {
		return a.err
	}
	e := a.apiError(r, botToken)
	if errors.Is(e, ErrUnauthorized) && c.unauthorized != nil {
		c.unauthorizedMu.Do(func() { go c.unauthorized(e) })
	}
	return e
}

// retry decides whether a failed try is worth repeating, and after what pause.
func retry(r request, a attempt, failure error, n int) (time.Duration, bool) {
	if n+1 >= maxTries {
		return 0, false
	}
	pause := firstPause << n
	pause = pause/2 + rand.N(pause) // jitter
	switch {
	case a.err != nil:
		if errors.Is(a.err, ErrTooLarge) || errors.Is(a.err, ErrBadArgument) {
			return 0, false
		}
		return pause, r.repeat || !a.reached
	case a.status == http.StatusTooManyRequests:
		var e *Error
		if !errors.As(failure, &e) || e.RetryAfter <= 0 {
			return 0, false
		}
		return e.RetryAfter, true
	case a.status >= 500:
		return pause, r.repeat
	}
	return 0, false
}

// fits reports whether a try that starts after pause has time to be of use.
func fits(ctx context.Context, pause time.Duration) bool {
	if ctx.Err() != nil {
		return false
	}
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > pause+usefulRest
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func withDefaultTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d)
}

// encode returns body as JSON; nil stays nil.
func encode(body any) (json.RawMessage, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return b, nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return raw, nil
}

// decode fills out from a success. Discord may answer with nothing at all; a first
// answer that was taken is one whatever else is said about it.
func decode(r request, a attempt, out any) error {
	if out == nil || len(a.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(a.body, out); err != nil && !r.first {
		return fmt.Errorf("%s: decode answer: %w", r, err)
	}
	return nil
}

// enforcesNonce reports whether Discord will recognise a repetition of body.
func enforcesNonce(body json.RawMessage) bool {
	var f struct {
		Nonce   json.RawMessage `json:"nonce"`
		Enforce bool            `json:"enforce_nonce"`
	}
	return json.Unmarshal(body, &f) == nil && f.Enforce && len(f.Nonce) > 2
}
