package sqlite_test

import (
	"path/filepath"
	"slices"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// TestTriesOfStreaksOfBefore checks that the migration counts the tries of the days that a
// streak has, which was there before they were counted: not those of puzzles that were
// failed, left open or solved before it.
func TestTriesOfStreaksOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	if err := sqlite.MigrateFileTo(t.Context(), path, 25); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path,
		`INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version) VALUES
			('1', 90, '5', 20, 2, x'', 0, 0, 0, 1), ('1', 97, '5', 20, 0, x'', 0, 0, 0, 1), ('1', 98, '', 20, 2, x'', 0, 0, 0, 1),
			('1', 99, '5', 30, 3, x'', 1, 0, 0, 1), ('1', 100, '6', 20, 1, x'', 0, 0, 0, 1), ('1', 101, '6', 10, 2, x'', 0, 0, 0, 1),
			('2', 99, '5', 30, 3, x'', 1, 0, 0, 1), ('3', 100, '5', 20, 2, x'', 0, 0, 0, 1)`,
		`INSERT INTO puzzlers (user_id, solved, streak, best, last, excused, version) VALUES
			('1', 4, 3, 3, 100, 99, 1), ('2', 0, 0, 0, 0, 0, 1), ('3', 9, 2, 2, 100, 0, 1), ('4', 1, 1, 1, 7, 0, 1)`)
	s := openAt(t, path)
	for user, want := range map[string]int{"1": 6, "2": 0, "3": 3, "4": 0} {
		var got int
		queryRow(t, path, "SELECT tries FROM puzzlers WHERE user_id = '"+user+"'", &got)
		if got != want {
			t.Errorf("user %s: %d tries, want %d", user, got, want)
		}
	}
	if p, err := s.Puzzler(t.Context(), "1"); p.Tries != 6 || p.Validate() != nil || err != nil {
		t.Errorf("Puzzler = %+v, %v", p, err)
	}
}

// TestStreaksOfBefore checks that the migration puts those on the leaderboard of their guilds
// whose streak can go on: also over days on which the bot was away.
func TestStreaksOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	if err := sqlite.MigrateFileTo(t.Context(), path, 29); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path,
		`INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version) VALUES
			('1', 100, '5', 20, 0, x'', 0, 0, 0, 1), ('1', 99, '6', 20, 0, x'', 0, 0, 0, 1), ('1', 20, '7', 20, 0, x'', 0, 0, 0, 1),
			('2', 100, '5', 10, 0, x'', 0, 0, 0, 1), ('2', 98, '5', 20, 0, x'', 0, 0, 0, 1), ('3', 99, '', 20, 0, x'', 0, 0, 0, 1),
			('4', 90, '5', 20, 0, x'', 0, 0, 0, 1), ('5', 20, '5', 20, 0, x'', 0, 0, 0, 1)`,
		`INSERT INTO puzzlers (user_id, solved, streak, tries, best, last, excused, version) VALUES
			('1', 9, 4, 5, 9, 100, 0, 1), ('2', 9, 7, 8, 9, 98, 91, 1), ('3', 9, 9, 9, 9, 99, 0, 1), ('4', 9, 9, 9, 9, 90, 0, 1), ('5', 9, 9, 9, 9, 20, 0, 1)`,
		`INSERT INTO away (day, length) VALUES (91, 80000000), (92, 80000000), (93, 80000000), (94, 80000000), (95, 80000000), (96, 80000000)`)
	s := openAt(t, path)
	on := []store.Lasting{{First: 91, Last: 101, Excused: 101}, {First: 90, Last: 90, Excused: 90}}
	for guild, want := range map[store.GuildID][]store.Standing{
		"5": {{User: "4", Rank: 1, Points: 9, Tries: 9}, {User: "2", Rank: 2, Points: 7, Tries: 8}, {User: "1", Rank: 3, Points: 4, Tries: 5}},
		"6": {{User: "1", Rank: 1, Points: 4, Tries: 5}}, "": nil,
	} {
		got, _, err := s.PuzzleStreaks(t.Context(), guild, on, 0, 9)
		if !slices.Equal(got, want) || err != nil {
			t.Errorf("streaks of %q: %+v, %v, want %+v", guild, got, err, want)
		}
	}
}
