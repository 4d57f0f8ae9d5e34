package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// sendAlone sends one request statement by statement and looks at each. It returns why
// the request is refused, in the order that [store.Store] promises.
func (w *writer) sendAlone(ctx context.Context, r request) error {
	p := w.begin(r)
	if r.purge != nil {
		p.purge(r.purge)
	}
	if r.recount != nil {
		p.recount(r.recount)
	}
	if r.leasing != nil {
		p.lease(ownerOf(w.id), r.leasing)
	}
	if err := w.send(ctx, p); err != nil {
		return err
	}
	c := r.change
	if c.Interaction != "" {
		tag, err := w.conn.Exec(ctx, claimText, []string{string(c.Interaction)}, []int64{r.claimed})
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fmt.Errorf("%w: %s", store.ErrClaimed, c.Interaction)
		}
	}
	if err := w.wantConsents(ctx, c); err != nil {
		return err
	}
	if err := w.wantPresent(ctx, c); err != nil {
		return err
	}
	if r.erase != nil {
		return r.erase.goOn(ctx, w)
	}
	if r.step != nil {
		return r.step(ctx, w)
	}
	ledger := &pipeline{}
	ledger.erasures(c, w.store.key)
	ledger.results(c, w.store.key)
	ledger.ledger(c)
	ledger.blocks(c, w.store.key)
	if err := w.send(ctx, ledger); err != nil {
		return err
	}
	for _, m := range c.Matches {
		to := target{fmt.Sprintf("match %d", m.ID), m.Version, table.MatchVersion, []any{int64(m.ID)}, store.ErrPlaceTaken}
		if err := w.putInto(ctx, to, newQuery(putMatch(m))); err != nil {
			return err
		}
		seats := &pipeline{}
		seats.seat(m)
		if err := w.send(ctx, seats); constraint(err) != "" {
			return fmt.Errorf("%w: %s", store.ErrSeatTaken, to.name)
		} else if err != nil {
			return err
		}
	}
	for _, ch := range c.Challenges {
		to := target{fmt.Sprintf("challenge %d", ch.ID), ch.Version, table.ChallengeVersion, []any{int64(ch.ID)}, store.ErrPairTaken}
		if err := w.putInto(ctx, to, newQuery(putChallenge(ch))); err != nil {
			return err
		}
	}
	for _, g := range c.Guilds {
		to := target{"settings of guild " + string(g.Guild), g.Version, table.GuildVersion, []any{string(g.Guild)}, nil}
		if err := w.putInto(ctx, to, newQuery(putGuild(g))); err != nil {
			return err
		}
	}
	for _, p := range c.People {
		to := target{"settings of person " + string(p.User), p.Version, table.PersonVersion, []any{string(p.User)}, nil}
		if err := w.putInto(ctx, to, newQuery(putPerson(p))); err != nil {
			return err
		}
	}
	standings := &pipeline{}
	for _, t := range c.Tries {
		standings.places(t)
		to := target{fmt.Sprintf("puzzle %d of %s", t.Day, t.User), t.Version, table.TryVersion, []any{string(t.User), t.Day}, nil}
		if err := w.putInto(ctx, to, newQuery(putTry(t))); err != nil {
			return err
		}
	}
	for _, p := range c.Puzzlers {
		standings.moves(p)
		to := target{"puzzler " + string(p.User), p.Version, table.PuzzlerVersion, []any{string(p.User)}, nil}
		if err := w.putInto(ctx, to, newQuery(putPuzzler(p))); err != nil {
			return err
		}
	}
	for _, p := range c.Posts {
		to := target{"post " + p.Key, p.Version, table.PostVersion, []any{p.Key}, nil}
		if err := w.putInto(ctx, to, newQuery(putPost(p))); err != nil {
			return err
		}
	}
	return w.send(ctx, standings)
}

// query is a text with its arguments.
type query struct {
	text string
	args []any
}

func newQuery(text string, args []any) query { return query{text, args} }

// target is the record that is to be stored.
type target struct {
	name    string
	version int    // that it was read in; 0 to create it
	stored  string // the text that reads the version that is stored
	key     []any
	taken   error // what it means that an index other than the key is in the way
}

// putInto creates the record or stores it over its version.
func (w *writer) putInto(ctx context.Context, to target, q query) error {
	if to.version == 0 {
		switch _, err := w.storedVersion(ctx, to); {
		case err == nil:
			return fmt.Errorf("%w: %s exists", store.ErrConflict, to.name)
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
	}
	tag, err := w.conn.Exec(ctx, q.text, q.args...)
	switch name := constraint(err); {
	case name == "matches_place" || name == "challenges_pair":
		return fmt.Errorf("%w: %s", to.taken, to.name)
	case name != "": // the key: somebody has made it meanwhile
		return fmt.Errorf("%w: %s exists", store.ErrConflict, to.name)
	case err != nil:
		return err
	case tag.RowsAffected() == 1:
		return nil
	}
	switch stored, err := w.storedVersion(ctx, to); {
	case err != nil:
		return err
	case stored != to.version:
		return fmt.Errorf("%w: %s has version %d, not %d", store.ErrConflict, to.name, stored, to.version)
	default:
		return fmt.Errorf("%w: %s", store.ErrImmutable, to.name)
	}
}

// storedVersion returns the stored version of the record, or [store.ErrNotFound].
func (w *writer) storedVersion(ctx context.Context, of target) (v int, err error) {
	err = w.conn.QueryRow(ctx, table.Postgres.Text(of.stored), of.key...).Scan(&v)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, fmt.Errorf("%w: %s", store.ErrNotFound, of.name)
	}
	return v, err
}
