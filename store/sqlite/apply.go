package sqlite

import (
	"context"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// Apply implements [store.Store].
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
	for _, consent := range c.Consents {
		if err := s.wantConsent(consent); err != nil {
			return err
		}
	}
	var one int64
	for _, user := range c.Named() {
		if is, err := s.Row(sqlstore.Erasing, []any{string(user)}, &one); err != nil {
			return err
		} else if is {
			return fmt.Errorf("%w: %s", store.ErrErasing, user)
		}
	}
	for _, e := range c.Erasures {
		if _, err := s.Exec(sqlstore.BeginErasure, string(e.User), string(e.Pseudonym), e.Begun.UnixMilli()); err != nil {
			return err
		}
		if _, err := s.Exec(sqlstore.Remember, s.key.Hash(e.User), string(e.Pseudonym), store.DayOf(e.Begun)); err != nil {
			return err
		}
	}
	for _, e := range c.Endings() {
		if err := s.putResult(e); err != nil {
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
	for _, g := range c.Guilds {
		if err := s.guild.put("settings of guild "+string(g.Guild), g.Version, sqlstore.Guilds.Args(&g), string(g.Guild)); err != nil {
			return err
		}
	}
	for _, p := range c.People {
		if err := s.person.put("settings of person "+string(p.User), p.Version, sqlstore.People.Args(&p), string(p.User)); err != nil {
			return err
		}
	}
	for _, b := range c.Blocks {
		if err := s.putBlock(b); err != nil {
			return err
		}
	}
	if err := s.putPuzzles(c); err != nil {
		return err
	}
	for _, p := range c.Posts {
		if err := s.post.put("post "+p.Key, p.Version, sqlstore.Posts.Args(&p), p.Key); err != nil {
			return err
		}
	}
	return s.putLedger(c)
}

// Deliver implements [store.Store].
func (s *Store) Deliver(d store.Delivery) {
	if !s.writer.queue.Closed() {
		s.writer.deliveries.Add(d)
	}
}

// Purge implements [store.Store].
func (s *Store) Purge(ctx context.Context, claims, challenges time.Time, limit int) (int, error) {
	deleted, err := s.shared.Purge(ctx, claims, challenges, limit)
	if err != nil {
		return 0, err
	}
	return deleted, dropCopies(s.db.path, s.opts.now().Add(-copyStays))
}
