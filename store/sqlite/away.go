package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// Seen implements [store.Store].
func (s *Store) Seen(ctx context.Context, from, until time.Time) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		if _, err := st.addAway.ExecContext(context.Background(), from.UnixMilli()); err != nil {
			return err
		}
		_, err := st.noteSeen.ExecContext(context.Background(), until.UnixMilli())
		return err
	})
}

// Away implements [store.Store].
func (s *Store) Away(ctx context.Context, since int64) (store.Away, error) {
	a := store.Away{Days: map[int64]time.Duration{}}
	err := s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.away }, []any{since}, func(r table.Row) error {
		return table.ScanAway(r, &a)
	})
	return a, err
}
