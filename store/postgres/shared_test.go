package postgres_test

import (
	"errors"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
	"tictactoe/store/storetest"
)

// TestShared has several stores play on one database, each time a database of its own.
// Leases last longer than a test.
func TestShared(t *testing.T) {
	t.Parallel()
	postgrestest.Server(t)
	for _, c := range []struct {
		name, explanation string
		run               func(*testing.T, database)
	}{
		{"Shares", "a domain has one owner; stores that want domains come to have about as many; what one gives back, or has by its end, another takes", testShares},
		{"Wants", "a domain that is not shared stays with who has it, for as long as it is wanted; its owner is told that others want it", testWants},
		{"Fence", "a store stops writing the up-time of a domain that another owns", testFence},
		{"Lapse", "who does not renew leases loses them to others, with the up-times as last saved, and not before their time is over", testLapse},
		{"RaceLeases", "of stores that ask at the same time no two own a domain", testRaceLeases},
		{"Limits", "something is done so often within a time, by all together; the same thing counts once, and all limits count or none", testLimits},
		{"RaceLimits", "as many as may, whoever counts at the same time", testRaceLimits},
		{"Turns", "one has the turn of a bucket, until it passes it on or its time is over", testTurns},
		{"RaceTurns", "of many who ask at the same time one has the turn", testRaceTurns},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("what is promised: %s", c.explanation)
				}
			})
			c.run(t, database(postgrestest.Empty(t)))
		})
	}
}

// database is the address of one on which several stores play.
type database string

// open returns another store on it.
func (d database) open(t *testing.T) *postgres.Store {
	return openAt(t, string(d), postgres.WithDomainLease(time.Hour))
}

// lapse has the time of the store's leases be over.
func (d database) lapse(t *testing.T, s *postgres.Store) {
	postgrestest.Exec(t, string(d), "UPDATE uptime SET ends = now() - interval '1 second' WHERE owner = $1", s.Owner())
	postgrestest.Exec(t, string(d), "UPDATE leases SET ends = now() - interval '1 second' WHERE owner = $1", s.Owner())
}

// everything is what a process wants that has no shards: its share of all domains.
var everything = store.Wanted{Domains: store.AllDomains, Shared: true}

// uptimes returns the up-times with one of them set.
func uptimes(d store.Domain, at time.Duration) (u store.Uptimes) {
	u[d] = at
	return u
}

// own asks the store for leases until it owns so many domains, and returns what it was
// told last.
func own(t *testing.T, s *postgres.Store, want int) store.Leases {
	t.Helper()
	var l store.Leases
	for range 5 { // others give back what they have too much of when they ask
		l = lease(t, s, everything, store.Uptimes{})
		if l.Owned.Count() == want {
			return l
		}
	}
	t.Fatalf("the store owns %d domains, want %d", l.Owned.Count(), want)
	return l
}

func lease(t *testing.T, s *postgres.Store, want store.Wanted, u store.Uptimes) store.Leases {
	t.Helper()
	l, err := s.Lease(t.Context(), want, u)
	if err != nil {
		t.Fatalf("Lease(%+v) = %v", want, err)
	}
	if l.Owned&l.Elsewhere != 0 {
		t.Errorf("both own %b", l.Owned&l.Elsewhere)
	}
	return l
}

func testShares(t *testing.T, db database) {
	first, second := db.open(t), db.open(t)
	own(t, first, store.Domains)
	if l := lease(t, second, everything, store.Uptimes{}); l.Owned != 0 || l.Elsewhere != store.AllDomains {
		t.Errorf("beside one that owns all: %+v", l)
	}
	before := lease(t, first, everything, uptimes(40, 9))
	if before.Owned.Count() != 32 {
		t.Errorf("of two the first owns %d domains, want 32", before.Owned.Count())
	}
	after := own(t, second, 32)
	if before.Owned&after.Owned != 0 || after.Uptimes != uptimes(40, 9) {
		t.Errorf("they own %b and %b with up-times %v", before.Owned, after.Owned, after.Uptimes)
	}
	third := db.open(t)
	lease(t, third, everything, store.Uptimes{})
	one, two := lease(t, first, everything, store.Uptimes{}), lease(t, second, everything, store.Uptimes{})
	three := lease(t, third, everything, store.Uptimes{})
	if one.Owned.Count() != 22 || two.Owned.Count() != 22 || one.Owned|two.Owned|three.Owned != store.AllDomains {
		t.Errorf("three own %d, %d and %d domains", one.Owned.Count(), two.Owned.Count(), three.Owned.Count())
	}
	if l := lease(t, first, store.Wanted{}, store.Uptimes{}); l.Elsewhere != two.Owned|three.Owned {
		t.Errorf("after the first has given back what it had the others own %b, want %b", l.Elsewhere, two.Owned|three.Owned)
	}
	own(t, second, 32)
	own(t, third, 32)
	if err := third.Close(); err != nil {
		t.Error(err)
	}
	own(t, second, store.Domains)
}

func testWants(t *testing.T, db database) {
	first, second := db.open(t), db.open(t)
	wants := func(domains ...store.Domain) (w store.Wanted) {
		for _, d := range domains {
			w.Domains = w.Domains.With(d)
		}
		return w
	}
	has := func(what string, s *postgres.Store, w store.Wanted, owned, waiting []store.Domain) {
		t.Helper()
		l := lease(t, s, w, store.Uptimes{})
		if l.Owned != wants(owned...).Domains || l.Waiting != wants(waiting...).Domains {
			t.Errorf("%s: owns %b while others want %b", what, l.Owned, l.Waiting)
		}
	}
	type list = []store.Domain
	has("the first", first, wants(1, 2, 63), list{1, 2, 63}, nil)
	has("the second", second, wants(2, 3, 63), list{3}, list{1, 2, 63})
	has("the first stays", first, wants(1, 2, 63), list{1, 2, 63}, list{2, 3, 63})
	has("it wants less", first, wants(1, 2), list{1, 2}, list{2, 3, 63})
	has("the second takes it", second, wants(2, 3, 63), list{3, 63}, list{1, 2})
	has("the first is done", first, wants(), nil, list{2, 3, 63})
	has("the second has all", second, wants(2, 3, 63), list{2, 3, 63}, nil)
	has("and keeps it from one that wants all", first, store.Wanted{Domains: store.AllDomains}, without(2, 3, 63), list{2, 3, 63})
}

// without returns the domains but for some.
func without(some ...store.Domain) (all []store.Domain) {
	for d := range store.Domain(store.Domains) {
		if !slices.Contains(some, d) {
			all = append(all, d)
		}
	}
	return all
}

func testFence(t *testing.T, db database) {
	first, second := db.open(t), db.open(t)
	own(t, first, store.Domains)
	want := func(at time.Duration) {
		t.Helper()
		if got, err := first.Uptime(t.Context()); got != uptimes(9, at) || err != nil {
			t.Errorf("Uptime = %v, %v, want %v of domain 9", got, err, at)
		}
	}
	lease(t, second, everything, uptimes(9, 97))
	want(0)
	lease(t, first, everything, uptimes(9, 5))
	want(5)
}

func testLapse(t *testing.T, db database) {
	first, second := db.open(t), db.open(t)
	lease(t, first, everything, store.Uptimes{})
	lease(t, first, everything, uptimes(3, 30))
	lease(t, second, everything, store.Uptimes{})
	if l := lease(t, second, everything, store.Uptimes{}); l.Owned != 0 {
		t.Errorf("the second owns %b before the time of the first is over", l.Owned)
	}
	db.lapse(t, first)
	if l := own(t, second, store.Domains); l.Uptimes != uptimes(3, 30) {
		t.Errorf("up-times of who takes the leases: %v", l.Uptimes)
	}
	if l := lease(t, first, everything, uptimes(3, 400)); l.Owned != 0 || l.Uptimes != uptimes(3, 30) {
		t.Errorf("who has lost its leases owns %b with %v", l.Owned, l.Uptimes[3])
	}
	own(t, second, 32)
	own(t, first, 32)
}

func testRaceLeases(t *testing.T, db database) {
	stores := make([]*postgres.Store, 4)
	for i := range stores {
		stores[i] = db.open(t)
	}
	for _, err := range storetest.Race(func(i int) error {
		_, err := stores[i%len(stores)].Lease(t.Context(), everything, store.Uptimes{})
		return err
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range stores { // as each has asked by now, none takes more than its share
		lease(t, s, everything, store.Uptimes{})
	}
	var all store.DomainSet
	for i := range stores {
		l := lease(t, stores[i], everything, store.Uptimes{})
		if all&l.Owned != 0 {
			t.Errorf("two own %b", all&l.Owned)
		}
		all |= l.Owned
	}
	if all != store.AllDomains {
		t.Errorf("nobody owns %b", store.AllDomains&^all)
	}
}

func testLimits(t *testing.T, db database) {
	one, two := db.open(t), db.open(t)
	count := func(s *postgres.Store, name string, want bool, limits ...store.Limit) {
		t.Helper()
		switch wait, err := s.Count(t.Context(), name, limits); {
		case err != nil:
			t.Errorf("Count(%s) = %v", name, err)
		case want != (wait == 0), wait < 0, wait > time.Hour:
			t.Errorf("Count(%s) has to wait for %v", name, wait)
		}
	}
	person := store.Limit{Key: "person", Most: 2, Within: time.Hour}
	guild := store.Limit{Key: "guild", Most: 3, Within: time.Hour}
	count(one, "a", true, person, guild)
	count(two, "a", true, person, guild)
	count(two, "b", true, person, guild)
	count(one, "c", false, person, guild)
	count(one, "b", true, person, guild)
	other := store.Limit{Key: "other", Most: 2, Within: time.Hour}
	count(one, "d", true, other, guild)
	count(two, "e", false, other, guild) // the guild is full, and the person was not counted
	count(two, "f", true, other)
	if err := one.Uncount(t.Context(), "b", []store.Limit{person, guild}); err != nil {
		t.Error(err)
	}
	count(two, "g", true, person, guild)
	count(two, "h", true, store.Limit{Key: "short", Most: 1, Within: time.Millisecond})
	short := store.Limit{Key: "short", Most: 1, Within: time.Millisecond}
	for range 1000 {
		if wait, err := one.Count(t.Context(), "i", []store.Limit{short}); err == nil && wait == 0 {
			return
		}
	}
	t.Error("what is long ago still counts")
}

func testRaceLimits(t *testing.T, db database) {
	one, two := db.open(t), db.open(t)
	full := errors.New("no room")
	n := 0
	for _, err := range storetest.Race(func(i int) error {
		s := []*postgres.Store{one, two}[i%2]
		wait, err := s.Count(t.Context(), strconv.Itoa(i), []store.Limit{{Key: "k", Most: 7, Within: time.Hour}})
		if wait > 0 {
			return full
		}
		return err
	}) {
		if err == nil {
			n++
		} else if !errors.Is(err, full) {
			t.Error(err)
		}
	}
	if n != 7 {
		t.Errorf("%d had room, want 7", n)
	}
}

func testTurns(t *testing.T, db database) {
	one, two := db.open(t), db.open(t)
	take := func(s *postgres.Store, bucket int, mine bool) string {
		t.Helper()
		name, wait, err := s.TakeTurn(t.Context(), bucket, time.Hour)
		if err != nil || mine != (name != "") || mine != (wait == 0) || wait < 0 || wait > time.Hour {
			t.Errorf("TakeTurn(%d) = %q, %v, %v; want it: %t", bucket, name, wait, err, mine)
		}
		return name
	}
	pass := func(s *postgres.Store, bucket int, name string, after time.Duration) {
		t.Helper()
		if err := s.PassTurn(t.Context(), bucket, name, after); err != nil {
			t.Error(err)
		}
	}
	name := take(one, 0, true)
	take(one, 0, false)
	take(two, 0, false)
	take(two, 1, true)
	pass(two, 0, "another", 0)
	take(two, 0, false)
	pass(one, 0, name, 0)
	other := take(two, 0, true)
	pass(one, 0, name, 0) // which has ended
	take(one, 0, false)
	pass(two, 0, other, time.Hour)
	take(one, 0, false)
	if _, _, err := one.TakeTurn(t.Context(), 2, time.Millisecond); err != nil {
		t.Error(err)
	}
	for range 1000 {
		if name, _, err := two.TakeTurn(t.Context(), 2, time.Hour); err == nil && name != "" {
			return
		}
	}
	t.Error("a turn whose time is over goes on")
}

func testRaceTurns(t *testing.T, db database) {
	one, two := db.open(t), db.open(t)
	var taken atomic.Int64
	for _, err := range storetest.Race(func(i int) error {
		name, _, err := []*postgres.Store{one, two}[i%2].TakeTurn(t.Context(), 0, time.Hour)
		if name != "" {
			taken.Add(1)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if n := taken.Load(); n != 1 {
		t.Errorf("%d have the turn", n)
	}
}
