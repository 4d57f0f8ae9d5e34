package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// read calls f with the readers' statements once a reader is free, and with the
// context to read with. That one does not end: to watch one that can, database/sql
// and the driver start a goroutine each at every read, which costs as much as half
// of a small one. A context that ends is heeded while the read waits.
func (s *Store) read(ctx context.Context, f func(context.Context, *readStatements) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer store.Spending(ctx)()
	select {
	case s.readers <- struct{}{}:
		defer func() { <-s.readers }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.db.use(ctx, func(c *connections) error { return f(context.WithoutCancel(ctx), c.reads) })
}

// Query implements [sqlstore.DB].
func (s *db) Query(ctx context.Context, q *sqlstore.Query, args []any, read func(sqlstore.Cursor) error) error {
	return (*Store)(s).read(ctx, func(ctx context.Context, st *readStatements) error {
		stmt, err := st.prepared.get(ctx, q)
		if err != nil {
			return err
		}
		rows, err := stmt.QueryContext(ctx, args...) //nolint:sqlclosecheck // the statement is kept
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // rows.Err says it
		if err := read(rows); err != nil {
			return err
		}
		return rows.Err()
	})
}

// Store implements [sqlstore.DB].
func (s *db) Store(ctx context.Context, p sqlstore.Plan) error {
	return s.writer.do(ctx, func(st *writeStatements) error { return st.run(p) })
}

// Write implements [sqlstore.DB]. Only one writes.
func (s *db) Write(ctx context.Context, run func(sqlstore.Tx) error, _ ...store.UserID) error {
	return s.writer.do(ctx, func(st *writeStatements) error { return run(st) })
}

// run carries out the plan within the transaction.
func (s *writeStatements) run(p sqlstore.Plan) error {
	for _, step := range p.Steps {
		rows, err := s.Exec(step.Query, step.Args...)
		if err != nil {
			return err
		}
		if step.Rows != nil {
			*step.Rows = rows
		}
	}
	return nil
}

// Exec implements [sqlstore.Tx].
func (s *writeStatements) Exec(q *sqlstore.Query, args ...any) (int64, error) {
	if q.SQLite == "" {
		return 0, nil
	}
	stmt, err := s.prepared.get(context.Background(), q)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Row implements [sqlstore.Tx].
func (s *writeStatements) Row(q *sqlstore.Query, args []any, into ...any) (bool, error) {
	stmt, err := s.prepared.get(context.Background(), q)
	if err != nil {
		return false, err
	}
	err = stmt.QueryRowContext(context.Background(), args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// readRows calls each for the rows of the statement.
func (s *Store) readRows(ctx context.Context, which func(*readStatements) *sql.Stmt, args []any, each func(sqlstore.Row) error) error {
	return s.read(ctx, func(ctx context.Context, st *readStatements) error {
		rows, err := which(st).QueryContext(ctx, args...) //nolint:sqlclosecheck // the statement is kept
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // rows.Err says it
		for rows.Next() {
			if err := each(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// readAll returns the records of the table that the statement selects.
func readAll[T any](ctx context.Context, s *Store, t sqlstore.Table[T], which func(*readStatements) *sql.Stmt, args ...any) ([]T, error) {
	var all []T
	err := s.readRows(ctx, which, args, func(r sqlstore.Row) error {
		record, err := t.Scan(r)
		all = append(all, record)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// readOne returns the record of the table that the statement selects, or
// [store.ErrNotFound].
func readOne[T any](ctx context.Context, s *Store, t sqlstore.Table[T], which func(*readStatements) *sql.Stmt, args ...any) (T, error) {
	all, err := readAll(ctx, s, t, which, args...)
	switch {
	case err != nil:
		return *new(T), err
	case len(all) == 0:
		return *new(T), fmt.Errorf("%s %v: %w", t.Name, args, store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// readRow runs a statement that has one row, or [store.ErrNotFound].
func (s *Store) readRow(ctx context.Context, which func(*readStatements) *sql.Stmt, args []any, into ...any) error {
	err := s.read(ctx, func(ctx context.Context, st *readStatements) error {
		return which(st).QueryRowContext(ctx, args...).Scan(into...) //nolint:sqlclosecheck // the statement is kept
	})
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// shown reads the version of a record and where Discord shows which one.
func (s *Store) shown(ctx context.Context, which func(*readStatements) *sql.Stmt, id int64) (v store.Shown, err error) {
	err = s.readRow(ctx, which, []any{id}, sqlstore.NumberAt(&v.Version), sqlstore.TextAt(&v.Message), sqlstore.NumberAt(&v.Drawn), sqlstore.TextAt(&v.Notice), sqlstore.NumberAt(&v.Moves))
	return v, err
}
