package postgres_test

import (
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/postgres/postgrestest"
)

// TestRestored opens tables that are not those that were written last, as a dump leaves
// them that was restored: clocks begin anew and boards are drawn again, once.
func TestRestored(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	m, over := newMatch(1), newMatch(2)
	m.Clock, m.Deadline = time.Minute, time.Hour+5*time.Second
	over.Place, over.State, over.EndReason = 2, store.Ended, store.Abandoned
	s := openAt(t, address)
	if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{m, over}}); err != nil {
		t.Fatal(err)
	}
	var up store.Uptimes
	up[m.Guild.Domain()] = time.Hour
	for range 2 { // what is owned is saved
		if _, err := s.Lease(t.Context(), store.Wanted{Domains: store.AllDomains}, up); err != nil {
			t.Fatal(err)
		}
	}
	reopen := func() {
		t.Helper()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openAt(t, address)
	}
	want := func(when string, id store.MatchID, version int, deadline time.Duration) {
		t.Helper()
		got, err := s.Match(t.Context(), id)
		if err != nil || got.Version != version || got.Deadline != deadline {
			t.Errorf("%s match %d has version %d and deadline %v (%v), want %d and %v", when, id, got.Version, got.Deadline, err, version, deadline)
		}
	}
	reopen()
	want("opened again,", 1, 1, m.Deadline)
	for _, text := range []string{
		"ALTER TABLE matches RENAME TO dumped",
		"CREATE TABLE matches (LIKE dumped INCLUDING ALL)",
		"INSERT INTO matches SELECT * FROM dumped",
		"DROP TABLE dumped",
	} {
		postgrestest.Exec(t, address, text)
	}
	for range 2 {
		reopen()
		want("restored,", 1, 2, time.Hour+time.Minute)
		want("restored,", 2, 1, 0)
	}
}
