package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/behind"
	"tictactoe/store/internal/queue"
	"tictactoe/store/internal/sqlstore"
)

// writer is the one goroutine that writes. It takes what is waiting, up to a
// limit, and commits it together.
type writer struct {
	db         *storage
	deliveries behind.Deliveries

	queue  *queue.Queue[request]
	cleans bool      // the log is to be moved into the file behind the commit
	clean  bool      // it was
	scrubs scrubs    // how far pages have been looked through
	marked time.Time // when the time of a commit was last stored
}

// request is something to be written, within a savepoint.
type request func(*transaction) error

func newWriter(db *storage) *writer {
	w := &writer{db: db, queue: queue.New[request](), scrubs: scrubs{}}
	go w.queue.Serve(db.opts.maxBatch, w.write, w.stop)
	return w
}

// write commits the batch and tells everybody what became of their requests.
func (w *writer) write(batch []*queue.Entry[request]) {
	outcomes, err := w.commit(batch)
	if _, halted := errors.AsType[*haltedError](err); halted && len(batch) > 1 {
		// One of them met trouble that may be its own: the others are not to suffer for
		// it.
		for _, r := range batch {
			w.write([]*queue.Entry[request]{r})
		}
		return
	}
	for i, r := range batch {
		if err != nil {
			r.Done(err)
			continue
		}
		r.Done(outcomes[i])
	}
}

// haltedError says that one request of a batch failed in a way that undid all.
type haltedError struct{ error }

func (e *haltedError) Unwrap() error { return e.error }

// commit stores the deliveries that are waiting, runs the requests, each in its
// savepoint if there are several, and commits all of it. It returns the outcome of each request, or the
// error that undid all of them. Nothing here heeds a context: a batch that was taken
// is finished.
//
// The deliveries come first because they are older than whatever the requests make:
// one about a record that is created only now is about nothing.
func (w *writer) commit(batch []*queue.Entry[request]) (outcomes []error, err error) {
	if err := w.db.failure.Err(); err != nil {
		return nil, err
	}
	committed, began := false, time.Now()
	if _, err := w.db.conn.writes.Exec(beginWrite); err != nil {
		return nil, w.db.told(err)
	}
	begun := w.deliveries.Begin()
	defer func() { w.deliveries.Finish(begun, committed) }()
	if err := w.db.conn.writes.runAll(sqlstore.Deliveries(begun)); err != nil {
		w.rollback()
		return nil, w.db.told(err)
	}
	outcomes = make([]error, len(batch))
	good := 0
	for i, r := range batch {
		if outcomes[i], err = w.runOne(r.Request, len(batch) == 1); err != nil {
			w.rollback()
			return nil, &haltedError{w.db.told(err)}
		}
		if outcomes[i] == nil {
			good++
		}
	}
	if good == 0 && len(batch) > 0 {
		w.rollback() // not worth a flush
		return outcomes, nil
	}
	if err := w.mark(); err != nil {
		w.rollback()
		return nil, w.db.told(err)
	}
	if err := w.db.check(); err != nil {
		w.rollback()
		return nil, err
	}
	if _, err := w.db.conn.writes.Exec(commitWrite); err != nil {
		w.rollback()
		if isCertainlyUndone(err) {
			return nil, w.db.told(err)
		}
		return nil, fmt.Errorf("%w: %w", store.ErrPending, w.db.told(err))
	}
	committed = true
	if w.cleans {
		w.cleans, w.clean = false, w.cleanUp()
	}
	if w.db.opts.onCommit != nil {
		w.db.opts.onCommit(good, time.Since(began))
	}
	return outcomes, nil
}

// markEvery is how often the time of a commit is stored.
const markEvery = 20 * time.Second

// mark notes every now and then when the file was last written. See copies.go.
func (w *writer) mark() error {
	now := time.Now()
	if since := now.Sub(w.marked); since >= 0 && since < markEvery {
		return nil
	}
	w.marked = now
	_, err := w.db.conn.writes.Exec(written, now.UnixMilli())
	return err
}

// runOne runs the request in a savepoint, for which there is no need where it is
// alone: what is not to be stored is undone with all of the transaction. The outcome
// is the request's own, err is trouble that makes it impossible to go on.
func (w *writer) runOne(run request, alone bool) (outcome, err error) {
	if alone {
		if outcome = run(w.db.conn.writes); outcome == nil || isOwnFault(outcome) {
			return outcome, nil
		}
		return nil, outcome
	}
	tx := w.db.conn.writes
	if _, err := tx.Exec(savepoint); err != nil {
		return nil, err
	}
	outcome = run(tx)
	switch {
	case outcome != nil && !isOwnFault(outcome):
		return nil, outcome
	case outcome != nil:
		if _, err := tx.Exec(rollbackTo); err != nil {
			return nil, err
		}
	}
	_, err = tx.Exec(release)
	return outcome, err
}

var (
	beginWrite  = sqlstore.ForSQLite("BEGIN IMMEDIATE")
	commitWrite = sqlstore.ForSQLite("COMMIT")
	savepoint   = sqlstore.ForSQLite("SAVEPOINT change")
	rollbackTo  = sqlstore.ForSQLite("ROLLBACK TO change")
	release     = sqlstore.ForSQLite("RELEASE change")
)

// exec runs a statement outside of transactions, or one that ends one.
func (w *writer) exec(statement string) error {
	_, err := w.db.conn.only.ExecContext(context.Background(), statement)
	return err
}

// rollback ends the transaction, which SQLite may have ended by itself already.
func (w *writer) rollback() { _ = w.exec("ROLLBACK") }

// stop stores the last deliveries and moves the log into the database file. Where the
// file was taken away the log goes into it all the same, wherever it lies: a file that
// was moved alone is whole then. Into a file that is damaged it does not go.
func (w *writer) stop() error {
	if w.db.failure.Err() != nil {
		if w.db.conn.files.check(w.db.path) != nil {
			_ = w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
		}
		return nil // everybody was told
	}
	// A commit comes last in any case: it tells when the file was last written.
	w.marked = time.Time{}
	_, err := w.commit(nil)
	if ckErr := w.exec("PRAGMA wal_checkpoint(TRUNCATE)"); ckErr != nil {
		err = errors.Join(err, w.db.told(ckErr))
	}
	return err
}
