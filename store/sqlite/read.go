package sqlite

import (
	"context"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// read calls f with the readers' statements once a reader is free, and with the
// context to read with. That one does not end: to watch one that can, database/sql
// and the driver start a goroutine each at every read, which costs as much as half
// of a small one. A context that ends is heeded while the read waits.
func (s *Store) read(ctx context.Context, f func(context.Context, *prepared) error) error {
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
	return (*Store)(s).read(ctx, func(ctx context.Context, st *prepared) error {
		stmt, err := st.get(ctx, q)
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
	return s.writer.queue.Do(ctx, func(st *transaction) error { return st.run(p) })
}

// Write implements [sqlstore.DB]. Only one writes.
func (s *db) Write(ctx context.Context, run func(sqlstore.Tx) error, _ ...store.UserID) error {
	return s.writer.queue.Do(ctx, func(st *transaction) error { return run(st) })
}

// Loosely implements [sqlstore.DB]. Every commit is flushed.
func (s *db) Loosely(ctx context.Context, run func(sqlstore.Tx) error) error {
	return s.Write(ctx, run)
}
