package storetest

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"tictactoe/store"
)

// own asks the store for leases until it owns so many domains, and returns what it was
// told last.
func own(t *testing.T, s store.Store, want int) store.Leases {
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

func lease(t *testing.T, s store.Store, want store.Wanted, u store.Uptimes) store.Leases {
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

var leaseCases = []testCase{
	{"Leases", "a store that is alone owns every domain, and saves their up-times with its leases, each later than before", func(t *testing.T, f *fixture) {
		if l := own(t, f, store.Domains); l.Uptimes != (store.Uptimes{}) || l.Elsewhere != 0 {
			t.Errorf("Lease of a new store = %+v", l)
		}
		u := uptimes(5, 50)
		u[63] = 7
		wantEqual(t, "up-times with leases", u)(lease(t, f, everything, u).Uptimes, nil)
		wantEqual(t, "after earlier ones", u)(lease(t, f, everything, uptimes(5, 40)).Uptimes, nil)
		u[5] = 60
		if l := lease(t, f, store.Wanted{}, u); l.Length > 0 && l.Owned != 0 || l.Uptimes != u {
			t.Errorf("after giving back = %+v", l)
		}
		f.reopen(t)
		wantEqual(t, "reopened", u)(own(t, f, store.Domains).Uptimes, nil)
	}},
	{"Claimed", "an interaction is claimed as soon as a change with it is stored, and not by one that is refused", func(t *testing.T, f *fixture) {
		want := func(id store.InteractionID, want bool) {
			t.Helper()
			wantEqual(t, "Claimed "+string(id), want)(f.Claimed(t.Context(), id))
		}
		want("1", false)
		m := match(1, "1", 1)
		f.apply(t, store.Change{Interaction: "1", Matches: []store.Match{m}})
		f.refuses(t, store.Change{Interaction: "2", Matches: []store.Match{m}}, store.ErrConflict)
		want("1", true)
		want("2", false)
	}},
}

// Database is one on which several stores play.
type Database interface {
	// Open returns another store on it, to be closed by a cleanup of t.
	Open(t *testing.T) store.Store
	// Lapse has the time of the store's leases be over.
	Lapse(t *testing.T, s store.Store)
}

// RunShared tests what several stores on one database do, each case with a database of
// its own. Leases last longer than a case.
func RunShared(t *testing.T, database func(t *testing.T) Database) {
	runShared(t, database, []sharedCase{
		{"Shares", "a domain has one owner; stores that want domains come to have about as many; what one gives back, or has by its end, another takes", testShares},
		{"Wants", "a domain that is not shared stays with who has it, for as long as it is wanted; its owner is told that others want it", testWants},
		{"Fence", "a store stops writing the up-time of a domain that another owns", testFence},
		{"Lapse", "who does not renew leases loses them to others, with the up-times as last saved, and not before their time is over", testLapse},
		{"RaceLeases", "of stores that ask at the same time no two own a domain", testRaceLeases},
	})
}

// RunLimits is RunShared for stores that are a [store.Limiter].
func RunLimits(t *testing.T, database func(t *testing.T) Database) {
	runShared(t, database, []sharedCase{
		{"Limits", "something is done so often within a time, by all together; the same thing counts once, and all limits count or none", testLimits},
		{"RaceLimits", "as many as may, whoever counts at the same time", testRaceLimits},
	})
}

// sharedCase is a test of what several stores on one database do.
type sharedCase struct {
	name, explanation string
	run               func(*testing.T, Database)
}

func runShared(t *testing.T, database func(t *testing.T) Database, cases []sharedCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("what is promised: %s", c.explanation)
				}
			})
			c.run(t, database(t))
		})
	}
}

func testShares(t *testing.T, db Database) {
	first, second := db.Open(t), db.Open(t)
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
	third := db.Open(t)
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

func testWants(t *testing.T, db Database) {
	first, second := db.Open(t), db.Open(t)
	wants := func(domains ...store.Domain) (w store.Wanted) {
		for _, d := range domains {
			w.Domains = w.Domains.With(d)
		}
		return w
	}
	has := func(what string, s store.Store, w store.Wanted, owned, waiting []store.Domain) {
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

func testFence(t *testing.T, db Database) {
	first, second := db.Open(t), db.Open(t)
	own(t, first, store.Domains)
	want := func(at time.Duration) {
		t.Helper()
		got, err := first.Uptime(t.Context())
		wantEqual(t, "Uptime", uptimes(9, at))(got, err)
	}
	lease(t, second, everything, uptimes(9, 97))
	want(0)
	lease(t, first, everything, uptimes(9, 5))
	want(5)
}

func testLapse(t *testing.T, db Database) {
	first, second := db.Open(t), db.Open(t)
	lease(t, first, everything, store.Uptimes{})
	lease(t, first, everything, uptimes(3, 30))
	lease(t, second, everything, store.Uptimes{})
	if l := lease(t, second, everything, store.Uptimes{}); l.Owned != 0 {
		t.Errorf("the second owns %b before the time of the first is over", l.Owned)
	}
	db.Lapse(t, first)
	l := own(t, second, store.Domains)
	wantEqual(t, "Uptime", uptimes(3, 30))(l.Uptimes, nil)
	if l := lease(t, first, everything, uptimes(3, 400)); l.Owned != 0 || l.Uptimes != uptimes(3, 30) {
		t.Errorf("who has lost its leases owns %b with %v", l.Owned, l.Uptimes[3])
	}
	own(t, second, 32)
	own(t, first, 32)
}

func testRaceLeases(t *testing.T, db Database) {
	stores := make([]store.Store, 4)
	for i := range stores {
		stores[i] = db.Open(t)
	}
	for _, err := range Race(func(i int) error {
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
		t.Errorf("nobody owns %b", store.AllDomains.Without(all))
	}
}

func testLimits(t *testing.T, db Database) {
	one, two := limiters(t, db)
	count := func(s store.Limiter, name string, want bool, limits ...store.Limit) {
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

func testRaceLimits(t *testing.T, db Database) {
	one, two := limiters(t, db)
	full := errors.New("no room")
	n := 0
	for _, err := range Race(func(i int) error {
		s := []store.Limiter{one, two}[i%2]
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

func limiters(t *testing.T, db Database) (one, two store.Limiter) {
	return db.Open(t).(store.Limiter), db.Open(t).(store.Limiter)
}
