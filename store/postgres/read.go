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

// readTries is how often a read is tried whose connection is lost: each of those in the
// pool may be dead when a server has come back.
const readTries = 3

// Query implements [sqlstore.DB].
func (s *db) Query(ctx context.Context, q *sqlstore.Query, args []any, read func(sqlstore.Cursor) error) error {
	text, args := q.Postgres(args)
	return (*Store)(s).read(ctx, text, args, func(rows pgx.Rows) error { return read(rows) })
}

// read calls f for the rows of the statement, as often as it is tried.
func (s *Store) read(ctx context.Context, text string, args []any, f func(pgx.Rows) error) (err error) {
	defer store.Spending(ctx)()
	bounded, cancel := context.WithTimeout(ctx, max(readTime, s.opts.timeout))
	defer cancel()
	for try := 1; ; try++ {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case s.isClosed():
			return store.ErrClosed
		case s.Err() != nil:
			return s.Err()
		}
		rows, queryErr := s.pool.Query(bounded, text, args...)
		if err = queryErr; err == nil {
			err = f(rows)
			rows.Close()
			err = errors.Join(err, rows.Err())
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case s.isClosed():
			return store.ErrClosed
		case !isPassing(err) || try == readTries:
			return s.told(err)
		}
		s.pool.Reset()
	}
}

// Readers returns how many of the connections that read are in use, and how many there
// may be.
func (s *Store) Readers() (used, most int) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.MaxConns())
}
