package sqlite

import (
	"context"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// Query implements [sqlstore.DB]. The context with which it reads does not end: to watch one
// that can, database/sql and the driver start a goroutine each at every read, which costs as
// much as half of a small one. A context that ends is heeded while the read waits for its turn.
func (s db) Query(ctx context.Context, q *sqlstore.Query, args []any, read func(sqlstore.Cursor) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer store.Spending(ctx)()
	select {
	case s.readers <- struct{}{}:
		defer func() { <-s.readers }()
	case <-s.closed:
		return store.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := s.Err(); err != nil {
		return err
	}
	err := s.conn.reads.read(context.WithoutCancel(ctx), q, args, read)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return s.told(err)
}

// read calls f for the rows of the query.
func (p *prepared) read(ctx context.Context, q *sqlstore.Query, args []any, f func(sqlstore.Cursor) error) error {
	stmt, err := p.get(ctx, q) //nolint:sqlclosecheck // it is kept
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err says it
	if err := f(rows); err != nil {
		return err
	}
	return rows.Err()
}

// Apply implements [sqlstore.DB].
func (s db) Apply(ctx context.Context, p sqlstore.Plan) error {
	return s.writer.queue.Do(ctx, func(t *transaction) error { return t.run(p.Steps) })
}

// Write implements [sqlstore.DB]. Only one writes.
func (s db) Write(ctx context.Context, run func(sqlstore.Tx) error, _ ...store.UserID) error {
	return s.writer.queue.Do(ctx, func(t *transaction) error { return run(t) })
}

// Loosely implements [sqlstore.DB]. Every commit is flushed.
func (s db) Loosely(ctx context.Context, run func(sqlstore.Tx) error) error {
	return s.Write(ctx, run)
}
