package solver_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

func TestBlunder(t *testing.T) {
	type want struct {
		ply  int
		held string // empty for any of several
		ok   bool
	}
	for _, test := range []struct {
		name  string
		rules string
		moves string
		loser engine.Mark
		want  want
	}{
		{"answers a corner with a corner", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.O, want{1, "b2", true}},
		{"overlooks a threat", "3x3", "a1 b2 c3 c1 b3 a3", engine.X, want{4, "a3", true}},
		{"gives the draw away twice", "3x3", "a1 b2 c3 a3 c1 a2 b1", engine.O, want{3, "", true}},
		{"lost by force, not yet by a line", "3x3", "a1 c1", engine.O, want{1, "b2", true}},
		{"the other side did not lose", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.X, want{}},
		{"drawn", "3x3", "b2 a1 a2 c2 b1 b3 a3 c1 c3", engine.O, want{}},
		{"still even", "3x3", "b2 a1", engine.O, want{}},
		{"no moves", "3x3", "", engine.X, want{}},
		{"nobody's loss", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.None, want{}},
		{"lost from the first move", "4x4-3", "b2 a1 c2 d2 c3", engine.O, want{}},
		{"on another board", "3x4-3", "a1 b2 c4 b3 a4 b4", engine.X, want{2, "", true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := parseRules(t, test.rules)
			moves, err := rules.ParseMoves(test.moves)
			if err != nil {
				t.Fatal(err)
			}
			ply, held, ok, err := solver.Blunder(rules, moves, test.loser)
			if err != nil {
				t.Fatal(err)
			}
			got := want{ply: ply, ok: ok}
			if test.want.held != "" {
				got.held = rules.CellName(held)
			}
			if got != test.want {
				t.Errorf("Blunder(%v, %s, %v) = %+v, want %+v", rules, test.moves, test.loser, got, test.want)
			}
			if ok && !keeps(t, rules, moves[:ply], held) {
				t.Errorf("Blunder(%v, %s, %v): %s does not hold", rules, test.moves, test.loser, rules.CellName(held))
			}
		})
	}
}

// keeps reports whether the cell keeps the value of the position after the
// moves.
func keeps(tb testing.TB, rules engine.Rules, moves []engine.Cell, c engine.Cell) bool {
	tb.Helper()
	g, err := engine.Replay(rules, moves)
	if err != nil {
		tb.Fatal(err)
	}
	keeping, err := solver.Keeping(context.Background(), g)
	if err != nil {
		tb.Fatal(err)
	}
	return slices.ContainsFunc(keeping, func(m solver.MoveValue) bool { return m.Cell == c })
}

func TestBlunderRefusesIllegalMoves(t *testing.T) {
	for _, test := range []struct {
		rules engine.Rules
		moves []engine.Cell
		want  error
	}{
		{engine.Standard, []engine.Cell{0, 0}, engine.ErrOccupied},
		{engine.Standard, []engine.Cell{9}, engine.ErrOffBoard},
		{engine.Standard, []engine.Cell{0, 3, 1, 4, 2, 5}, engine.ErrGameOver},
		{engine.Rules{}, nil, engine.ErrRules},
	} {
		_, _, ok, err := solver.Blunder(test.rules, test.moves, engine.X)
		if ok || !errors.Is(err, test.want) {
			t.Errorf("Blunder(%v, %v) = %t, %v, want an error that is %v", test.rules, test.moves, ok, err, test.want)
		}
	}
}
