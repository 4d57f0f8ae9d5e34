package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"tictactoe/bot/internal/tasks"
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
	route  string   // template; each {name} stands for the next of ids, {application} for the client's
	ids    []string // what fills the template; the first is the top-level resource that owns the rate limit
	query  string   // "" or "?name=value"
	repeat bool     // a try of unknown outcome may be repeated
	// isFirstAnswer marks the first answer to an interaction. It is sent even when the budget
	// of refused requests is spent: somebody waits for it, and it adds nothing to them.
	isFirstAnswer bool
	botToken      bool // carries the bot token
	once          bool // is not repeated at all

	path        string // the template filled, with the query
	token       string // that stands in it, of an interaction; empty without one
	body        []byte // nil for none
	contentType string // of a body that is not JSON
}

func (r request) String() string { return r.method + " " + r.route }

// fill fills the template. Ids come from outside: each becomes one path segment.
func (c *Client) fill(r *request) error {
	var b strings.Builder
	next := 0
	for seg := range strings.SplitSeq(r.route[1:], "/") {
		b.WriteByte('/')
		if !strings.HasPrefix(seg, "{") {
			b.WriteString(seg)
			continue
		}
		var id string
		if seg == ownApplication {
			own := c.appID.Load()
			if own == nil {
				return ErrNoApplication
			}
			id = *own
		} else {
			id = r.ids[next]
			next++
		}
		if seg == "{token}" {
			r.token = id
		}
		if id == "" || id == "." || id == ".." {
			return fmt.Errorf("%s: %s: %w", r, seg, ErrBadArgument)
		}
		b.WriteString(url.PathEscape(id))
	}
	b.WriteString(r.query)
	r.path = b.String()
	return nil
}

// ownApplication is the part of a route that the client knows.
const ownApplication = "{application}"

// attempt is what became of one try.
type attempt struct {
	status  int
	header  http.Header
	body    []byte
	refusal *Error // what an answer says that is no success
	err     error  // no usable answer, though there may be a status
	reached bool   // the request may have reached Discord
	took    time.Duration
}

func (a attempt) ok() bool { return a.err == nil && a.applied() }

// applied reports whether Discord has done what was asked, whether or not the rest of
// its answer could be read.
func (a attempt) applied() bool { return a.status >= 200 && a.status < 300 }

// unknown reports whether Discord may have done what was asked without our knowing.
func (a attempt) unknown() bool { return a.err != nil && a.reached || a.status >= 500 }

// try makes the nth try, the first of which is number 0, in a form that Discord takes as far as
// that is known. A form that it turns out not to take is no try. A first try that may be repeated
// gets a part of the remaining time: a connection that hangs must leave some for another one.
func (c *Client) try(ctx context.Context, by http.RoundTripper, r request, n int) attempt {
	if deadline, ok := ctx.Deadline(); ok && n == 0 && r.repeat {
		if left := time.Until(deadline); left >= 10*usefulRest {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, time.Duration(float64(left)*firstTryPart))
			defer cancel()
		}
	}
	if c.opts.Quirks == nil || r.body == nil || r.contentType != "" {
		return c.sendOnce(ctx, by, r, n)
	}
	body := r.body
	r.body = c.opts.Quirks.Fit(body)
	a := c.sendOnce(ctx, by, r, n)
	if a.err == nil && a.status == http.StatusBadRequest && c.opts.Quirks.Refused(r.body, a.body) {
		r.body = c.opts.Quirks.Fit(body)
		a = c.sendOnce(ctx, by, r, n)
	}
	if a.ok() {
		c.opts.Quirks.Answered(body, a.body)
	}
	return a
}

// sendOnce sends r as it is.
func (c *Client) sendOnce(ctx context.Context, by http.RoundTripper, r request, n int) attempt {
	start := time.Now()
	a := c.roundTrip(ctx, by, r)
	a.took = time.Since(start)
	if c.opts.Observer != nil {
		c.opts.Observer.Requested(r.String(), a.status, a.took)
	}
	code := 0
	if a.status != 0 {
		c.reach.answered(a.status)
		if !a.applied() {
			a.refusal = a.apiError(r, c.token())
			code = a.refusal.Code
			c.countInvalid(a.refusal)
		}
	}
	if c.opts.Logger.Enabled(ctx, slog.LevelDebug) {
		c.opts.Logger.LogAttrs(ctx, slog.LevelDebug, "discord request",
			slog.String("route", r.String()), slog.Int("status", a.status), slog.Int("code", code),
			slog.Duration("took", a.took), slog.Int("repeat", n))
	}
	return a
}

func (c *Client) roundTrip(ctx context.Context, by http.RoundTripper, r request) (a attempt) {
	if r.repeat && r.method != http.MethodDelete {
		a.reached = true // as far as it matters
	} else {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { a.reached = true }})
	}
	var reader io.Reader
	if r.body != nil {
		reader = bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, reader)
	if err != nil {
		a.err = &connError{op: r.String(), err: ErrBadArgument}
		return a
	}
	req.Header["User-Agent"] = c.agent
	if r.body != nil {
		req.Header["Content-Type"] = []string{cmp.Or(r.contentType, "application/json")}
	}
	if r.botToken {
		req.Header["Authorization"] = c.auth
	}
	// Not by an http.Client: there are no cookies, and redirects are not followed, since
	// one would carry a token to a place that nobody chose.
	sent := time.Since(c.dates.began)
	resp, err := by.RoundTrip(req)
	if err == nil {
		c.dates.note(sent, time.Since(c.dates.began), resp.Header)
		a.status, a.header = resp.StatusCode, resp.Header
		a.body, err = read(resp)
		_ = resp.Body.Close() // read to its end, or given up
	}
	if err != nil {
		a.err = &connError{op: r.String(), err: err, secrets: r.secrets(c.token())}
	}
	return a
}

// read returns the body of an answer, or ErrTooLarge.
func read(resp *http.Response) ([]byte, error) {
	if resp.ContentLength == 0 {
		return nil, nil
	}
	var b bytes.Buffer
	b.Grow(int(min(max(resp.ContentLength, 0)+bytes.MinRead, 8<<10)))
	n, err := b.ReadFrom(io.LimitReader(resp.Body, maxBody+1))
	if n > maxBody {
		return nil, ErrTooLarge
	}
	return b.Bytes(), err
}

// answer sends an interaction answer: at once, repeated only while it can help.
func (c *Client) answer(ctx context.Context, r request, body, out any) error {
	return c.call(ctx, r, body, out, c.opts.AnswerTimeout, c.atOnce)
}

// atOnce makes one try of an answer.
func (c *Client) atOnce(ctx context.Context, r request, n int) (attempt, error) {
	if n > 0 {
		return c.try(ctx, c.fresh, r, n), nil
	}
	if err := c.invalid.allow(true); err != nil && !r.isFirstAnswer {
		return attempt{}, c.refuse(r, 0, err)
	}
	return c.try(ctx, c.answers, r, n), nil
}

// nthTry makes a try, the first of which is number 0. An error means that it was not made.
type nthTry func(ctx context.Context, r request, n int) (attempt, error)

// call makes tries until one succeeds or another one cannot help, and fills out from
// the answer. Where the context has no deadline it takes at most the time given.
func (c *Client) call(ctx context.Context, r request, body, out any, most time.Duration, try nthTry) (err error) {
	if r.body, r.contentType, err = encode(body); err != nil {
		return err
	}
	if err = c.fill(&r); err != nil {
		return err
	}
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, most)
		defer cancel()
	}
	var (
		began     = time.Now()
		spent     time.Duration
		uncertain bool // whether an earlier try was applied
		last      attempt
	)
	giveUp := func(err error) error {
		if silent(ctx, last, spent) {
			c.reach.failed(began)
		}
		return err
	}
	for n := 0; ; n++ {
		a, err := try(ctx, r, n)
		if err != nil {
			return giveUp(err)
		}
		last = a
		spent += a.took
		if a.ok() || r.isFirstAnswer && a.applied() {
			return decode(r, a, out)
		}
		failure := c.failure(a, uncertain)
		if uncertain && r.method == http.MethodDelete && errors.Is(failure, ErrUnknownMessage) {
			return nil // the earlier try deleted it
		}
		pause, again := retry(r, a, n)
		if !again || !fits(ctx, pause) {
			return giveUp(failure)
		}
		uncertain = uncertain || a.unknown()
		if a.status == http.StatusTooManyRequests && r.botToken {
			continue // the limiter knows how long
		}
		if tasks.Sleep(ctx, pause) != nil {
			return giveUp(failure)
		}
	}
}

// failure makes the error of a try that was no success, and tells who must know. unsure says
// whether an earlier one of the same call may have been taken.
func (c *Client) failure(a attempt, unsure bool) error {
	if a.err != nil {
		return a.err
	}
	e := a.refusal
	e.unsure = unsure
	if errors.Is(e, ErrUnauthorized) && c.opts.OnUnauthorized != nil {
		c.unauthorized.Do(func() { go c.opts.OnUnauthorized(e) })
	}
	return e
}

// retry decides whether a failed try is worth repeating, and after what pause.
func retry(r request, a attempt, n int) (time.Duration, bool) {
	if n+1 >= maxTries || r.once {
		return 0, false
	}
	pause := firstPause << n
	pause = pause/2 + rand.N(pause) //nolint:gosec // jitter
	switch {
	case a.err != nil:
		if errors.Is(a.err, ErrTooLarge) || errors.Is(a.err, ErrBadArgument) {
			return 0, false
		}
		return pause, r.repeat || !a.reached
	case a.status == http.StatusTooManyRequests:
		return a.refusal.RetryAfter, true
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

// encode returns body as JSON, unless it is an upload; nil stays nil, and what is JSON already
// is not looked at again.
func encode(body any) (raw []byte, contentType string, err error) {
	switch b := body.(type) {
	case nil:
		return nil, "", nil
	case json.RawMessage:
		return b, "", nil
	case Upload:
		raw, contentType = b.encode()
		return raw, contentType, nil
	case Callback:
		raw, err = b.JSON()
	default:
		raw, err = json.Marshal(body)
	}
	if err != nil {
		return nil, "", fmt.Errorf("encode body: %w", err)
	}
	return raw, "", nil
}

// decode fills out from a success. Discord may answer with nothing at all; a first
// answer that was applied is one whatever else is said about it.
func decode(r request, a attempt, out any) error {
	if out == nil || len(a.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(a.body, out); err != nil && !r.isFirstAnswer {
		return fmt.Errorf("%s: decode answer: %w", r, err)
	}
	return nil
}

// enforcesNonce reports whether Discord will recognise a repetition of body.
func enforcesNonce(body []byte) bool {
	var f struct {
		Nonce   json.RawMessage `json:"nonce"`
		Enforce bool            `json:"enforce_nonce"`
	}
	return json.Unmarshal(body, &f) == nil && f.Enforce && len(f.Nonce) > 2
}
