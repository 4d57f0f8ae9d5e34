package postgres

import (
	"context"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// The texts that read what is kept about a person, by part: the first rows and the next.
var keptFirstTexts, keptNextTexts = func() (first, next []string) {
	for _, k := range store.KeptParts {
		first = append(first, sqlstore.Postgres.Text(sqlstore.KeptFirst(k)))
		next = append(next, sqlstore.Postgres.Text(sqlstore.KeptNext(k)))
	}
	return first, next
}()

// Kept implements [store.Store].
func (s *Store) Kept(ctx context.Context, user store.UserID, part int, after []any, limit int) ([][]any, error) {
	text := keptFirstTexts[part]
	if after != nil {
		text = keptNextTexts[part]
	}
	scan := func(r sqlstore.Row) ([]any, error) { return sqlstore.KeptRow(store.KeptParts[part], r) }
	return readEach(ctx, s, scan, text, append([]any{string(user), max(limit, 0)}, after...)...)
}
