package solver_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/solver/solvertest"
)

func TestWalk(t *testing.T) {
	for _, name := range []string{"3x3", "3x4-3", "4x4", "4x4-3", "5x5-4"} {
		rules := parseRules(t, name)
		for _, player := range []engine.Mark{engine.X, engine.O} {
			t.Run(fmt.Sprintf("%s/%v", name, player), func(t *testing.T) {
				if !long && rules.Cells() > 16 {
					t.Skip("takes seconds, under the race detector a minute: TEST_LONG=1 has it run")
				}
				t.Parallel()
				n, worst := walk(t, emptyGame(t, rules), player)
				t.Logf("%d positions, at worst %v after %d plies", n, worst.Outcome, worst.Plies)
			})
		}
	}
}

// Walking both players from one position leaves nothing to trust: one walk shows
// that its value is not less than Solve says, the other that it is not more.
func TestWalkBothWaysFromRandomPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for _, rules := range engine.AllRules() {
		if rules.Limit != 0 {
			continue // games need not end there; TestVanishingEveryPosition looks at all positions
		}
		t.Run(rules.String(), func(t *testing.T) {
			for range 20 {
				g := randomGame(t, rng, rules, rules.Cells()/3+rng.IntN(rules.Cells()/2))
				walk(t, g, engine.X)
				walk(t, g, engine.O)
			}
		})
	}
}

// walk plays the best moves for the player against every line of replies. In
// every position that arises, the worst that the replies do must be exactly what
// Solve promises there: never less, no win later, no loss sooner, and no better
// either, as the replies include the best.
func walk(t *testing.T, g engine.Game, player engine.Mark) (positions int, worst solvertest.Line) {
	t.Helper()
	promised := map[engine.Game]solver.Result{}
	choose := func(g engine.Game) (engine.Cell, error) {
		r, err := solver.Solve(context.Background(), g)
		promised[g] = r
		return r.Best, err
	}
	visit := func(g engine.Game, worst solvertest.Line) error {
		positions++
		r := promised[g]
		delete(promised, g)
		if worst.Outcome != outcome(r.Value, player) || worst.Plies != r.Plies {
			return fmt.Errorf("in %v: %v after %d plies, want a %v in %d", g, worst.Outcome, worst.Plies, r.Value, r.Plies)
		}
		return nil
	}
	worst, err := solvertest.Walk(g, player, choose, visit)
	if err != nil {
		t.Fatal(err)
	}
	return positions, worst
}

// outcome is how a game of the value for the mark ends.
func outcome(v solver.Value, m engine.Mark) engine.Outcome {
	switch v {
	case solver.Win:
		return engine.Won(m)
	case solver.Loss:
		return engine.Won(m.Other())
	default:
		return engine.Drawn
	}
}

func parseRules(tb testing.TB, s string) engine.Rules {
	tb.Helper()
	r, err := engine.ParseRules(s)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
