package solver_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// want returns what the reference says of position i.
func (r *reference) want(i int, g engine.Game) (solver.Value, int) {
	switch v := int(r.values[i]); {
	case v > 0:
		return solver.Win, v - 1
	case v < 0:
		return solver.Loss, -v - 1
	default:
		return solver.Draw, r.cells - g.Ply()
	}
}

// best reports whether the move keeps value and distance.
func (r *reference) best(i int, g engine.Game, c engine.Cell) bool {
	child := i + int(g.SideToMove())*r.power[c]
	return g.At(c) == engine.None && r.values[i] == later(r.values[child])
}

// long reports whether tests may take minutes.
var long = os.Getenv("TEST_LONG") != ""

func TestEveryPosition(t *testing.T) {
	for _, name := range []string{"3x3", "3x4-3", "4x3-3", "3x4-4", "4x3-4", "3x5-3", "3x5-4", "3x5-5", "4x4-3", "4x4"} {
		t.Run(name, func(t *testing.T) {
			rules := parseRules(t, name)
			if !long && rules.Cells() > 12 {
				t.Skip("takes seconds, under the race detector minutes: TEST_LONG=1 has it run")
			}
			t.Parallel()
			checkEvery(t, rules, 1)
		})
	}
}

// SOLVER_EXHAUSTIVE names boards of at most 20 cells, separated by spaces, to
// enumerate as well: "4x5-4" takes 3.5 GB of memory and more than half an hour.
// SOLVER_EXHAUSTIVE_STEP=n compares one position in n. What such runs have found
// is in testdata/exhaustive.txt.
func TestEveryPositionOfLargeBoards(t *testing.T) {
	names := strings.Fields(os.Getenv("SOLVER_EXHAUSTIVE"))
	if len(names) == 0 {
		t.Skip("SOLVER_EXHAUSTIVE names no boards")
	}
	step := 1
	if s := os.Getenv("SOLVER_EXHAUSTIVE_STEP"); s != "" {
		var err error
		if step, err = strconv.Atoi(s); err != nil || step < 1 {
			t.Fatalf("SOLVER_EXHAUSTIVE_STEP=%s is no step", s)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rules := parseRules(t, name)
			if rules.Cells() > 2*halfCells {
				t.Fatalf("%v is too large to enumerate", rules)
			}
			checkEvery(t, rules, step)
		})
	}
}

// checkEvery compares what Solve says of one in step positions of the board with
// the reference.
func checkEvery(t *testing.T, rules engine.Rules, step int) {
	t.Helper()
	r := newReference(rules)
	seen, compared := 0, 0
	for i, g := range r.positions {
		seen++
		if seen%step != 0 {
			continue
		}
		compared++
		value, plies := r.want(i, g)
		got, err := solver.Solve(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if got.Value != value || got.Plies != plies {
			t.Fatalf("Solve(%v) = %v in %d plies, want %v in %d", g, got.Value, got.Plies, value, plies)
		}
		if !r.best(i, g, got.Best) {
			t.Fatalf("Solve(%v): move %s does not reach %v in %d plies", g, rules.CellName(got.Best), value, plies)
		}
	}
	t.Logf("%d of %d positions up to symmetry compared", compared, seen)
}
