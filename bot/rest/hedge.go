package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// hedgePart is the part of an answer's time after which a second try joins the first.
// It is nearly all: the first one is seldom lost, and a second one that overtakes it
// makes it a refused request.
const hedgePart = 0.85

// hedge is a second try of a first answer beside one that takes long: on a connection
// of its own, since that of the first may hang. There is at most one for an answer.
type hedge struct {
	at   time.Time // when it begins
	used bool
}

func newHedge(ctx context.Context, r request) *hedge {
	deadline, ok := ctx.Deadline()
	left := time.Until(deadline)
	if !ok || !r.isFirstAnswer || left < 10*usefulRest {
		return &hedge{used: true}
	}
	return &hedge{at: time.Now().Add(time.Duration(float64(left) * hedgePart))}
}

// hedged makes a try, and the hedge beside it when the time for that comes. The first
// success counts and ends the other. Neither outlives the call.
func (c *Client) hedged(ctx context.Context, h *hedge, n int, send func(context.Context, http.RoundTripper, int) attempt) attempt {
	wait := time.Until(h.at)
	if h.used || wait <= 0 {
		return send(ctx, c.answers, n)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	second := make(chan attempt, 1)
	timer := time.AfterFunc(wait, func() {
		a := attempt{err: errPanicked}
		defer func() {
			if p := recover(); p != nil { // nobody above would catch it here
				c.log.Error("panic in a second try", "type", fmt.Sprintf("%T", p))
			}
			second <- a
			if a.applied() {
				cancel()
			}
		}()
		a = send(ctx, c.fresh, n+1)
	})
	defer timer.Stop()
	first := send(ctx, c.answers, n)
	if timer.Stop() {
		return first
	}
	h.used = true
	if !first.mayImprove() {
		cancel()
	}
	other := <-second
	best := first.better(other)
	best.unsure = first.unknown() || other.unknown()
	return best
}

// mayImprove reports whether the hedge may still have a better answer than a. One that was
// refused because of the hedge has.
func (a attempt) mayImprove() bool {
	return !a.applied() && (a.err != nil || a.status >= 500 || a.status == http.StatusTooManyRequests || a.code() == alreadyAcknowledged)
}

// better returns the better one of the answers to two tries of the same: a success,
// else what tells more of what became of them.
func (a attempt) better(hedge attempt) attempt {
	switch {
	case a.ok():
		return a
	case hedge.ok():
		return hedge
	case a.applied():
		return a
	case hedge.applied():
		return hedge
	case a.code() == alreadyAcknowledged:
		return a
	case hedge.code() == alreadyAcknowledged, a.err != nil && hedge.err == nil:
		return hedge
	}
	return a
}

var errPanicked = errors.New("panic in a second try")

// alreadyAcknowledged is the code of ErrAlreadyAcknowledged.
const alreadyAcknowledged = 40060

// code returns Discord's error code, 0 if there is none.
func (a attempt) code() int {
	if a.err != nil || a.applied() {
		return 0
	}
	return a.apiError(request{}).Code
}
