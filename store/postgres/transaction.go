package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store/internal/sqlstore"
)

// transaction is one that is under way. It implements [sqlstore.Tx].
type transaction struct {
	ctx context.Context
	on  interface {
		Exec(ctx context.Context, text string, args ...any) (pgconn.CommandTag, error)
		QueryRow(ctx context.Context, text string, args ...any) pgx.Row
	}
}

// Exec implements [sqlstore.Tx].
func (t transaction) Exec(q *sqlstore.Query, args ...any) (int64, error) {
	text, args := q.Postgres(args)
	if text == "" {
		return 0, nil
	}
	tag, err := t.on.Exec(t.ctx, text, args...)
	return tag.RowsAffected(), err
}

// Row implements [sqlstore.Tx].
func (t transaction) Row(q *sqlstore.Query, args []any, into ...any) (bool, error) {
	text, args := q.Postgres(args)
	err := t.on.QueryRow(t.ctx, text, args...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
