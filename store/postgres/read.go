package postgres

import (
	"context"
	"errors"
	"fmt"
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

// readAll returns the records of the table that the statement selects.
func readAll[T any](ctx context.Context, s *Store, t sqlstore.Table[T], text string, args ...any) (all []T, err error) {
	err = s.read(ctx, text, args, func(rows pgx.Rows) error {
		all = nil
		for rows.Next() {
			record, err := t.Scan(rows)
			if err != nil {
				return err
			}
			all = append(all, record)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// readOne returns the record of the table that the statement selects, or
// [store.ErrNotFound].
func readOne[T any](ctx context.Context, s *Store, t sqlstore.Table[T], text string, args ...any) (T, error) {
	all, err := readAll(ctx, s, t, text, args...)
	switch {
	case err != nil:
		return *new(T), err
	case len(all) == 0:
		return *new(T), fmt.Errorf("%s %v: %w", t.Name, args, store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// shown reads the version of a record and where Discord shows which one.
func (s *Store) shown(ctx context.Context, text string, id int64) (v store.Shown, err error) {
	found := false
	err = s.read(ctx, text, []any{id}, func(rows pgx.Rows) error {
		if found = rows.Next(); found {
			return rows.Scan(sqlstore.NumberAt(&v.Version), sqlstore.TextAt(&v.Message), sqlstore.NumberAt(&v.Drawn), sqlstore.TextAt(&v.Notice), sqlstore.NumberAt(&v.Moves))
		}
		return nil
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return v, err
}

// Readers returns how many of the connections that read are in use, and how many there
// may be.
func (s *Store) Readers() (used, most int) {
	stat := s.pool.Stat()
	return int(stat.AcquiredConns()), int(stat.MaxConns())
}

// Claimed implements [store.Store].
func (s *Store) Claimed(ctx context.Context, id store.InteractionID) (claimed bool, err error) {
	err = s.readRow(ctx, sqlstore.Postgres.Text(sqlstore.Claimed), []any{string(id)}, &claimed)
	return claimed, err
}

// Uptime implements [store.Store].
func (s *Store) Uptime(ctx context.Context) (u store.Uptimes, err error) {
	err = s.perDomain(ctx, sqlstore.Uptime, func(d store.Domain, at time.Duration) { u[d] = at })
	return u, err
}

// NextDeadlines implements [store.Store].
func (s *Store) NextDeadlines(ctx context.Context) (next store.Uptimes, err error) {
	err = s.perDomain(ctx, sqlstore.NextDeadlines, func(d store.Domain, at time.Duration) {
		if next[d] == 0 || at < next[d] {
			next[d] = at
		}
	})
	return next, err
}

// perDomain calls each for the domains for which the statement has a duration.
func (s *Store) perDomain(ctx context.Context, text string, each func(store.Domain, time.Duration)) error {
	return s.read(ctx, text, nil, func(rows pgx.Rows) error {
		for rows.Next() {
			var d int64
			var at *int64
			if err := rows.Scan(&d, &at); err != nil {
				return err
			}
			if at != nil {
				each(store.Domain(d), time.Duration(*at)) //nolint:gosec // the table has them checked
			}
		}
		return nil
	})
}
