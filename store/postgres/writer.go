package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// writer is the one goroutine that writes. It takes what is waiting, up to a limit, and
// commits it together.
type writer struct {
	store      *Store
	config     *pgx.ConnConfig
	deliveries sqlstore.Waiting
	queue      *sqlstore.Queue[request]

	// Those of the goroutine alone.
	conn    *pgx.Conn      // nil while there is none
	id      int64          // of the row in writers
	commits int64          // the number of the last commit, as that row has it
	begun   sqlstore.Begun // that go with the transaction under way
}

// write commits the batch and tells everybody what became of their requests. Those that are
// refused leave it for the others to be committed, and are then tried one by one.
func (w *writer) write(batch []*sqlstore.Entry[request]) {
	requests := make([]request, len(batch))
	for i, e := range batch {
		requests[i] = e.Request
	}
	began := time.Now()
	err := w.transact(requests)
	r, _ := errors.AsType[refused](err)
	switch {
	case len(r) > 0 && len(batch) > 1:
		var others, apart []*sqlstore.Entry[request]
		for i, e := range batch {
			if r[i] == nil {
				others = append(others, e)
			} else {
				apart = append(apart, e)
			}
		}
		if len(others) > 0 {
			w.write(others)
		}
		for i := range apart {
			w.write(apart[i : i+1])
		}
		return
	case len(r) > 0:
		err = r[0]
	case err == nil && w.store.opts.commits != nil:
		w.store.opts.commits(len(batch), time.Since(began))
	}
	for _, e := range batch {
		e.Done(err)
	}
}

// transact writes the requests in one transaction. It tries again where that may help and
// nobody can have been answered. No context of a caller is heeded here: a batch that was
// taken is finished.
func (w *writer) transact(requests []request) error {
	if err := w.store.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), w.store.opts.timeout)
	defer cancel()
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		w.begun = w.deliveries.Begin()
		err := w.try(ctx, requests)
		w.deliveries.Finish(w.begun, err == nil)
		if err == nil || errors.Is(err, store.ErrPending) || !isPassing(err) {
			return w.store.told(err)
		}
		if isContention(err) {
			w.store.again.Add(1)
		}
		select {
		case <-time.After(pause + rand.N(pause)): //nolint:gosec // a pause, no secret
		case <-ctx.Done():
			return w.store.told(err)
		}
	}
}

// try carries out one transaction.
func (w *writer) try(ctx context.Context, requests []request) (err error) {
	if w.conn == nil {
		if w.conn, err = pgx.ConnectConfig(ctx, w.config); err != nil {
			return err
		}
	}
	if err = w.sendAll(ctx, requests); err == nil {
		return w.commit()
	}
	if _, ok := errors.AsType[refused](err); ok || isContention(err) {
		if _, rollbackErr := w.conn.Exec(ctx, "ROLLBACK", pgx.QueryExecModeSimpleProtocol); rollbackErr != nil {
			w.disconnect()
		}
		return err
	}
	// The connection may be of no more use: to a server that has become read-only, say.
	w.disconnect()
	return err
}

// commit ends the transaction.
func (w *writer) commit() error {
	ctx, cancel := context.WithTimeout(context.Background(), w.store.opts.commitTime)
	defer cancel()
	tag, err := w.conn.Exec(ctx, "COMMIT", pgx.QueryExecModeSimpleProtocol)
	switch {
	case err == nil && tag.String() == "COMMIT":
		w.commits++
		return nil
	case err == nil:
		return fmt.Errorf("postgres: COMMIT was answered with %s", tag)
	case code(err) != "" && !isLost(err):
		w.disconnect() // the server refused it
		return err
	}
	w.disconnect()
	return w.lookUp(err)
}

// lookUp finds out whether the commit came through whose answer was lost. It returns nil
// if it did, and otherwise the error, which is about the connection. It does not give up
// before it knows, unless the store is closed: [store.ErrPending].
func (w *writer) lookUp(lost error) error {
	began := time.Now()
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		switch number, err := w.lastCommit(); {
		case err != nil:
		case number == w.commits+1:
			w.commits = number
			return nil
		default:
			return fmt.Errorf("%w: nothing was committed: %w", store.ErrUnreachable, lost)
		}
		if w.queue.Closed() && time.Since(began) > closeTime {
			return fmt.Errorf("%w: %w", store.ErrPending, lost)
		}
		time.Sleep(pause)
	}
}

// closeTime is for how long the outcome of a commit is looked up after Close.
const closeTime = 3 * time.Second

// lastCommit returns the number of the last commit of the store, once no transaction is
// under way that could raise it.
func (w *writer) lastCommit() (number int64, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), w.store.opts.commitTime)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, w.config)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.Background()) //nolint:errcheck // nothing is left in it
	const text = "SELECT commits FROM writers WHERE id = $1"
	if err := conn.QueryRow(ctx, text, w.id).Scan(&number); err != nil || number > w.commits {
		return number, w.gone(err) // which a server tells that takes no writes
	}
	err = conn.QueryRow(ctx, text+" FOR UPDATE", w.id).Scan(&number)
	return number, w.gone(err)
}

// disconnect drops the connection. What it has not committed is undone.
func (w *writer) disconnect() {
	if w.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	_ = w.conn.Close(ctx)
	w.conn = nil
}

// stop stores the last deliveries, if there are any.
func (w *writer) stop() error {
	defer w.disconnect()
	if w.store.Err() != nil || w.deliveries.Count() == 0 { // of a failure everybody was told
		return nil
	}
	return w.transact([]request{{}})
}
