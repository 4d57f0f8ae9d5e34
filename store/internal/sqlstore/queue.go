package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"

	"tictactoe/store"
)

// MostQueued is how many requests may wait. Callers beyond that wait for a place, as long as
// their context lets them. A request that is withdrawn leaves its place when the writer
// comes to it.
const MostQueued = 1024

// Queue holds what waits to be written by the one goroutine that writes, in the order in which
// it came, and tells those who wait what became of it. Any number of goroutines may call Do,
// and one calls Serve.
type Queue[R any] struct {
	entries chan *Entry[R] // nil behind the last of them
	closed  atomic.Bool

	stopped chan struct{} // closed when Serve has returned
	stopErr error         // set before
}

// Entry is a request that was taken.
type Entry[R any] struct {
	Request R
	left    atomic.Bool // it waits no more: it was taken or withdrawn
	done    chan error
}

// leave has the request wait no more, and reports whether it was still waiting.
func (e *Entry[R]) leave() bool { return e.left.CompareAndSwap(false, true) }

// Done says what became of the request. Whoever takes an entry calls it once.
func (e *Entry[R]) Done(err error) { e.done <- err }

// NewQueue returns an empty queue.
func NewQueue[R any]() *Queue[R] {
	return &Queue[R]{entries: make(chan *Entry[R], MostQueued), stopped: make(chan struct{})}
}

// Serve calls write for the requests that wait, up to so many at once, until Close has been
// called and none is left, and then stop.
func (q *Queue[R]) Serve(most int, write func([]*Entry[R]), stop func() error) {
	defer close(q.stopped)
	for last := false; !last; {
		var batch []*Entry[R]
		if batch, last = q.take(most); len(batch) > 0 {
			write(batch)
		}
	}
	q.stopErr = stop()
}

// take waits until something waits, and returns what does, up to so many, and whether those
// are the last.
func (q *Queue[R]) take(most int) (batch []*Entry[R], last bool) {
	for e := <-q.entries; e != nil; {
		if e.leave() {
			batch = append(batch, e)
		}
		if len(batch) == most {
			return batch, false
		}
		select {
		case e = <-q.entries:
		default:
			return batch, false
		}
	}
	return batch, true
}

// Do has the request taken and returns what it came to. A context that ends before
// it was taken withdraws it; afterwards the outcome is [store.ErrPending]. After Close
// it returns [store.ErrClosed].
func (q *Queue[R]) Do(ctx context.Context, request R) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.closed.Load() {
		return store.ErrClosed
	}
	defer store.Spending(ctx)()
	e := &Entry[R]{Request: request, done: make(chan error, 1)}
	select {
	case q.entries <- e:
	case <-ctx.Done():
		return ctx.Err()
	case <-q.stopped:
		return store.ErrClosed
	}

	select {
	case err := <-e.done:
		return err
	case <-ctx.Done():
	case <-q.stopped:
	}
	if e.leave() {
		return cmp.Or(ctx.Err(), store.ErrClosed)
	}
	select {
	case err := <-e.done: // in the same instant
		return err
	default:
		return fmt.Errorf("%w: %w", store.ErrPending, ctx.Err())
	}
}

// Len returns how many places are taken.
func (q *Queue[R]) Len() int { return len(q.entries) }

// Closed reports whether Close has been called.
func (q *Queue[R]) Closed() bool { return q.closed.Load() }

// Close lets no more requests in, and returns what stop has returned once Serve has written
// those that wait. The second time it returns [store.ErrClosed].
func (q *Queue[R]) Close() error {
	again := q.closed.Swap(true)
	if !again {
		q.entries <- nil
	}
	<-q.stopped
	if again {
		return store.ErrClosed
	}
	return q.stopErr
}
