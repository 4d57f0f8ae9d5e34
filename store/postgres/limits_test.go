package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// counter counts in a database whose rows the test makes older.
type counter struct {
	t       *testing.T
	address string
	store   *postgres.Store
}

func newCounter(t *testing.T) counter {
	t.Parallel()
	address := postgrestest.URL(t)
	return counter{t, address, openAt(t, address)}
}

// count counts the name under the limits and returns for how long it has to wait.
func (c counter) count(name string, limits ...store.Limit) time.Duration {
	c.t.Helper()
	wait, err := c.store.Count(c.t.Context(), name, limits)
	if err != nil {
		c.t.Fatalf("Count(%s) = %v", name, err)
	}
	return wait
}

// age has the name be counted so much earlier under the key.
func (c counter) age(key, name string, by time.Duration) {
	c.t.Helper()
	postgrestest.Exec(c.t, c.address, `UPDATE limits SET counted = jsonb_set(counted, ARRAY[$2::text],
		to_jsonb((counted ->> $2::text)::bigint - $3::bigint)) WHERE key = $1`, key, name, by.Milliseconds())
}

// names returns what is kept under the key, in order.
func (c counter) names(key string) (names []string) {
	c.t.Helper()
	var all string
	postgrestest.Scan(c.t, c.address, "SELECT coalesce((SELECT string_agg(n, ' ' ORDER BY n) FROM limits, jsonb_object_keys(counted) AS n WHERE key = '"+key+"'), '')", &all)
	return strings.Fields(all)
}

// TestLimitsSayWhenThereIsRoom: whoever is refused is told when the oldest of as many as
// may count has gone, and of several limits the latest such moment.
func TestLimitsSayWhenThereIsRoom(t *testing.T) {
	c := newCounter(t)
	person, guild := store.Limit{Key: "person", Most: 2, Within: time.Hour}, store.Limit{Key: "guild", Most: 2, Within: time.Hour}
	for _, name := range []string{"a", "b"} {
		if wait := c.count(name, person, guild); wait != 0 {
			t.Fatalf("%s has to wait for %v", name, wait)
		}
	}
	c.age("person", "a", 50*time.Minute)
	c.age("person", "b", 20*time.Minute)
	c.age("guild", "a", 30*time.Minute)
	one := store.Limit{Key: "person", Most: 1, Within: time.Hour} // as somebody has set meanwhile
	for _, want := range []struct {
		limits []store.Limit
		wait   time.Duration
	}{
		{[]store.Limit{person}, 10 * time.Minute},
		{[]store.Limit{one}, 40 * time.Minute},
		{[]store.Limit{person, guild}, 30 * time.Minute},
		{[]store.Limit{guild, person}, 30 * time.Minute},
	} {
		if wait := c.count("c", want.limits...); wait > want.wait || wait < want.wait-5*time.Minute {
			t.Errorf("under %v it has to wait for %v, want %v", want.limits, wait, want.wait)
		}
	}
}

// TestLimitsForget: who has done something is known for as long as it counts, and no longer
// than until something else is counted or a purge comes by.
func TestLimitsForget(t *testing.T) {
	c := newCounter(t)
	person := store.Limit{Key: "person", Most: 2, Within: time.Hour}
	c.count("a", person)
	c.age("person", "a", 2*time.Hour)
	c.count("b", person)
	if got := c.names("person"); !slices.Equal(got, []string{"b"}) {
		t.Errorf("what is long ago is kept: %q", got)
	}

	rows := func() (n int) {
		postgrestest.Scan(t, c.address, "SELECT count(*) FROM limits", &n)
		return n
	}
	purge := func(limit, want int) {
		t.Helper()
		if _, err := c.store.Purge(t.Context(), time.Time{}, time.Time{}, limit); err != nil {
			t.Fatal(err)
		}
		if got := rows(); got != want {
			t.Errorf("after a purge of %d there are %d rows, want %d", limit, got, want)
		}
	}
	for _, key := range []string{"1", "2", "3"} {
		c.count("c", store.Limit{Key: key, Most: 1, Within: time.Hour})
	}
	purge(9, 4)
	postgrestest.Exec(t, c.address, "UPDATE limits SET until = now() - interval '1 second'")
	c.count("d", person) // which keeps the row from the purge
	purge(2, 2)
	purge(9, 1)
	if got := c.names("person"); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("a purge has left %q", got)
	}
}

// TestLimitsOfAStoreThatIsOver: nothing is counted after Close, or in a database that is
// not the one from before.
func TestLimitsOfAStoreThatIsOver(t *testing.T) {
	c := newCounter(t)
	wants := func(s *postgres.Store, want error) {
		t.Helper()
		_, err := s.Count(t.Context(), "a", []store.Limit{{Key: "person", Most: 1, Within: time.Hour}})
		if !errors.Is(err, want) {
			t.Errorf("Count() = %v, want %v", err, want)
		}
		if _, err := s.TakeSession(t.Context(), store.Session{Count: 1}); !errors.Is(err, want) {
			t.Errorf("TakeSession() = %v, want %v", err, want)
		}
	}
	closed := openAt(t, c.address)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	wants(closed, store.ErrClosed)

	postgrestest.Exec(t, c.address, "UPDATE writers SET commits = commits - 1")
	if err := c.store.Check(t.Context()); !errors.Is(err, store.ErrDamaged) {
		t.Fatalf("Check() = %v, want %v", err, store.ErrDamaged)
	}
	wants(c.store, store.ErrDamaged)
	if got := c.names("person"); len(got) > 0 {
		t.Errorf("counted are %q", got)
	}
}

// TestErasureForgetsOnlyTheirLimits: an id that is part of a longer one, or of a guild's, is
// another.
func TestErasureForgetsOnlyTheirLimits(t *testing.T) {
	c := newCounter(t)
	keys := []string{"start u12", "export u12", "start u112", "start u123", "start g12"}
	for _, key := range keys {
		c.count("a", store.Limit{Key: key, Most: 2, Within: time.Hour})
	}
	e := store.Erasure{User: "12", Pseudonym: store.NewPseudonym(), Begun: time.Now()}
	if err := c.store.Apply(t.Context(), store.Change{Erasures: []store.Erasure{e}}); err != nil {
		t.Fatal(err)
	}
	for step := store.ErasureStep(0); step != store.ErasureDone; {
		var err error
		if step, err = c.store.Erase(t.Context(), e, 100); err != nil {
			t.Fatal(err)
		}
	}
	left := slices.DeleteFunc(keys, func(key string) bool { return len(c.names(key)) == 0 })
	if !slices.Equal(left, []string{"start u112", "start u123", "start g12"}) {
		t.Errorf("left are %q", left)
	}
}
