package sqlite_test

import (
	"path/filepath"
	"testing"

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
