package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
)

// DB is what a database has to offer to be a store.
type DB interface {
	// Query calls read for the rows of the query. It may do so again, from their beginning.
	Query(ctx context.Context, q *Query, args []any, read func(Cursor) error) error
	// Apply carries out the plan in a transaction, together with others.
	Apply(ctx context.Context, p Plan) error
	// Write has run called in a transaction, perhaps several times, and stores what came of the
	// last one. Nothing is stored meanwhile that names the people.
	Write(ctx context.Context, run func(Tx) error, people ...store.UserID) error
	// Loosely is Write for what need not survive the loss of power.
	Loosely(ctx context.Context, run func(Tx) error) error
}

// Tx is a transaction in which something is stored.
type Tx interface {
	// Exec runs the query and returns how many rows it affected.
	Exec(q *Query, args ...any) (rows int64, err error)
	// Row scans the first row of the query, and reports whether there is one.
	Row(q *Query, args []any, into ...any) (found bool, err error)
}

// Cursor goes through rows.
type Cursor interface {
	Next() bool
	Row
}

// Store has the methods of [store.Store], where they are documented, that are the same for
// every database.
type Store struct {
	db  DB
	key Key
	now func() time.Time

	failed     context.Context // ends when the store meets what it cannot recover from, with that as its cause
	deliveries *Waiting
}

// New returns the store of a database that has the key. The clock dates claims. The database
// takes deliveries along, and says by fail why it has failed, for the first time that it does.
func New(db DB, key Key, now func() time.Time, d *Waiting) (s Store, fail context.CancelCauseFunc) {
	failed, fail := context.WithCancelCause(context.Background())
	return Store{db, key, now, failed, d}, fail
}

// Failed implements [store.Store].
func (s *Store) Failed() <-chan struct{} { return s.failed.Done() }

// Err implements [store.Store].
func (s *Store) Err() error { return context.Cause(s.failed) }

// Deliver implements [store.Store].
func (s *Store) Deliver(d store.Delivery) { s.deliveries.Add(d) }

// readAll returns what scan makes of the rows of the query.
func readAll[T any](ctx context.Context, s *Store, scan func(Row) (T, error), q *Query, args ...any) (all []T, err error) {
	err = s.db.Query(ctx, q, args, func(rows Cursor) error {
		all = nil
		for rows.Next() {
			one, err := scan(rows)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// rowOf returns what makes a value of a row: the function says what the row is scanned into.
func rowOf[T any](into func(*T) []any) func(Row) (T, error) {
	return func(r Row) (one T, err error) {
		err = r.Scan(into(&one)...)
		return one, err
	}
}

// readOne returns the record of the table that the query selects, or [store.ErrNotFound].
func readOne[T any](ctx context.Context, s *Store, t table[T], q *Query, args ...any) (record T, err error) {
	all, err := readAll(ctx, s, t.scan, q, args...)
	switch {
	case err != nil:
		return record, err
	case len(all) == 0:
		return record, fmt.Errorf("%s %v: %w", t.Name, args, store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// readOr is readOne for what need not be stored: then it returns what none is.
func readOr[T any](ctx context.Context, s *Store, t table[T], none T, q *Query, args ...any) (T, error) {
	record, err := readOne(ctx, s, t, q, args...)
	if errors.Is(err, store.ErrNotFound) {
		return none, nil
	}
	return record, err
}

// readRow reads the first row of the query, or returns [store.ErrNotFound].
func (s *Store) readRow(ctx context.Context, q *Query, args []any, into ...any) error {
	is, err := s.exists(ctx, q, args, into...)
	if err == nil && !is {
		return store.ErrNotFound
	}
	return err
}

// exists reports whether the query has a row, which it reads.
func (s *Store) exists(ctx context.Context, q *Query, args []any, into ...any) (bool, error) {
	all, err := readAll(ctx, s, func(r Row) (struct{}, error) { return struct{}{}, r.Scan(into...) }, q, args...)
	return len(all) > 0, err
}

// shown reads the version of a record and where Discord shows which one.
func (s *Store) shown(ctx context.Context, q *Query, id int64) (v store.Shown, err error) {
	err = s.readRow(ctx, q, []any{id}, &v.Version, textAt(&v.Message), &v.Drawn, textAt(&v.Notice), &v.Moves)
	return v, err
}
