package bot

import (
	"context"
	"strconv"
	"testing"
	"time"

	"tictactoe/store"
)

// TestUptimeOfLeases: the clock of a domain that another process owns is as that last saved
// it and what has passed since, but not for long; one that comes goes on from where it was
// saved; and none is this process's own once its lease may have ended.
func TestUptimeOfLeases(t *testing.T) {
	const length = 8 * time.Second
	domain := store.DomainSet(0).With(1)
	saved := func(at time.Duration) (u store.Uptimes) {
		u[1] = at
		return u
	}
	c := newClocks(t, time.Hour, store.Leases{Length: length, Elsewhere: domain, Uptimes: saved(100 * time.Second), Since: saved(time.Second)})
	want := func(what string, at time.Duration, owned store.DomainSet) {
		t.Helper()
		if got := c.look().all[1]; got != at {
			t.Errorf("%s: the clock shows %v, want %v", what, got, at)
		}
		if got := c.mine(); got != owned {
			t.Errorf("%s: owned are %b, want %b", what, got, owned)
		}
		if got := c.own()[1]; (got != 0) != (owned != 0) {
			t.Errorf("%s: %v would be saved", what, got)
		}
	}
	want("another's", 101*time.Second, 0)
	c.pass(2 * time.Second)
	want("another's, later", 103*time.Second, 0)
	c.served = c.served.Without(domain)
	c.pass(2 * time.Second)
	want("another's, whose shard is away", 103*time.Second, 0)
	c.served = store.AllDomains
	c.leased(store.Leases{Length: length, Elsewhere: domain, Uptimes: saved(100 * time.Second), Since: saved(7 * time.Second)}, time.Now())
	want("of one that may be dead", 104*time.Second, 0)

	mine := store.Leases{Length: length, Owned: domain, Uptimes: saved(102 * time.Second)}
	c.leased(mine, time.Now())
	if come := c.takeBehind(); come != domain {
		t.Errorf("%b have come, want %b", come, domain)
	}
	want("it has come", 102*time.Second, domain)
	c.pass(3 * time.Second)
	want("it goes on", 105*time.Second, domain)
	c.leased(mine, time.Now())
	if come := c.takeBehind(); come != 0 {
		t.Errorf("%b have come again", come)
	}
	want("renewed", 105*time.Second, domain)
	c.leased(mine, time.Now().Add(-length))
	want("not renewed in time", 105*time.Second, 0)
	mine.Uptimes = saved(300 * time.Second)
	c.leased(mine, time.Now())
	want("another had it meanwhile", 300*time.Second, domain)
	c.leased(store.Leases{Length: length, Uptimes: saved(301 * time.Second)}, time.Now())
	c.pass(time.Minute)
	want("nobody's", 301*time.Second, 0)
}

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
	if most := db.granted.Add(time.Hour); b.kit.uptime.leasesEnd().After(most) {
		t.Errorf("the lease ends %v later than it was granted for", b.kit.uptime.leasesEnd().Sub(most))
	}
}

// TestClocksThatComeAreCaughtUpWith: boards that another process has left behind are drawn by
// the one that gets its clocks, and no others.
func TestClocksThatComeAreCaughtUpWith(t *testing.T) {
	b, db := newLeasingBot(t)
	boards := b.standing(t, 2, func(int) time.Duration { return time.Hour })
	boards[1].ID, boards[1].Guild, boards[1].Channel, boards[1].Message = 3, store.GuildID(strconv.Itoa(5<<22)), "3005", "4005"
	if err := b.change.apply(t.Context(), store.Change{Matches: boards[1:]}); err != nil {
		t.Fatal(err)
	}
	for _, m := range boards {
		m.Version, m.CellNames = 1, true
		if err := b.change.apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
	}
	u := b.upkeep
	look := func() []string {
		u.beaten, u.looked = time.Time{}, time.Time{}
		u.beat(t.Context(), b.kit.now())
		b.edits(t) // which waits for the leases
		u.catchUp(t.Context(), b.kit.now())
		return b.edits(t)
	}
	sameEdits(t, "no clock is ours", look())
	db.grants = db.grants.With(boards[1].Guild.Domain())
	sameEdits(t, "one has come", look(), "4005")
	sameEdits(t, "it has stayed", look())
}
