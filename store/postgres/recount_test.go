package postgres_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres/postgrestest"
)

// TestRecount puts sums right that somebody has changed, of every kind, and finds nothing
// wrong then.
func TestRecount(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	s := openAt(t, address)
	ended := time.Date(2024, 2, 29, 23, 0, 0, 0, time.UTC)
	for i, winner := range []engine.Mark{engine.X, engine.X, engine.O} {
		m := store.Match{
			ID: store.MatchID(7 + i), Guild: "1", Channel: "1", Place: 1, Rules: engine.Standard, X: store.Player{User: "1"}, O: store.Player{User: "2"},
			Moves: []engine.Cell{4, 0, 3, 1}, State: store.Ended, EndReason: store.Resignation, Winner: winner, Updated: ended,
		}
		a := store.Award{Match: m.ID, X: 3, HonoursX: 1}
		if winner == engine.O {
			a = store.Award{Match: m.ID, O: 3, HonoursO: 2}
		}
		if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{m}, Awards: []store.Award{a}}); err != nil {
			t.Fatal(err)
		}
	}
	type sums struct {
		Profiles  [2]store.Profile
		Standings [2][]store.Standing
	}
	read := func() (all sums) {
		t.Helper()
		for i, user := range []store.UserID{"1", "2"} {
			p, err := s.Profile(t.Context(), user, "1", "1")
			if err != nil {
				t.Fatal(err)
			}
			all.Profiles[i] = p
		}
		for i, p := range []store.Period{store.AllTime, store.MonthOf(ended)} {
			rows, _, err := s.Standings(t.Context(), "1", p, 0, 9)
			if err != nil {
				t.Fatal(err)
			}
			all.Standings[i] = rows
		}
		return all
	}
	before := read()
	recount := func(what string, want int) {
		t.Helper()
		if wrong, err := s.Recount(t.Context()); wrong != want || err != nil {
			t.Errorf("%s: Recount() = %d, %v, want %d", what, wrong, err, want)
		}
		if d := cmp.Diff(before, read()); d != "" {
			t.Errorf("%s: before - after +:\n%s", what, d)
		}
	}
	recount("nothing is wrong", 0)
	for _, harm := range []struct {
		text  string
		wrong int
	}{
		{"UPDATE standings SET points = 99 WHERE user_id = '1'", 2}, // all time and a month
		{"DELETE FROM standings", 4},
		{"DELETE FROM records WHERE user_id = '2'", 1},
		{"UPDATE records SET drawn = 7", 2},
		{"INSERT INTO pairs VALUES ('1', '3', '1', 1, 0, 0)", 1},
		{"UPDATE pairs SET lost = lost + 1 WHERE user_id = '1'", 1},
		{"UPDATE streaks SET best = 10 WHERE user_id = '1'", 1},
		{"UPDATE streaks SET now = 2", 2},
		{"DELETE FROM honours", 2},
		{"INSERT INTO honours VALUES ('2', 1, 5)", 1},
	} {
		postgrestest.Exec(t, address, harm.text)
		recount(harm.text, harm.wrong)
		recount(harm.text+", again", 0)
	}
}
