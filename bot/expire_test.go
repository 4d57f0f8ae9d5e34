package bot

import (
	"context"
	"errors"
	"testing"
	"time"

	"tictactoe/store"
)

// oddMatch is a store that does not take one match.
type oddMatch struct {
	store.Store
	match store.MatchID
}

func (s *oddMatch) Apply(ctx context.Context, c store.Change) error {
	for _, m := range c.Matches {
		if m.ID == s.match {
			return errors.New("odd")
		}
	}
	return s.Store.Apply(ctx, c)
}

// A match that cannot be ended keeps no other one waiting that has fallen due.
func TestOneThatDoesNotEndHoldsUpNoOthers(t *testing.T) {
	clock, db := &testClock{now: time.Now()}, &oddMatch{}
	b := newLoneBot(t, func(o *Options) { db.Store, o.Store, o.Now = o.Store, db, clock.Now })
	boards := b.standing(t, 3, func(i int) time.Duration { return time.Duration(i+1) * time.Minute })
	db.match = boards[0].ID
	clock.advance(time.Hour)
	if err := b.upkeep.Expire(t.Context()); err == nil {
		t.Error("nobody is told of the one that does not end")
	}
	for i, want := range []store.State{store.Active, store.Ended, store.Ended} {
		if m, err := b.store.Match(t.Context(), boards[i].ID); m.State != want || err != nil {
			t.Errorf("match %d is %v, %v", m.ID, m.State, err)
		}
	}
}
