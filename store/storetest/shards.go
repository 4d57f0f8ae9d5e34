package storetest

import (
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/store"
)

// RunTurns is RunShared for stores that are [store.Turns].
func RunTurns(t *testing.T, database func(t *testing.T) Database) {
	runShared(t, database, []sharedCase{
		{"Turns", "one has the turn of a bucket, until it passes it on or its time is over", testTurns},
		{"RaceTurns", "of many who ask at the same time one has the turn", testRaceTurns},
	})
}

func turns(t *testing.T, db Database) (one, two store.Turns) {
	return db.Open(t).(store.Turns), db.Open(t).(store.Turns)
}

func testTurns(t *testing.T, db Database) {
	one, two := turns(t, db)
	take := func(s store.Turns, bucket int, mine bool) string {
		t.Helper()
		name, wait, err := s.TakeTurn(t.Context(), bucket, time.Hour)
		if err != nil || mine != (name != "") || mine != (wait == 0) || wait < 0 || wait > time.Hour {
			t.Errorf("TakeTurn(%d) = %q, %v, %v; want it: %t", bucket, name, wait, err, mine)
		}
		return name
	}
	pass := func(s store.Turns, bucket int, name string, after time.Duration) {
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

func testRaceTurns(t *testing.T, db Database) {
	one, two := turns(t, db)
	var taken atomic.Int64
	for _, err := range Race(func(i int) error {
		name, _, err := []store.Turns{one, two}[i%2].TakeTurn(t.Context(), 0, time.Hour)
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
