package engine_test

import (
	"testing"

	"tictactoe/engine"
)

func TestPerftStandard(t *testing.T) {
	want := []int{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}
	got := make([]int, len(want))
	results := map[engine.Outcome]int{}
	var walk func(engine.Game)
	walk = func(g engine.Game) {
		got[g.Ply()]++
		if g.Over() {
			results[g.Outcome()]++
		}
		for _, child := range g.Children() {
			walk(child)
		}
	}
	start, err := engine.New(engine.Standard)
	if err != nil {
		t.Fatal(err)
	}
	walk(start)
	for ply := range want {
		if got[ply] != want[ply] {
			t.Errorf("perft(%d) = %d, want %d", ply, got[ply], want[ply])
		}
	}
	if x, o, d := results[engine.XWon], results[engine.OWon], results[engine.Drawn]; x != 131184 || o != 77904 || d != 46080 {
		t.Errorf("games won by X, by O, drawn = %d, %d, %d, want 131184, 77904, 46080", x, o, d)
	}
}
