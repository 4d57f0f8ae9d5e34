package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// readKey returns the key of the database, which is made when it is first opened.
func readKey(ctx context.Context, conn *pgx.Conn) (key sqlstore.Key, err error) {
	if _, err := conn.Exec(ctx, sqlstore.Postgres.Text(sqlstore.PutKey), string(sqlstore.NewKey())); err != nil {
		return "", err
	}
	return key, conn.QueryRow(ctx, sqlstore.ReadKey).Scan(&key)
}

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
	for _, user := range r.change.Named() {
		add(user)
	}
	for _, e := range r.change.Erasures {
		add(e.User)
	}
	for _, m := range r.change.Matches {
		add(m.EndedBy)
	}
	for _, b := range r.change.Blocks {
		add(b.From)
	}
	for _, e := range r.change.Epochs {
		add(e.By)
	}
	for _, a := range r.change.Absences {
		add(a.User)
	}
	for _, user := range r.people {
		add(user)
	}
	return people
}

// presents adds what refuses the change where somebody is being erased.
func (p *pipeline) presents(c store.Change) {
	for _, user := range c.Named() {
		text, args := sqlstore.Erasing.Postgres([]any{string(user)})
		p.want(0, fmt.Errorf("%w: %s", store.ErrErasing, user), text, args...)
	}
}

// erasures adds what begins the erasures of the change.
func (p *pipeline) erasures(c store.Change, k sqlstore.Key) {
	for _, e := range c.Erasures {
		p.add(sqlstore.Step{Query: sqlstore.BeginErasure, Args: []any{string(e.User), string(e.Pseudonym), e.Begun.UnixMilli()}})
		p.add(sqlstore.Step{Query: sqlstore.Remember, Args: []any{k.Hash(e.User), string(e.Pseudonym), store.DayOf(e.Begun)}})
	}
}
