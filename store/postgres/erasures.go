package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
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

// named returns whom the request has to be alone with: nothing that names them may be
// stored while the erasure of one of them begins or ends.
func (r request) named() (people []string) {
	add := func(user store.UserID) {
		if user != "" {
			people = append(people, string(user))
		}
	}
	for _, user := range r.plan.Change.Named() {
		add(user)
	}
	for _, e := range r.plan.Change.Erasures {
		add(e.User)
	}
	for _, m := range r.plan.Change.Matches {
		add(m.EndedBy)
	}
	for _, b := range r.plan.Change.Blocks {
		add(b.From)
	}
	for _, e := range r.plan.Change.Epochs {
		add(e.By)
	}
	for _, a := range r.plan.Change.Absences {
		add(a.User)
	}
	for _, user := range r.people {
		add(user)
	}
	return people
}
