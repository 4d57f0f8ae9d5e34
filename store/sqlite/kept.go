package sqlite

import (
	"context"
	"database/sql"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// Kept implements [store.Store].
func (s *Store) Kept(ctx context.Context, user store.UserID, part int, after []any, limit int) (all [][]any, err error) {
	which := 2 * part
	if after != nil {
		which++
	}
	args := append([]any{string(user), max(limit, 0)}, after...)
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.kept[which] }, args, func(r sqlstore.Row) error {
		row, err := sqlstore.KeptRow(store.KeptParts[part], r)
		all = append(all, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
