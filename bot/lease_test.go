package bot

import (
	"context"
	"strconv"
	"testing"
	"time"

	"tictactoe/store"
)

// leasing is a store on which several processes play, which grants what it is told to and
// notes what is asked for.
type leasing struct {
	store.Store
	grants  store.DomainSet
	wanted  []store.Wanted
	granted time.Time // when the last lease was
}

func (s *leasing) Lease(_ context.Context, want store.Wanted, _ store.Uptimes) (store.Leases, error) {
	s.wanted, s.granted = append(s.wanted, want), time.Now()
	return store.Leases{Owned: s.grants, Elsewhere: store.AllDomains.Without(s.grants), Length: time.Hour}, nil
}

// newLeasingBot returns a bot that plays on such a database and owns no clock yet.
func newLeasingBot(t *testing.T) (*loneBot, *leasing) {
	t.Helper()
	db := &leasing{}
	return newLoneBot(t, func(o *Options) { db.Store, o.Store = o.Store, db }), db
}

// TestLeaseCountsFromItsQuestion: a process that is new asks for no clocks, and one that has
// asked takes its leases to end no later than the database does, however long the answer took.
func TestLeaseCountsFromItsQuestion(t *testing.T) {
	b, db := newLeasingBot(t)
	if len(db.wanted) != 1 || db.wanted[0] != (store.Wanted{}) {
		t.Errorf("at the start it asks %v for clocks", db.wanted)
	}
	if err := b.Lease(t.Context()); err != nil {
		t.Fatal(err)
	}
	if most := db.granted.Add(time.Hour); b.kit.Clock.LeasesEnd().After(most) {
		t.Errorf("the lease ends %v later than it was granted for", b.kit.Clock.LeasesEnd().Sub(most))
	}
}

// TestClocksThatComeAreCaughtUpWith: boards that another process has left behind are drawn by
// the one that gets its clocks, and no others.
func TestClocksThatComeAreCaughtUpWith(t *testing.T) {
	b, db := newLeasingBot(t)
	boards := b.standing(t, 2, func(int) time.Duration { return time.Hour })
	boards[1].ID, boards[1].Guild, boards[1].Channel, boards[1].Message = 3, store.GuildID(strconv.Itoa(5<<22)), "3005", "4005"
	if err := b.change.Apply(t.Context(), store.Change{Matches: boards[1:]}); err != nil {
		t.Fatal(err)
	}
	for _, m := range boards {
		m.Version, m.RematchTold = 1, true
		if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
	}
	u := b.upkeep
	now := b.kit.Now()
	look := func() []string {
		now = now.Add(time.Hour)
		u.Beat(t.Context(), now)
		b.edits(t) // which waits for the leases
		u.CatchUp(t.Context(), now)
		return b.edits(t)
	}
	sameEdits(t, "no clock is ours", look())
	db.grants = db.grants.With(boards[1].Guild.Domain())
	sameEdits(t, "one has come", look(), "4005")
	sameEdits(t, "it has stayed", look())
}
