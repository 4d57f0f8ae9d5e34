package service

import (
	"context"
	"errors"
	"sync"
	"time"
)

// The reasons why a service is not healthy, in words for its operator.
var (
	ErrNotConnected = errors.New("not connected to Discord")
	ErrStopping     = errors.New("stopping")
	ErrNotWritable  = errors.New("the database cannot be written")
)

const (
	// healthShared is for how long the result of a check is everybody's: each check
	// flushes a write to the disk.
	healthShared = time.Second
	// healthTime bounds a check.
	healthTime = 2 * time.Second
)

// Health reports why the service cannot play now: ErrStopping, from the moment that it
// was told to end, ErrNotConnected or ErrNotWritable.
// It answers within some seconds. The store is written at most once a second for it,
// however often it is asked.
func (s *Service) Health(ctx context.Context) error {
	if s.leaving.Load() {
		return ErrStopping
	}
	if !s.Ready() {
		return ErrNotConnected
	}
	if s.health.ask(ctx) != nil {
		return ErrNotWritable
	}
	return nil
}

// storeHealth shares the results of a check. The zero value with a check is ready.
type storeHealth struct {
	check func(context.Context) error

	mu   sync.Mutex
	last *checkup
}

// checkup is one check, under way or done.
type checkup struct {
	until time.Time     // while it is everybody's; guarded by storeHealth.mu, zero while it is under way
	done  chan struct{} // closed when err is set
	err   error
}

// ask returns what a check says that ended within the last second, else a new one.
// Who comes while a check is under way waits for that. A check is not the one's alone
// who began it: it goes on when their context ends.
func (h *storeHealth) ask(ctx context.Context) error {
	c := h.latest(ctx)
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// latest returns the check that is under way or was just done, or begins one.
func (h *storeHealth) latest(ctx context.Context) *checkup {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.last; c != nil && (c.until.IsZero() || time.Now().Before(c.until)) {
		return c
	}
	c := &checkup{done: make(chan struct{})}
	h.last = c
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), healthTime)
		defer cancel()
		c.err = h.check(ctx)
		close(c.done)
		h.mu.Lock()
		defer h.mu.Unlock()
		c.until = time.Now().Add(healthShared)
	}()
	return c
}
