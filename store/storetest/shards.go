package storetest

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/store"
)

// RunShards is RunShared for stores that are a [store.Sharder].
func RunShards(t *testing.T, database func(t *testing.T) Database) {
	runShared(t, database, []sharedCase{
		{"Shards", "a process tells others which shards it has connected, until it says otherwise, is closed, or has lapsed", testShards},
		{"Turns", "one has the turn of a bucket, until it passes it on or its time is over", testTurns},
		{"RaceTurns", "of many who ask at the same time one has the turn", testRaceTurns},
	})
}

func sharders(t *testing.T, db Database) (one, two store.Sharder) {
	return db.Open(t).(store.Sharder), db.Open(t).(store.Sharder)
}

func says(t *testing.T, s store.Sharder, mine ...store.Shard) store.Shards {
	t.Helper()
	seen, err := s.Shards(t.Context(), mine)
	if err != nil {
		t.Fatal(err)
	}
	if seen.Length <= 0 {
		t.Errorf("what was said holds for %v", seen.Length)
	}
	slices.SortFunc(seen.Elsewhere, func(a, b store.Shard) int { return a.ID - b.ID })
	return seen
}

func testShards(t *testing.T, db Database) {
	first, second := db.Open(t), db.Open(t)
	one, two := first.(store.Sharder), second.(store.Sharder)
	wantElsewhere := func(what string, seen store.Shards, want ...store.Shard) {
		t.Helper()
		if !slices.Equal(seen.Elsewhere, want) {
			t.Errorf("%s: elsewhere are %v, want %v", what, seen.Elsewhere, want)
		}
	}
	wantElsewhere("first", says(t, one, store.Shard{ID: 0, Count: 4}, store.Shard{ID: 1, Count: 4}))
	wantElsewhere("second", says(t, two, store.Shard{ID: 3, Count: 4}), store.Shard{ID: 0, Count: 4}, store.Shard{ID: 1, Count: 4})
	wantElsewhere("one falls", says(t, one, store.Shard{ID: 1, Count: 4}), store.Shard{ID: 3, Count: 4})
	wantElsewhere("seen by the other", says(t, two), store.Shard{ID: 1, Count: 4})
	says(t, two, store.Shard{ID: 3, Count: 4})
	db.Lapse(t, first)
	wantElsewhere("lapsed", says(t, two, store.Shard{ID: 3, Count: 4}))
	wantElsewhere("said again", says(t, one, store.Shard{ID: 0, Count: 4}), store.Shard{ID: 3, Count: 4})
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	wantElsewhere("closed", says(t, one, store.Shard{ID: 0, Count: 4}))
}

func testTurns(t *testing.T, db Database) {
	one, two := sharders(t, db)
	take := func(s store.Sharder, bucket int, mine bool) string {
		t.Helper()
		name, wait, err := s.TakeTurn(t.Context(), bucket, time.Hour)
		if err != nil || mine != (name != "") || mine != (wait == 0) || wait < 0 || wait > time.Hour {
			t.Errorf("TakeTurn(%d) = %q, %v, %v; want it: %t", bucket, name, wait, err, mine)
		}
		return name
	}
	pass := func(s store.Sharder, bucket int, name string, after time.Duration) {
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
	one, two := sharders(t, db)
	var taken atomic.Int64
	for _, err := range race(func(i int) error {
		name, _, err := []store.Sharder{one, two}[i%2].TakeTurn(t.Context(), 0, time.Hour)
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
