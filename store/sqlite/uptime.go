package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// Uptime implements [store.Store].
func (s *Store) Uptime(ctx context.Context) (u store.Uptimes, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.uptime }, nil, func(r table.Row) error {
		var d store.Domain
		var elapsed time.Duration
		if err := r.Scan(table.NumberAt(&d), table.NumberAt(&elapsed)); err != nil {
			return err
		}
		u[d] = elapsed
		return nil
	})
	return u, err
}

// NextDeadlines implements [store.Store].
func (s *Store) NextDeadlines(ctx context.Context) (next store.Uptimes, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.nextDeadlines }, nil, func(r table.Row) error {
		var d store.Domain
		var at sql.Null[int64]
		if err := r.Scan(table.NumberAt(&d), &at); err != nil {
			return err
		}
		if deadline := time.Duration(at.V); at.Valid && (next[d] == 0 || deadline < next[d]) {
			next[d] = deadline
		}
		return nil
	})
	return next, err
}

// SaveUptime implements [store.Store].
func (s *Store) SaveUptime(ctx context.Context, u store.Uptimes) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		for d, at := range u {
			if err := st.saveUptimeOf(store.Domain(d), at); err != nil { //nolint:gosec // fewer than 64
				return err
			}
		}
		return nil
	})
}

// Lease implements [store.Store]. A file is one process's: it owns every domain.
func (s *Store) Lease(ctx context.Context, _ bool, u store.Uptimes) (l store.Leases, err error) {
	if u != (store.Uptimes{}) {
		if err := s.SaveUptime(ctx, u); err != nil {
			return l, err
		}
	}
	l.Owned = store.AllDomains
	l.Uptimes, err = s.Uptime(ctx)
	return l, err
}

// Claimed implements [store.Store].
func (s *Store) Claimed(ctx context.Context, id store.InteractionID) (claimed bool, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.claimed }, []any{string(id)}, func(r table.Row) error {
		return r.Scan(&claimed)
	})
	return claimed, err
}

// saveUptimeOf stores the up-time of the domain if it is later than the stored one.
func (s *writeStatements) saveUptimeOf(d store.Domain, uptime time.Duration) error {
	if uptime <= 0 {
		return nil
	}
	_, err := s.saveUptime.ExecContext(context.Background(), int64(d), int64(uptime))
	return err
}

// Check implements [store.Store]. Its commit notes when the file was last written, and
// finds out whether the file was deleted or replaced since it was opened.
func (s *Store) Check(ctx context.Context) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.written.ExecContext(context.Background(), time.Now().UnixMilli())
		return err
	})
}
