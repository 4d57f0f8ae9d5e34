package postgres_test

import (
	"testing"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// TestTriesOfStreaksOfBefore checks that the migration counts the tries of the days that a
// streak has, which was there before they were counted: not those of puzzles that were
// failed, left open or solved before it.
func TestTriesOfStreaksOfBefore(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	if err := postgres.MigrateTo(t.Context(), address, 25); err != nil {
		t.Fatal(err)
	}
	postgrestest.Exec(t, address, `INSERT INTO puzzle_tries (user_id, day, guild, state, wrong, moves, lost, cell_names, as_list, version) VALUES
		('1', 90, '5', 20, 2, '', false, false, false, 1), ('1', 97, '5', 20, 0, '', false, false, false, 1), ('1', 98, '', 20, 2, '', false, false, false, 1),
		('1', 99, '5', 30, 3, '', true, false, false, 1), ('1', 100, '6', 20, 1, '', false, false, false, 1), ('1', 101, '6', 10, 2, '', false, false, false, 1),
		('2', 99, '5', 30, 3, '', true, false, false, 1), ('3', 100, '5', 20, 2, '', false, false, false, 1)`)
	postgrestest.Exec(t, address, `INSERT INTO puzzlers (user_id, solved, streak, best, last, excused, version) VALUES
		('1', 4, 3, 3, 100, 99, 1), ('2', 0, 0, 0, 0, 0, 1), ('3', 9, 2, 2, 100, 0, 1), ('4', 1, 1, 1, 7, 0, 1)`)
	s := openAt(t, address)
	for user, want := range map[string]int{"1": 6, "2": 0, "3": 3, "4": 0} {
		var got int
		postgrestest.Scan(t, address, "SELECT tries FROM puzzlers WHERE user_id = '"+user+"'", &got)
		if got != want {
			t.Errorf("user %s: %d tries, want %d", user, got, want)
		}
	}
	if p, err := s.Puzzler(t.Context(), "1"); p.Tries != 6 || p.Validate() != nil || err != nil {
		t.Errorf("Puzzler = %+v, %v", p, err)
	}
}
