package rest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"tictactoe/bot/internal/tasks"
)

const (
	// fairTime is how long Discord had at least to answer a call that ended for want of
	// time and is held against it. An interaction may leave less.
	fairTime = time.Second
	// The pauses before a probe, and how long it may take.
	firstProbe = 2 * time.Second // doubles
	lastProbe  = 15 * time.Second
	probeTime  = 5 * time.Second
)

// reach knows whether Discord's API answers.
type reach struct {
	probe func(context.Context)
	life  context.Context // of the client
	end   context.CancelFunc

	mu    sync.Mutex
	heard time.Time          // when the last answer came that counts
	found context.CancelFunc // ends the probes; nil if it is not away
}

// Reachable reports whether Discord's API answers, as far as calls have told: true
// until one shows the opposite. A call shows it when each of its tries ended without
// an answer or with a status of 500 or above, and no other call was answered since it
// began. Any other status is an answer, also one that refuses: what people do must
// not look like an outage. A call shows nothing if none of its tries was sent, as the
// limits held it back, if its caller cancelled it, or if its time was up before Discord
// had a second to answer.
//
// The next answer to any call makes it true again. While it is false the client asks
// for one itself, with a small request after two seconds and then after ever longer
// pauses of at most fifteen. Safe for concurrent use.
func (c *Client) Reachable() bool {
	c.reach.mu.Lock()
	defer c.reach.mu.Unlock()
	return c.reach.found == nil
}

// answered notes an answer with its status.
func (r *reach) answered(status int) {
	if status >= http.StatusInternalServerError {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = time.Now()
	if r.found != nil {
		r.found()
		r.found = nil
	}
}

// failed notes that no try of a call that began then was answered.
func (r *reach) failed(began time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.found != nil || r.heard.After(began) {
		return
	}
	var away context.Context
	away, r.found = context.WithCancel(r.life)
	go func() {
		for pause := firstProbe; tasks.Sleep(away, pause) == nil; pause = min(2*pause, lastProbe) {
			r.probe(r.life) // an answer ends it all
		}
	}()
}

// ask is the request that a probe makes: the bot's own user, which needs what most
// calls need of Discord.
func (c *Client) ask(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	_ = c.botRoute(ctx, request{method: http.MethodGet, route: "/users/@me", once: true}, nil, nil) // tells reach itself
}

// silent reports whether a call shows that Discord does not answer. last is its last
// try, the zero value where none was sent, which shows nothing: the client's own limits
// hold calls back. spent is the time that Discord had for all of them.
func silent(ctx context.Context, last attempt, spent time.Duration) bool {
	switch {
	case last.status != 0:
		return last.status >= http.StatusInternalServerError
	case last.err == nil, errors.Is(last.err, ErrBadArgument), errors.Is(ctx.Err(), context.Canceled):
		return false
	case errors.Is(last.err, context.DeadlineExceeded):
		return spent >= fairTime
	}
	return true
}
