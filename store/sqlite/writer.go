package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// writer is the one goroutine that writes. It takes what is waiting, up to a
// limit, and commits it together.
type writer struct {
	store      *Store
	deliveries sqlstore.Waiting

	queue  *sqlstore.Queue[request]
	cleans bool      // the log is to be moved into the file behind the commit
	clean  bool      // it was
	scrubs scrubs    // how far pages have been looked through
	marked time.Time // when the time of a commit was last stored
}

// request is something to be written, within a savepoint.
type request func(*transaction) error

// write commits the batch and tells everybody what became of their requests.
func (w *writer) write(batch []*sqlstore.Entry[request]) {
	outcomes, err := w.commit(batch)
	if _, halted := errors.AsType[*haltedError](err); halted && len(batch) > 1 {
		// One of them met trouble that may be its own: the others are not to suffer for
		// it.
		for i := range batch {
			w.write(batch[i : i+1])
		}
		return
	}
	for i, r := range batch {
		r.Done(cmp.Or(err, outcomes[i]))
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
func (w *writer) commit(batch []*sqlstore.Entry[request]) (outcomes []error, err error) {
	outcomes = make([]error, len(batch))
	if err := w.store.Err(); err != nil {
		return outcomes, err
	}
	committed, began := false, time.Now()
	if _, err := w.store.conn.writes.Exec(beginWrite); err != nil {
		return outcomes, w.store.told(err)
	}
	begun := w.deliveries.Begin()
	defer func() {
		if !committed {
			_ = w.exec("ROLLBACK") // SQLite may have ended the transaction by itself already
		}
		w.deliveries.Finish(begun, committed)
	}()
	if err := w.store.conn.writes.run(begun.Steps()); err != nil {
		return outcomes, w.store.told(err)
	}
	good := 0
	for i, r := range batch {
		if outcomes[i], err = w.runOne(r.Request, len(batch) == 1); err != nil {
			return outcomes, &haltedError{w.store.told(err)}
		}
		if outcomes[i] == nil {
			good++
		}
	}
	if good == 0 && len(batch) > 0 {
		return outcomes, nil // not worth a flush
	}
	if err := w.mark(); err != nil {
		return outcomes, w.store.told(err)
	}
	// What is stored now would not be found in other files by a process that starts later.
	if err := w.store.conn.files.check(w.store.path); err != nil {
		return outcomes, w.store.told(err)
	}
	if _, err := w.store.conn.writes.Exec(commitWrite); err != nil {
		if isCertainlyUndone(err) {
			return outcomes, w.store.told(err)
		}
		return outcomes, fmt.Errorf("%w: %w", store.ErrPending, w.store.told(err))
	}
	committed = true
	if w.cleans {
		w.cleans, w.clean = false, w.cleanUp()
	}
	if w.store.opts.onCommit != nil {
		w.store.opts.onCommit(good, time.Since(began))
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
	_, err := w.store.conn.writes.Exec(written, now.UnixMilli())
	return err
}

// runOne runs the request in a savepoint, for which there is no need where it is
// alone: what is not to be stored is undone with all of the transaction. The outcome
// is the request's own, err is trouble that makes it impossible to go on.
func (w *writer) runOne(run request, alone bool) (outcome, err error) {
	tx := w.store.conn.writes
	unlessAlone := func(q *sqlstore.Query) (err error) {
		if !alone {
			_, err = tx.Exec(q)
		}
		return err
	}
	if err := unlessAlone(savepoint); err != nil {
		return nil, err
	}
	if outcome = run(tx); outcome != nil {
		if !isOwnFault(outcome) {
			return nil, outcome
		}
		if err := unlessAlone(rollbackTo); err != nil {
			return nil, err
		}
	}
	return outcome, unlessAlone(release)
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
	_, err := w.store.conn.writes.conn.ExecContext(context.Background(), statement)
	return err
}

// stop stores the last deliveries and moves the log into the database file. Where the
// file was taken away the log goes into it all the same, wherever it lies: a file that
// was moved alone is whole then. Into a file that is damaged it does not go.
func (w *writer) stop() error {
	if w.store.Err() != nil {
		if w.store.conn.files.check(w.store.path) != nil {
			_ = w.exec("PRAGMA wal_checkpoint(TRUNCATE)")
		}
		return nil // everybody was told
	}
	// A commit comes last in any case: it tells when the file was last written.
	w.marked = time.Time{}
	_, err := w.commit(nil)
	if ckErr := w.exec("PRAGMA wal_checkpoint(TRUNCATE)"); ckErr != nil {
		err = errors.Join(err, w.store.told(ckErr))
	}
	return err
}
