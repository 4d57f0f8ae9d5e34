package postgres_test

import (
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// leases has a store ask for domains, or only whose they are.
func leases(t *testing.T, s *postgres.Store, want bool) store.Leases {
	t.Helper()
	var wanted store.Wanted
	if want {
		wanted = store.Wanted{Domains: store.AllDomains, Shared: true}
	}
	l, err := s.Lease(t.Context(), wanted, store.Uptimes{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestDomainsOfTheKilled: whoever was killed is owner of nothing once the leases are over,
// and the others share its clock domains among themselves alone.
func TestDomainsOfTheKilled(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	player := func() *postgres.Store {
		return openAt(t, address, postgres.WithDomainLease(time.Hour))
	}
	killed, lives, looks := player(), player(), player()
	leases(t, killed, true)
	leases(t, lives, true)
	leases(t, killed, true) // gives up what the other is due
	if l := leases(t, lives, true); l.Owned.Count() != store.Domains/2 || l.Elsewhere.Count() != store.Domains/2 {
		t.Fatalf("one of two has %d domains and sees %d elsewhere", l.Owned.Count(), l.Elsewhere.Count())
	}
	if l := leases(t, looks, false); l.Owned.Count() != 0 || l.Elsewhere.Count() != store.Domains {
		t.Errorf("whoever only looks has %d domains and sees %d elsewhere", l.Owned.Count(), l.Elsewhere.Count())
	}

	// The first one's time is over: its lease as a player, and those of the domains that the
	// second one does not have.
	postgrestest.Exec(t, address, `UPDATE uptime SET ends = now() - interval '1 second', saved = now() - interval '1 minute'
		WHERE owner = (SELECT owner FROM uptime WHERE domain = 0)`)
	postgrestest.Exec(t, address, `UPDATE leases SET ends = now() - interval '1 second'
		WHERE name LIKE 'player %' AND owner = (SELECT owner FROM uptime WHERE domain = 0)`)
	l := leases(t, looks, false)
	if l.Elsewhere.Count() != store.Domains/2 || l.Elsewhere.Has(0) {
		t.Errorf("%d domains have owners, domain 0 %t; want half of them without it", l.Elsewhere.Count(), l.Elsewhere.Has(0))
	}
	if l.Since[0] != 0 {
		t.Errorf("domain 0, which is nobody's, was saved %v ago", l.Since[0])
	}
	if l = leases(t, lives, true); l.Owned.Count() != store.Domains {
		t.Errorf("the one that lives has %d domains, want all", l.Owned.Count())
	}

	// What is renewed is saved: others count time from then.
	postgrestest.Exec(t, address, "UPDATE uptime SET saved = now() - interval '1 hour'")
	if l = leases(t, looks, false); l.Since[0] < 59*time.Minute {
		t.Errorf("domain 0 was saved %v ago, want an hour", l.Since[0])
	}
	leases(t, lives, true)
	if l = leases(t, looks, false); l.Since[0] > 30*time.Minute {
		t.Errorf("domain 0 was saved %v ago, though it was just renewed", l.Since[0])
	}
}

// TestPlayersAreForgotten: the leases of stores that were not closed go a day after they have
// ended.
func TestPlayersAreForgotten(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	openAt(t, address)
	postgrestest.Exec(t, address, `INSERT INTO leases (name, owner, ends) VALUES
		('player old', 'old', now() - interval '25 hours'), ('player new', 'new', now() - interval '23 hours'), ('other', 'old', now() - interval '25 hours')`)
	openAt(t, address)
	var names string
	postgrestest.Scan(t, address, "SELECT string_agg(name, ', ' ORDER BY name) FROM leases WHERE owner IN ('old', 'new')", &names)
	if names != "other, player new" {
		t.Errorf("leases of %q are kept, want those of the last day and all that are none of players", names)
	}
}
