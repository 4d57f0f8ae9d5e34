package strategy_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
)

func TestWhoPlaysVanishing(t *testing.T) {
	for name, want := range map[string]bool{
		"easy": true, "medium": true, "hard": true, "perfect": true, "random": true,
		"rules": false, "weights": false, "paths": false, "ranks": false,
	} {
		if got := named(t, name).Plays(engine.Vanishing); got != want {
			t.Errorf("%s plays Vanishing: %v, want %v", name, got, want)
		}
	}
}

// vanishingPositions returns every position under vanishing rules in which the game goes on,
// up to symmetry, each as if it stood for the first time.
func vanishingPositions(t *testing.T) []engine.Game {
	t.Helper()
	start := newGame(t, engine.Vanishing)
	all, seen := []engine.Game{start}, map[engine.Game]bool{start: true}
	for i := 0; i < len(all); i++ {
		for _, child := range all[i].Children() {
			if p := child.Position().Canonical(); !seen[p] && !p.Over() {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// TestPerfectVanishing looks at every position: whatever perfect may play keeps the value, and
// brings a win or a loss nearer by one move. So it wins every won position by the shortest
// way, and never loses one that is not lost.
func TestPerfectVanishing(t *testing.T) {
	all := vanishingPositions(t)
	for _, g := range all {
		before := solveIt(t, g)
		odds := named(t, "perfect").Odds(g)
		if !long {
			odds = odds[:1]
		}
		for _, chance := range odds {
			child := play(t, g, chance.Cell)
			after := solver.Result{Value: solver.Loss}
			if !child.Over() {
				after = solveIt(t, child)
			}
			if -after.Value != before.Value || after.Plies+1 != before.Plies {
				t.Fatalf("%v: perfect may play %s for a %v in %d plies, want a %v in %d", g,
					g.Rules().CellName(chance.Cell), -after.Value, after.Plies+1, before.Value, before.Plies)
			}
		}
	}
	t.Logf("%d positions up to symmetry", len(all))
}

func solveIt(t *testing.T, g engine.Game) solver.Result {
	t.Helper()
	r, err := solver.Solve(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPerfectWinsVanishing plays whole games: perfect with X wins in 13 moves at most,
// whatever the other side does, and with O it does not lose against a side that does not win
// by force.
func TestPerfectWinsVanishing(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		other := strategy.All()[n%4]
		g := newGame(t, engine.Vanishing)
		for !g.Over() {
			if g.SideToMove() == engine.X {
				g = play(t, g, named(t, "perfect").Choose(g, dice))
			} else {
				g = play(t, g, other.Choose(g, dice))
			}
		}
		if g.Outcome() != engine.XWon || g.Ply() > 13 {
			t.Fatalf("against %s: %v after %d moves", other.Name, g.Outcome(), g.Ply())
		}
		g = play(t, newGame(t, engine.Vanishing), 0) // a corner, which only draws
		lowest := solver.Draw
		for !g.Over() {
			if g.SideToMove() == engine.O {
				lowest = max(lowest, solveIt(t, g).Value)
				g = play(t, g, named(t, "perfect").Choose(g, dice))
			} else {
				g = play(t, g, other.Choose(g, dice))
			}
		}
		if o := g.Outcome(); o == engine.XWon || lowest == solver.Win && o != engine.OWon {
			t.Fatalf("%s begins in a corner: %v after %d moves, O had a %v", other.Name, o, g.Ply(), lowest)
		}
	}
}

// TestPerfectAvoidsRepetition plays games in which both sides hold the draw by any move that does.
// Perfect must not go back to a position that has stood while another move holds it as well.
func TestPerfectAvoidsRepetition(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	tempted := 0
	for range 200 {
		g := play(t, play(t, newGame(t, engine.Vanishing), 0), 4)
		for !g.Over() {
			keeping, err := solver.Keeping(context.Background(), g)
			if err != nil {
				t.Fatal(err)
			}
			stood := map[engine.Cell]bool{}
			back := 0
			for _, m := range keeping {
				if play(t, g, m.Cell).Repeats() > 0 {
					stood[m.Cell] = true
					back++
				}
			}
			if back > 0 && back < len(keeping) {
				tempted++
				if c := named(t, "perfect").Choose(g, dice); stood[c] {
					t.Fatalf("%v: perfect goes back by %s", g, g.Rules().CellName(c))
				}
			}
			g = play(t, g, keeping[dice.IntN(len(keeping))].Cell)
		}
	}
	if tempted < 20 {
		t.Errorf("only %d positions would have tempted it", tempted)
	}
}

// TestLevelsForget holds what people get wrong about vanishing marks: they complete a line whose
// oldest mark goes with that move, and they block a line whose oldest mark goes anyway. Over all
// positions in which that is a mistake and nothing is urgent, easy does so more often than
// random play, each better level less often, and perfect never.
func TestLevelsForget(t *testing.T) {
	for _, tt := range []struct {
		name string
		own  bool // whose line seems to lack one mark only
	}{{"a line that will be none", true}, {"a threat that will be none", false}} {
		positions := 0
		sum := map[string]float64{}
		for _, g := range vanishingPositions(t) {
			wrong := seeming(g, tt.own)
			if len(wrong) == 0 || !long && positions >= 50 {
				continue
			}
			positions++
			for _, name := range append([]string{"random", "perfect"}, levelNames...) {
				sum[name] += share(named(t, name), g, wrong)
			}
		}
		t.Logf("%s, %d positions: %v", tt.name, positions, sum)
		if positions == 0 || sum["easy"] <= sum["random"] || sum["medium"] >= sum["easy"] ||
			sum["hard"] >= sum["medium"] || sum["hard"] == 0 || sum["perfect"] != 0 {
			t.Errorf("%s: in %d positions played %v times", tt.name, positions, sum)
		}
	}
}

// seeming returns the cells that complete a line for the side to move, or for the other side, if
// no mark vanished, where marking them gives value away and nothing is really urgent.
func seeming(g engine.Game, own bool) map[engine.Cell]bool {
	mark := g.SideToMove()
	if len(completing(g, mark)) > 0 || len(completing(g, mark.Other())) > 0 {
		return nil
	}
	if !own {
		mark = mark.Other()
	}
	moves, err := solver.Moves(context.Background(), g)
	if err != nil {
		return nil
	}
	best := solver.Loss
	for _, m := range moves {
		best = max(best, m.Value)
	}
	cells := map[engine.Cell]bool{}
	for _, line := range g.Rules().Lines() {
		gap := line &^ g.Marks(mark)
		for _, m := range moves {
			if gap == g.Rules().Bit(m.Cell) && m.Value < best {
				cells[m.Cell] = true
			}
		}
	}
	return cells
}

// TestLevelsThreatenTwice: where nothing is urgent and a move makes a threat that cannot be
// stopped, each better level makes it more often, and hard mostly.
func TestLevelsThreatenTwice(t *testing.T) {
	positions, sum := 0, map[string]float64{}
	for _, g := range vanishingPositions(t) {
		if len(completing(g, engine.X))+len(completing(g, engine.O)) > 0 || !long && positions >= 50 {
			continue
		}
		moves, err := solver.Moves(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		wins := map[engine.Cell]bool{}
		for _, m := range moves {
			if m.Value == solver.Win && m.Plies == 3 {
				wins[m.Cell] = true
			}
		}
		if len(wins) == 0 || len(wins) == len(moves) {
			continue
		}
		positions++
		for _, name := range append([]string{"random"}, levelNames...) {
			sum[name] += share(named(t, name), g, wins)
		}
	}
	t.Logf("%d positions: %v", positions, sum)
	if sum["easy"] <= sum["random"] || sum["medium"] <= sum["easy"] || sum["hard"] <= sum["medium"] || sum["hard"] < 0.8*float64(positions) {
		t.Errorf("in %d positions played %v times", positions, sum)
	}
}

// TestWhoOverlooksPlaysAnything: easy, where it does not see a line that somebody is about to
// complete, and none seems to be that is not, marks any other cell as often as the next.
func TestWhoOverlooksPlaysAnything(t *testing.T) {
	positions := 0
	for _, g := range vanishingPositions(t) {
		urgent := completing(g, engine.X)
		for c := range completing(g, engine.O) {
			urgent[c] = true
		}
		seems := slices.ContainsFunc(g.Rules().Lines(), func(line engine.Bitboard) bool {
			return slices.ContainsFunc([]engine.Mark{engine.X, engine.O}, func(m engine.Mark) bool {
				gap := line &^ g.Marks(m)
				for c := range g.Rules().CellsOf(gap) {
					return gap.Count() == 1 && g.At(c) == engine.None && !urgent[c]
				}
				return false
			})
		})
		if len(urgent) == 0 || seems || !long && positions >= 50 {
			continue
		}
		positions++
		var all []string
		for _, chance := range named(t, "easy").Odds(g) {
			if !urgent[chance.Cell] {
				all = append(all, chance.P.String())
			}
		}
		if len(slices.Compact(all)) > 1 {
			t.Fatalf("%v: easy plays the rest with %v", g, all)
		}
	}
}
