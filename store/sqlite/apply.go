package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
)

// Apply stores the change. Nil says that it is committed and on the disk. The
// errors are those of package store: [store.ErrClaimed], [store.ErrConflict],
// [store.ErrNotFound] for a record with a version that does not exist,
// [store.ErrPlaceTaken], [store.ErrPairTaken], [store.ErrImmutable] and
// [store.ErrInvalid] are about the change itself, [store.ErrBusy],
// [store.ErrFull], [store.ErrReadOnly] and [store.ErrDamaged] about the database;
// a context that ended before the change was taken up gives its own error. With
// all of these nothing is stored. Only after [store.ErrPending] that is not
// known.
func (s *Store) Apply(ctx context.Context, c store.Change) error {
	if err := c.Validate(); err != nil {
		return err
	}
	claimed := s.opts.now().UnixMilli()
	return s.writer.do(ctx, func(st *writeStatements) error { return st.apply(c, claimed) })
}

// apply stores the change within the transaction.
func (s *writeStatements) apply(c store.Change, claimed int64) error {
	if c.Interaction != "" {
		result, err := s.claim.ExecContext(context.Background(), string(c.Interaction), claimed)
		if err != nil {
			return err
		}
		switch n, err := result.RowsAffected(); {
		case err != nil:
			return err
		case n == 0:
			return fmt.Errorf("%w: %s", store.ErrClaimed, c.Interaction)
		}
	}
	if c.Uptime > 0 {
		if _, err := s.saveUptime.ExecContext(context.Background(), int64(c.Uptime)); err != nil {
			return err
		}
	}
	for _, m := range c.Matches {
		if err := s.putMatch(m); err != nil {
			return err
		}
	}
	for _, ch := range c.Challenges {
		if err := s.putChallenge(ch); err != nil {
			return err
		}
	}
	return nil
}

// Note remembers what was learned. It never waits for the disk, may be called
// after Close, when it does nothing, and ignores a note that is not about exactly
// one record or about one that does not exist. Reads show it at once.
func (s *Store) Note(n store.Note) {
	if !s.writer.isClosed() {
		s.writer.notes.add(n)
	}
}

// note stores what the notes about one record amount to and returns what it shows
// then, or [store.ErrNotFound].
func (s *writeStatements) note(key noteKey, p pending) (shown, error) {
	ctx := context.Background()
	var v shown
	var err error
	if key.match != 0 {
		err = s.matchShown.QueryRowContext(ctx, int64(key.match)).Scan(&v.message, &v.drawn, &v.notice)
	} else {
		err = s.challengeShown.QueryRowContext(ctx, int64(key.challenge)).Scan(&v.message)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return shown{}, store.ErrNotFound
	}
	if err != nil {
		return shown{}, err
	}
	after := p.apply(v)
	switch {
	case after == v:
	case key.match != 0:
		_, err = s.noteMatch.ExecContext(ctx, int64(key.match), string(after.message), after.drawn, string(after.notice))
	default:
		_, err = s.noteChallenge.ExecContext(ctx, int64(key.challenge), string(after.message))
	}
	return after, err
}

// flush stores the pending notes, with a commit of their own if need be.
func (s *Store) flush(ctx context.Context) error {
	if s.writer.notes.count() == 0 {
		return ctx.Err()
	}
	return s.writer.do(ctx, func(*writeStatements) error { return nil })
}

// purgeStep is how many records Purge deletes with one commit, so that other
// changes do not wait long.
const purgeStep = 500

// Purge deletes the claims that were made before the one time, and the challenges
// that were last stored without being open before the other, in steps between which
// other changes are stored.
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time) error {
	purge := func(before time.Time, which func(*writeStatements) *sql.Stmt) error {
		for deleted := int64(purgeStep); deleted == purgeStep; {
			var n int64 // not shared with a step whose outcome is pending
			err := s.writer.do(ctx, func(st *writeStatements) error {
				result, err := which(st).ExecContext(context.Background(), before.UnixMilli(), purgeStep) //nolint:sqlclosecheck // kept for as long as the store
				if err != nil {
					return err
				}
				n, err = result.RowsAffected()
				return err
			})
			if err != nil {
				return err
			}
			deleted = n
		}
		return nil
	}
	if err := purge(claims, func(st *writeStatements) *sql.Stmt { return st.purgeClaims }); err != nil {
		return err
	}
	return purge(challenges, func(st *writeStatements) *sql.Stmt { return st.purgeChallenges })
}
