package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"tictactoe/bot/internal/tasks"
)

// botRoute calls a route that carries the bot token: it waits its turn, within the
// context or else for half a minute, and is repeated where that is safe.
func (c *Client) botRoute(ctx context.Context, r request, body, out any) error {
	r.botToken = true
	return c.call(ctx, r, body, out, 30*time.Second, c.inTurn)
}

// noticed is from when on a wait is one: to look at the limits takes less.
const noticed = time.Millisecond

// inTurn makes one try when the limits allow it.
func (c *Client) inTurn(ctx context.Context, r request, n int) (attempt, error) {
	began := time.Now()
	if err := c.invalid.allow(false); err != nil {
		return attempt{}, c.refuse(r, 0, err)
	}
	if pause := c.invalid.pause(); pause > 0 {
		if !fits(ctx, pause) {
			return attempt{}, c.refuse(r, pause, errInvalidBudget)
		}
		if err := tasks.Sleep(ctx, pause); err != nil {
			return attempt{}, &connError{op: r.String(), err: err}
		}
	}
	resource := ""
	if len(r.ids) > 0 {
		resource = r.ids[0]
	}
	turn, wait, err := c.limits.acquire(ctx, r.String(), resource)
	if waited := time.Since(began); c.opts.Observer != nil && (waited >= noticed || err != nil) {
		c.opts.Observer.Waited(r.String(), waited)
	}
	switch {
	case errors.Is(err, errQueueFull), errors.Is(err, errTooLong):
		return attempt{}, c.refuse(r, wait, err)
	case err != nil:
		return attempt{}, &connError{op: r.String(), err: err}
	}
	a := c.try(ctx, c.routes, r, n)
	c.limits.release(turn, r.String(), resource, a.verdict())
	return a, nil
}

func (c *Client) refuse(r request, wait time.Duration, why error) error {
	return &Error{Route: r.String(), Message: why.Error(), RetryAfter: wait}
}

// verdict reads the rate limit headers. The global 429 that the documentation
// shows carries no Reset-After; a 429 without JSON comes from the proxy in front
// of Discord and shuts out the whole address.
func (a attempt) verdict() *verdict {
	if a.status == 0 {
		return nil
	}
	v := &verdict{bucket: a.header.Get("X-RateLimit-Bucket")}
	v.limit, _ = strconv.Atoi(a.header.Get("X-RateLimit-Limit"))
	remaining, err := strconv.Atoi(a.header.Get("X-RateLimit-Remaining"))
	after, _ := strconv.ParseFloat(a.header.Get("X-RateLimit-Reset-After"), 64)
	if err == nil && after > 0 {
		// It is said in milliseconds, which may have been rounded down: on a near line the
		// next request would come before the window is over.
		v.remaining, v.reset = max(remaining, 0), seconds(after)+time.Millisecond
	}
	if a.status == http.StatusTooManyRequests {
		v.blocked = a.refusal.RetryAfter
		v.global = a.refusal.global || a.header.Get("X-RateLimit-Global") == "true" || a.header.Get("X-RateLimit-Scope") == "global"
	}
	return v
}
