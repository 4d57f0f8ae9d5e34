package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"tictactoe/store"
)

// maxWaiting is how many changes may wait for the writer. Callers beyond that
// wait for a place, as long as their context lets them.
const maxWaiting = 1024

// writer is the one goroutine that writes. It takes what is waiting, up to a
// limit, and commits it together.
type writer struct {
	db    *storage
	notes notebook

	places  chan struct{} // holds one token for each waiting request
	wake    chan struct{} // tells the writer that there is something to do
	closing chan struct{}
	stopped chan struct{}
	stopErr error // set before stopped is closed

	mu      sync.Mutex
	waiting []*request
	closed  bool

	commits, changes, failed atomic.Uint64
}

// request is something to be written, or with a nil run only a reason to mend the
// connections. Its outcome is sent to done once.
type request struct {
	run  func(*writeStatements) error
	done chan error
}

func newWriter(db *storage) *writer {
	w := &writer{
		db:      db,
		places:  make(chan struct{}, maxWaiting),
		wake:    make(chan struct{}, 1),
		closing: make(chan struct{}),
		stopped: make(chan struct{}),
	}
	go w.loop()
	return w
}

// do has run called by the writer within a savepoint and returns when that has
// been committed, or has failed. A context that ends before the writer has taken
// the request withdraws it; afterwards the outcome is [store.ErrPending]. With a nil
// run the connections are mended, and nothing is written.
func (w *writer) do(ctx context.Context, run func(*writeStatements) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case w.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.closing:
		return store.ErrClosed
	}
	r := &request{run: run, done: make(chan error, 1)}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		<-w.places
		return store.ErrClosed
	}
	w.waiting = append(w.waiting, r)
	w.mu.Unlock()
	w.nudge()

	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
	}
	if w.withdraw(r) {
		return ctx.Err()
	}
	select {
	case err := <-r.done: // in the same instant
		return err
	default:
		return fmt.Errorf("%w: %w", store.ErrPending, ctx.Err())
	}
}

// nudge wakes the writer; it never blocks.
func (w *writer) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// withdraw removes a waiting request and reports whether it was still waiting.
func (w *writer) withdraw(r *request) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.waiting, r)
	if i < 0 {
		return false
	}
	w.waiting = slices.Delete(w.waiting, i, i+1)
	<-w.places
	return true
}

// isClosed reports whether close has been called.
func (w *writer) isClosed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// waitingCount returns how many requests are waiting.
func (w *writer) waitingCount() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.waiting)
}

// take returns the next batch, and whether there will be none any more.
func (w *writer) take() (batch []*request, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), w.db.opts.maxBatch)
	batch = slices.Clone(w.waiting[:n])
	w.waiting = slices.Delete(w.waiting, 0, n)
	for range batch {
		<-w.places
	}
	return batch, w.closed && n == 0
}

// loop is the writer's life.
func (w *writer) loop() {
	defer close(w.stopped)
	for {
		batch, last := w.take()
		switch {
		case last:
			w.stopErr = w.stop()
			return
		case len(batch) == 0:
			<-w.wake
		default:
			w.write(batch)
		}
	}
}

// write commits the batch and tells everybody what became of their requests.
func (w *writer) write(batch []*request) {
	mended := w.db.mend(context.Background())
	batch = slices.DeleteFunc(batch, func(r *request) bool {
		if r.run == nil {
			r.done <- mended
		}
		return r.run == nil
	})
	if len(batch) == 0 {
		return
	}
	outcomes, err := w.commit(batch, mended)
	var halted *haltedError
	if errors.As(err, &halted) && len(batch) > 1 {
		// One of them met trouble that may be its own, as a damaged page is: the
		// others are not to suffer for it.
		for _, r := range batch {
			w.write([]*request{r})
		}
		return
	}
	for i, r := range batch {
		if err != nil {
			r.done <- err
			continue
		}
		r.done <- outcomes[i]
	}
}

// haltedError says that one request of a batch failed in a way that undid all.
type haltedError struct{ error }

func (e *haltedError) Unwrap() error { return e.error }

// commit stores the pending notes, runs the requests, each in its savepoint, and
// commits all of it. It returns the outcome of each request, or the error that
// undid all of them. Nothing here heeds a context: a batch that was taken is
// finished. It is not begun with an error from mending the connections.
//
// The notes come first because they are older than whatever the requests make: a
// note about a record that is created only now is about nothing.
func (w *writer) commit(batch []*request, mended error) (outcomes []error, err error) {
	committed := false
	defer func() {
		if err != nil {
			w.failed.Add(1)
		}
	}()
	if mended != nil {
		return nil, mended
	}
	if err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return nil, w.db.failed(err)
	}
	if flying := w.notes.takeOff(); flying != nil {
		defer func() { w.notes.land(committed) }()
		values, err := w.writeNotes(flying)
		if err != nil {
			// Notes are no reason for a change to fail: they are given up, and the
			// changes get a transaction that has met no trouble.
			_ = w.db.failed(err)
			values = map[noteKey]shown{}
			w.rollback()
			if err := w.exec("BEGIN IMMEDIATE"); err != nil {
				return nil, w.db.failed(err)
			}
		}
		w.notes.settle(values)
	}
	outcomes = make([]error, len(batch))
	good := 0
	for i, r := range batch {
		if outcomes[i], err = w.runOne(r); err != nil {
			w.rollback()
			return nil, &haltedError{w.db.failed(err)}
		}
		if outcomes[i] == nil {
			good++
		}
	}
	if good == 0 && len(batch) > 0 {
		w.rollback() // not worth a flush
		return outcomes, nil
	}
	if err := w.db.check(); err != nil {
		w.rollback()
		return nil, err
	}
	if err := w.exec("COMMIT"); err != nil {
		w.rollback()
		if isCertainlyUndone(err) {
			return nil, w.db.failed(err)
		}
		return nil, fmt.Errorf("%w: %w", store.ErrPending, w.db.failed(err))
	}
	committed = true
	w.commits.Add(1)
	w.changes.Add(uint64(good)) //nolint:gosec // not negative
	return outcomes, nil
}

// runOne runs the request in a savepoint. The outcome is the request's own, err
// is trouble that makes it impossible to go on.
func (w *writer) runOne(r *request) (outcome, err error) {
	if err := run(w.db.conn.writes.savepoint); err != nil {
		return nil, err
	}
	switch outcome = r.run(w.db.conn.writes); {
	case outcome == nil:
		return nil, run(w.db.conn.writes.release)
	case isOwnFault(outcome):
		if err := run(w.db.conn.writes.rollbackTo); err != nil {
			return nil, err
		}
		return outcome, run(w.db.conn.writes.release)
	default:
		return nil, outcome
	}
}

// writeNotes stores the notes and returns what their records show then. Notes
// about records that do not exist are left out.
func (w *writer) writeNotes(notes map[noteKey]pending) (map[noteKey]shown, error) {
	values := make(map[noteKey]shown, len(notes))
	for key, p := range notes {
		v, err := w.db.conn.writes.note(key, p)
		switch {
		case errors.Is(err, store.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			values[key] = v
		}
	}
	return values, nil
}

// exec runs a statement that begins or ends the transaction.
func (w *writer) exec(statement string) error {
	_, err := w.db.conn.only.ExecContext(context.Background(), statement)
	return err
}

// rollback ends the transaction, which SQLite may have ended by itself already.
func (w *writer) rollback() { _ = w.exec("ROLLBACK") }

// run runs a prepared statement that has no arguments.
func run(stmt *sql.Stmt) error {
	_, err := stmt.ExecContext(context.Background())
	return err
}

// close ends the writer after what is waiting, and returns what the last steps
// came to. The second time it returns ErrClosed.
func (w *writer) close() error {
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if again {
		<-w.stopped
		return store.ErrClosed
	}
	close(w.closing)
	w.nudge()
	<-w.stopped
	return w.stopErr
}

// stop stores the last notes and moves the log into the database file.
func (w *writer) stop() error {
	if w.db.conn == nil {
		return w.db.why
	}
	var err error
	if w.notes.count() > 0 {
		_, err = w.commit(nil, nil)
	}
	if ckErr := w.exec("PRAGMA wal_checkpoint(TRUNCATE)"); ckErr != nil {
		err = errors.Join(err, w.db.failed(ckErr))
	}
	return err
}
