package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/sqlstore"
)

// The statements about erasures.
var (
	erasuresText     = sqlstore.Postgres.Text(sqlstore.Erasures)
	erasingText      = sqlstore.Postgres.Text(sqlstore.Erasing)
	openMatchesText  = sqlstore.Postgres.Text(sqlstore.OpenMatches)
	challengesOfText = sqlstore.Postgres.Text(sqlstore.ChallengesOf)
	beginErasureText = sqlstore.Postgres.Text(sqlstore.BeginErasure)
	rememberText     = sqlstore.Postgres.Text(sqlstore.Remember)
	purgeFormerText  = sqlstore.Postgres.Text(sqlstore.PurgeFormer)
)

// forgetLimitsText forgets what was counted lately for a person, whose keys end with a u and
// their id.
const forgetLimitsText = "DELETE FROM limits WHERE right(key, length(?1) + 2) = ' u' || ?1"

// readKey returns the key of the database, which is made when it is first opened.
func readKey(ctx context.Context, conn *pgx.Conn) (key sqlstore.Key, err error) {
	if _, err := conn.Exec(ctx, sqlstore.Postgres.Text(sqlstore.PutKey), string(sqlstore.NewKey())); err != nil {
		return "", err
	}
	return key, conn.QueryRow(ctx, sqlstore.ReadKey).Scan(&key)
}

// erase is an erasure that goes on: what it came to is to be read only when the outcome is
// known.
type erase struct {
	store.Erasure
	limit int
	step  store.ErasureStep
}

// transaction is the one of the writer that is under way. It implements [erasing.DB].
type transaction struct {
	ctx context.Context
	w   *writer
}

// Exec implements [erasing.DB].
func (t transaction) Exec(text string, args ...any) (int64, error) {
	st := newStatement(sqlstore.Postgres.Text(text))
	tag, err := t.w.conn.Exec(t.ctx, st.text, st.choose(args)...)
	return tag.RowsAffected(), err
}

// Row implements [erasing.DB].
func (t transaction) Row(text string, args []any, into ...any) (bool, error) {
	st := newStatement(sqlstore.Postgres.Text(text))
	err := t.w.conn.QueryRow(t.ctx, st.text, st.choose(args)...).Scan(into...)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// goOn goes on with the erasure.
func (e *erase) goOn(ctx context.Context, w *writer) (err error) {
	t := transaction{ctx, w}
	forgetLimits := func(user string) (bool, error) {
		_, err := t.Exec(forgetLimitsText, user)
		return true, err
	}
	if e.step, err = erasing.Step(t, w.store.key, e.Erasure, e.limit, forgetLimits); err != nil || e.step != erasing.Cleans {
		return err
	}
	e.step = store.ErasureDone // what the server's files hold is the server's affair
	return erasing.End(t, e.Erasure)
}

// Erase implements [store.Store].
func (s *Store) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	r := &erase{Erasure: e, limit: limit}
	if err := s.writer.queue.Do(ctx, request{step: r.goOn, erases: e.User}); err != nil {
		return 0, err
	}
	return r.step, nil
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
	add(r.erases)
	return people
}

// presents adds what refuses the change where somebody is being erased.
func (p *pipeline) presents(c store.Change) {
	for _, user := range c.Named() {
		p.want(0, fmt.Errorf("%w: %s", store.ErrErasing, user), erasingText, string(user))
	}
}

// erasures adds what begins the erasures of the change.
func (p *pipeline) erasures(c store.Change, k sqlstore.Key) {
	for _, e := range c.Erasures {
		p.addAny(beginErasureText, string(e.User), string(e.Pseudonym), e.Begun.UnixMilli())
		p.addAny(rememberText, k.Hash(e.User), string(e.Pseudonym), store.DayOf(e.Begun))
	}
}

// Erasures implements [store.Store].
func (s *Store) Erasures(ctx context.Context, limit int) ([]store.Erasure, error) {
	return readEach(ctx, s, sqlstore.ScanErasure, erasuresText, max(limit, 0))
}

// Erasing implements [store.Store].
func (s *Store) Erasing(ctx context.Context, user store.UserID) (bool, error) {
	var begun int64
	err := s.readRow(ctx, erasingText, []any{string(user)}, &begun)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// OpenMatches implements [store.Store].
func (s *Store) OpenMatches(ctx context.Context, user store.UserID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, openMatchesText, string(user), max(limit, 0))
}

// ChallengesOf implements [store.Store].
func (s *Store) ChallengesOf(ctx context.Context, user store.UserID, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, sqlstore.Challenges, challengesOfText, string(user), max(limit, 0))
}
