package sandbox

import (
	"context"
	"fmt"
	"time"

	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/timefactor"
)

// waitTime bounds, in real time, how long a test waits for anything. On a slow machine
// TEST_TIME_FACTOR stretches it.
const waitTime = 20 * time.Second

func waitLimit() time.Duration { return timefactor.Limit(waitTime) }

// WaitFor waits until cond holds and fails the test, naming what, when it did
// not within 20 s of real time. cond is tried again after every change in the
// server and must not call WaitFor.
func (w *World) WaitFor(tb TB, what string, cond func() bool) {
	tb.Helper()
	if !w.await(waitLimit(), cond) {
		tb.Fatalf("sandbox: waited in vain for %s", what)
	}
}

// await reports whether cond came to hold within limit of real time.
func (w *World) await(limit time.Duration, cond func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return w.Until(ctx, cond) == nil
}

// Until waits until cond holds. It returns the context's error when that ends
// before, and ErrClosed when the server closes. cond is tried again after every
// change in the server.
func (w *World) Until(ctx context.Context, cond func() bool) error {
	for {
		w.mu.Lock()
		changed := w.changed
		w.mu.Unlock()
		if cond() {
			return nil
		}
		var err error
		select {
		case <-changed:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		case <-w.stopped:
			err = ErrClosed
		}
		if cond() {
			return nil
		}
		return err
	}
}

// Answer waits until the interaction is answered or has failed. The error is the
// context's, or ErrClosed. It is Wait for programs without a test.
func (c *Call) Answer(ctx context.Context) (*Reply, error) {
	err := c.world.Until(ctx, func() bool { return c.done() })
	if err != nil {
		return nil, fmt.Errorf("sandbox: %s: %w", c, err)
	}
	return c.Reply(), nil
}

func (c *Call) done() bool {
	s := c.Reply().State
	return s == CallAnswered || s == CallFailed
}

// Settled waits until the bot has done what it was asked: no interaction waits for
// its first answer or still says that the bot is thinking, and for a moment of real
// time no request has come and nothing has been told to it. What a bot does on a timer of its own is not waited for.
func (w *World) Settled(ctx context.Context) error {
	for {
		w.mu.Lock()
		changed, rest := w.changed, w.unsettledLocked()
		w.mu.Unlock()
		if rest == 0 {
			return nil
		}
		var over <-chan time.Time
		if rest > 0 {
			t := time.NewTimer(rest)
			defer t.Stop()
			over = t.C
		}
		select {
		case <-changed:
		case <-over:
		case <-ctx.Done():
			return ctx.Err()
		case <-w.stopped:
			return ErrClosed
		}
	}
}

// Settle is Settled for a test, which fails after 20 s of real time.
func (w *World) Settle(tb TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit())
	defer cancel()
	if err := w.Settled(ctx); err != nil {
		tb.Fatalf("sandbox: the bot did not come to rest: %v", err)
	}
}

// unsettledLocked is how much more quiet the bot needs to be settled, negative when
// it first has to do something.
func (w *World) unsettledLocked() time.Duration {
	if w.active > 0 {
		return -1
	}
	for _, c := range w.calls {
		thinking := c.deferred && c.original != nil && !c.original.deleted && c.original.flags&rules.FlagLoading != 0 &&
			w.clock.Now().Sub(c.dispatched) < w.opt.TokenLife
		if c.state == CallPending || thinking {
			return -1
		}
	}
	return max(0, w.opt.Quiet-time.Since(w.activeAt))
}

// activity notes that a request begins or ends.
func (w *World) activity(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active += n
	w.activeAt = time.Now()
	w.notifyLocked()
}
