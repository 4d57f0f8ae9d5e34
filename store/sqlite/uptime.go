package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// Uptime implements [store.Store].
func (s *Store) Uptime(ctx context.Context) (u store.Uptimes, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.uptime }, nil, func(r sqlstore.Row) error {
		var d store.Domain
		var elapsed time.Duration
		if err := r.Scan(sqlstore.NumberAt(&d), sqlstore.NumberAt(&elapsed)); err != nil {
			return err
		}
		u[d] = elapsed
		return nil
	})
	return u, err
}

// NextDeadlines implements [store.Store].
func (s *Store) NextDeadlines(ctx context.Context) (next store.Uptimes, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.nextDeadlines }, nil, func(r sqlstore.Row) error {
		var d store.Domain
		var at sql.Null[int64]
		if err := r.Scan(sqlstore.NumberAt(&d), &at); err != nil {
			return err
		}
		if deadline := time.Duration(at.V); at.Valid && (next[d] == 0 || deadline < next[d]) {
			next[d] = deadline
		}
		return nil
	})
	return next, err
}

// Lease implements [store.Store]. A file is one process's: it owns every domain.
func (s *Store) Lease(ctx context.Context, _ store.Wanted, u store.Uptimes) (l store.Leases, err error) {
	err = s.writer.do(ctx, func(st *writeStatements) error {
		for d, at := range u {
			if at <= 0 {
				continue
			}
			if _, err := st.saveUptime.ExecContext(context.Background(), d, int64(at)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return l, err
	}
	l.Owned = store.AllDomains
	l.Uptimes, err = s.Uptime(ctx)
	return l, err
}

// Claimed implements [store.Store].
func (s *Store) Claimed(ctx context.Context, id store.InteractionID) (claimed bool, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.claimed }, []any{string(id)}, func(r sqlstore.Row) error {
		return r.Scan(&claimed)
	})
	return claimed, err
}

// KeepSession implements [store.Store].
func (s *Store) KeepSession(ctx context.Context, k store.Session) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.keepSession.ExecContext(context.Background(), sqlstore.KeptSession(k, time.Now())...)
		return err
	})
}

// TakeSession implements [store.Store].
func (s *Store) TakeSession(ctx context.Context, of store.Session) (store.Session, error) {
	err := s.writer.do(ctx, func(st *writeStatements) error {
		err := st.takeSession.QueryRowContext(context.Background(), sqlstore.SessionOf(of, time.Now())...).Scan(&of.ID, &of.URL, &of.Sequence)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrNotFound
		}
		return err
	})
	return of, err
}

// Check implements [store.Store]. Its commit notes when the file was last written, and
// finds out whether the file was deleted or replaced since it was opened.
func (s *Store) Check(ctx context.Context) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.written.ExecContext(context.Background(), time.Now().UnixMilli())
		return err
	})
}
