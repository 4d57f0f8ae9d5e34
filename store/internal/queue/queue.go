// Package queue holds what waits to be written by the one goroutine that writes, and
// tells those who wait what became of it.
package queue

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"tictactoe/store"
)

// Max is how many requests may wait. Callers beyond that wait for a place, as long as
// their context lets them.
const Max = 1024

// Queue holds requests in the order in which they came. Any number of goroutines may
// call Do, and one calls Serve.
type Queue[R any] struct {
	places  chan struct{} // holds one token for each waiting request
	wake    chan struct{} // tells that there is something to take
	closing chan struct{}

	mu      sync.Mutex
	waiting []*Entry[R]
	closed  bool

	stopped chan struct{} // closed when Serve has returned
	stopErr error         // set before
}

// Entry is a request that was taken.
type Entry[R any] struct {
	Request R
	done    chan error
}

// Done says what became of the request. Whoever takes an entry calls it once.
func (e *Entry[R]) Done(err error) { e.done <- err }

// New returns an empty queue.
func New[R any]() *Queue[R] {
	return &Queue[R]{places: make(chan struct{}, Max), wake: make(chan struct{}, 1), closing: make(chan struct{}), stopped: make(chan struct{})}
}

// Serve calls write for the requests that wait, up to so many at once, until Close has been
// called and none is left, and then stop.
func (q *Queue[R]) Serve(most int, write func([]*Entry[R]), stop func() error) {
	defer close(q.stopped)
	for {
		batch, last := q.take(most)
		switch {
		case last:
			q.stopErr = stop()
			return
		case len(batch) > 0:
			write(batch)
		default:
			<-q.wake
		}
	}
}

// Do has the request taken and returns what it came to. A context that ends before
// it was taken withdraws it; afterwards the outcome is [store.ErrPending]. After Close
// it returns [store.ErrClosed].
func (q *Queue[R]) Do(ctx context.Context, request R) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer store.Spending(ctx)()
	select {
	case q.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-q.closing:
		return store.ErrClosed
	}
	e := &Entry[R]{Request: request, done: make(chan error, 1)}
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		<-q.places
		return store.ErrClosed
	}
	q.waiting = append(q.waiting, e)
	q.mu.Unlock()
	q.nudge()

	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
	}
	if q.withdraw(e) {
		return ctx.Err()
	}
	select {
	case err := <-e.done: // in the same instant
		return err
	default:
		return fmt.Errorf("%w: %w", store.ErrPending, ctx.Err())
	}
}

// nudge wakes who takes; it never blocks.
func (q *Queue[R]) nudge() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// withdraw removes a waiting request and reports whether it was still waiting.
func (q *Queue[R]) withdraw(e *Entry[R]) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, e)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	<-q.places
	return true
}

// take returns the requests that wait, up to a limit, and whether the queue is closed and
// empty.
func (q *Queue[R]) take(limit int) (batch []*Entry[R], last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.waiting), limit)
	batch = slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	for range batch {
		<-q.places
	}
	return batch, q.closed && n == 0
}

// Len returns how many requests wait.
func (q *Queue[R]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

// Closed reports whether Close has been called.
func (q *Queue[R]) Closed() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// Close lets no more requests in, and returns what stop has returned once Serve has written
// those that wait. The second time it returns [store.ErrClosed].
func (q *Queue[R]) Close() error {
	q.mu.Lock()
	again := q.closed
	q.closed = true
	q.mu.Unlock()
	if !again {
		close(q.closing)
		q.nudge()
	}
	<-q.stopped
	if again {
		return store.ErrClosed
	}
	return q.stopErr
}
