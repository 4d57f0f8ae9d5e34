package solver_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
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
				t.Logf("%d positions, to begin with a %v in %d", n, worst.Value, worst.Plies)
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
// either, as the replies include the best. Of symmetric positions one is looked at.
func walk(t *testing.T, g engine.Game, player engine.Mark) (positions int, worst solver.MoveValue) {
	t.Helper()
	known := map[engine.Game]solver.MoveValue{}
	var worth func(engine.Game) solver.MoveValue
	worth = func(g engine.Game) solver.MoveValue {
		g = g.Canonical()
		if w, ok := known[g]; ok {
			return w
		}
		var promised solver.Result
		if g.SideToMove() == player {
			positions++
			promised = solve(t, g)
		}
		var played []solver.MoveValue
		for c, child := range g.Children() {
			switch {
			case g.SideToMove() == player && c != promised.Best:
			case child.Over():
				played = append(played, ofMove(t, c, child))
			default:
				w := worth(child)
				played = append(played, solver.MoveValue{Cell: c, Value: -w.Value, Plies: w.Plies + 1})
			}
		}
		w := bestOf(played)
		if g.SideToMove() == player && (w.Value != promised.Value || w.Plies != promised.Plies) {
			t.Fatalf("in %v: a %v in %d, want a %v in %d", g, w.Value, w.Plies, promised.Value, promised.Plies)
		}
		known[g] = w
		return w
	}
	worst = worth(g)
	return positions, worst
}

func parseRules(tb testing.TB, s string) engine.Rules {
	tb.Helper()
	r, err := engine.ParseRules(s)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
