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
	length  time.Duration
	asked   func() // called whenever somebody asks
	fails   int    // how often boards that are behind cannot be read
}

func (s *leasing) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	if s.fails--; s.fails >= 0 {
		return nil, store.ErrUnreachable
	}
	return s.Store.UndrawnMatches(ctx, since, after, limit)
}

func (s *leasing) Lease(_ context.Context, want store.Wanted, _ store.Uptimes) (store.Leases, error) {
	if s.asked != nil {
		s.asked()
	}
	s.wanted, s.granted = append(s.wanted, want), time.Now()
	return store.Leases{Owned: s.grants, Elsewhere: store.AllDomains &^ s.grants, Length: s.length}, nil
}

// newLeasingBot returns a bot that plays on such a database and owns no clock yet.
func newLeasingBot(t *testing.T, options ...func(*Options)) (*loneBot, *leasing) {
	t.Helper()
	db := &leasing{length: time.Hour}
	return newLoneBot(t, append(options, func(o *Options) { db.Store, o.Store = o.Store, db })...), db
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
	b, db := newLeasingBot(t, func(o *Options) {
		o.Wanted = func() store.Wanted { return store.Wanted{Domains: store.AllDomains} } // as with shards
	})
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
	db.grants, db.fails = db.grants.With(boards[1].Guild.Domain()), 1
	sameEdits(t, "one has come, and cannot be read", look())
	sameEdits(t, "it is tried again", look(), "4005")
	sameEdits(t, "it has stayed", look())
}

// TestBoardsBehindWhereAnyProcessPlaysAnywhere: where clocks come to one of several processes,
// it draws what is behind in any domain, once the others had the time to say what they have
// shown, and not what they store meanwhile.
func TestBoardsBehindWhereAnyProcessPlaysAnywhere(t *testing.T) {
	clock := &testClock{now: time.Now()}
	b, db := newLeasingBot(t, func(o *Options) { o.Now = clock.Now })
	db.length = 20 * time.Millisecond
	move := func(m store.Match) {
		m.Version, m.RematchTold = m.Version+1, true
		if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
	}
	boards := b.standing(t, 2, func(int) time.Duration { return time.Hour })
	move(boards[0])
	clock.advance(time.Millisecond)
	if err := b.Lease(t.Context()); err != nil {
		t.Fatal(err)
	}
	come := time.Now()
	db.asked = func() { move(boards[1]) } // the last thing before it looks
	b.upkeep.RedrawBehind(t.Context(), 0)
	sameEdits(t, "of both", b.edits(t), string(boards[0].Message))
	if waited := db.granted.Sub(come); waited < db.length {
		t.Errorf("it has waited %v, and a lease lasts %v", waited, db.length)
	}
	db.grants, db.asked = store.AllDomains, nil
	if err := b.Lease(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.upkeep.RedrawBehind(t.Context(), 0)
	sameEdits(t, "nobody else is left", b.edits(t), string(boards[1].Message))
}

// TestTimesThatAnotherProcessShows: where any process plays in any domain, a board whose time is
// nearly up is left alone while another process may be about to show what it has stored.
func TestTimesThatAnotherProcessShows(t *testing.T) {
	clock := &testClock{now: time.Now()}
	b, db := newLeasingBot(t, func(o *Options) { o.Now = clock.Now })
	board := b.standing(t, 1, func(int) time.Duration { return 10 * time.Minute })[0]
	db.grants = db.grants.With(board.Guild.Domain())
	if err := b.Lease(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.kit.Clock.TakeBehind() // nothing is
	look := func() []string {
		b.upkeep.CatchUp(t.Context(), b.kit.Now())
		return b.edits(t)
	}
	sameEdits(t, "just stored", look())
	clock.advance(db.length)
	sameEdits(t, "a lease later", look(), string(board.Message))
}
