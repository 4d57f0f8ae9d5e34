package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// readTime bounds a read whose context has no earlier end, unless a write may take longer:
// nothing that is read is large, and a server that is cut off says nothing.
const readTime = 5 * time.Second

// mostTries is how often something is tried whose connection is lost: each of those in the
// pool may be dead when a server has come back.
const mostTries = 3

// Query implements [sqlstore.DB]. It calls read as often as it tries.
func (s db) Query(ctx context.Context, q *sqlstore.Query, args []any, read func(sqlstore.Cursor) error) error {
	text, args := q.Postgres(args)
	defer store.Spending(ctx)()
	return s.attempt(ctx, max(readTime, s.opts.timeout), func(ctx context.Context) error {
		rows, err := s.pool.Query(ctx, text, args...)
		if err != nil {
			return err
		}
		err = read(rows)
		rows.Close()
		return errors.Join(err, rows.Err())
	})
}

// attempt has f use the pool for so long at most. It tries again where that may help: some
// times when a connection is lost, and as long as there is time when a transaction met others.
func (s *Store) attempt(ctx context.Context, most time.Duration, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for try := 1; ; try++ {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.closed.Load():
			return store.ErrClosed
		case s.Err() != nil:
			return s.Err()
		}
		err := f(bounded)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case s.closed.Load():
			return store.ErrClosed
		case bounded.Err() != nil, !isPassing(err), try == mostTries && !isContention(err):
			return s.told(err)
		case !isContention(err):
			s.pool.Reset()
		}
	}
}

// Apply implements [sqlstore.DB].
func (s db) Apply(ctx context.Context, p sqlstore.Plan) error {
	return s.writer.queue.Do(ctx, request{plan: p})
}

// Write implements [sqlstore.DB].
func (s db) Write(ctx context.Context, run func(sqlstore.Tx) error, people ...store.UserID) error {
	return s.writer.queue.Do(ctx, request{run: run, people: people})
}

// Loosely implements [sqlstore.DB].
func (s db) Loosely(ctx context.Context, run func(sqlstore.Tx) error) error {
	return s.loosely(ctx, func(tx pgx.Tx) error { return run(transaction{ctx, tx}) })
}

// Check implements [store.Store]. Every commit writes something.
func (s *Store) Check(ctx context.Context) error { return s.writer.queue.Do(ctx, request{}) }

// Readers returns how many of the connections that read are in use, and how many there
// may be.
func (s *Store) Readers() (used, most int) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.MaxConns())
}
