package strategy_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/engine/strategy"
)

// completing returns the empty cells that complete a line for the mark, of what is left
// of its marks then.
func completing(g engine.Game, m engine.Mark) map[engine.Cell]bool {
	cells := map[engine.Cell]bool{}
	marks := g.Marks(m)
	if c, ok := g.Vanishes(m); ok {
		marks &^= g.Rules().Bit(c)
	}
	for _, line := range g.Rules().Lines() {
		gap := line &^ marks
		if gap.Count() == 1 && gap&g.Marks(engine.None) != 0 {
			for c := range g.Rules().CellsOf(gap) {
				cells[c] = true
			}
		}
	}
	return cells
}

// levelNames are the levels that make mistakes, the weakest first.
var levelNames = []string{"easy", "medium", "hard"}

// share returns how likely an opponent is to play one of the cells.
func share(o strategy.Opponent, g engine.Game, cells map[engine.Cell]bool) float64 {
	sum := new(big.Rat)
	for _, chance := range o.Odds(g) {
		if cells[chance.Cell] {
			sum.Add(sum, chance.P)
		}
	}
	p, _ := sum.Float64()
	return p
}

// TestUrgentOnStandard is what the levels promise of wins and threats in every 3x3
// position, exactly: medium and hard take every win, each level blocks more often than the one
// below and more often than chance would, and none blocks always.
func TestUrgentOnStandard(t *testing.T) {
	wins, threats := 0, 0
	blocked := map[string]float64{}
	for _, g := range undecided(t, engine.Standard) {
		if g.Canonical() != g {
			continue
		}
		win, threat := completing(g, g.SideToMove()), completing(g, g.SideToMove().Other())
		switch {
		case len(win) > 0:
			wins++
			for _, name := range levelNames[1:] {
				if p := share(named(t, name), g, win); p != 1 {
					t.Errorf("%v: %s wins with %.3f, want 1", g, name, p)
				}
			}
		case len(threat) == 1 && len(slices.Collect(g.Moves())) > 1:
			threats++
			below := share(named(t, "random"), g, threat)
			for _, name := range levelNames {
				p := share(named(t, name), g, threat)
				if p <= below || p == 1 {
					t.Errorf("%v: %s blocks with %.3f, want more than %.3f and less than 1", g, name, p, below)
				}
				below = p
				blocked[name] += p
			}
		}
	}
	t.Logf("%d wins, %d threats", wins, threats)
	// Medium usually blocks and hard nearly always, as people are told.
	for name, want := range map[string]float64{"medium": 2. / 3, "hard": 0.9} {
		if got := blocked[name] / float64(threats); got < want {
			t.Errorf("%s blocks %.3f of the threats, want at least %.3f", name, got, want)
		}
	}
}

// TestUrgentMoves: medium and hard never pass up a win in one on any board; each level overlooks
// fewer threats than the one below, and each overlooks some.
func TestUrgentMoves(t *testing.T) {
	for i, r := range engine.AllRules() {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			wins, threats := 0, 0
			missed := make([]int, len(levelNames))
			for n, g := range randomPositions(t, r, 500, uint64(i)) {
				win, threat := completing(g, g.SideToMove()), completing(g, g.SideToMove().Other())
				if len(win) == 0 && len(threat) != 1 {
					continue
				}
				if len(win) > 0 {
					wins++
				} else {
					threats++
				}
				for level, name := range levelNames {
					c := named(t, name).Choose(g, dice(uint64(n)))
					switch {
					case len(win) == 0 && !threat[c]:
						missed[level]++
					case len(win) > 0 && !win[c] && name != "easy":
						t.Fatalf("%v: %s passes up a win for %s", g, name, r.CellName(c))
					}
				}
			}
			if wins == 0 || threats < 100 {
				t.Errorf("met %d wins and %d threats, too few to tell", wins, threats)
			}
			if missed[0] <= missed[1] || missed[1] <= missed[2] || missed[2] == 0 {
				t.Errorf("of %d threats %v overlook %v, want ever fewer and never none", threats, levelNames, missed)
			}
			if missed[1]*2 > threats || missed[2]*5 > threats {
				t.Errorf("of %d threats %v overlook %v, want medium at most half, hard a fifth", threats, levelNames, missed)
			}
		})
	}
}

// TestDiagonalsAreOverlookedMore compares, over all 3x3 positions in which a single line can be
// completed, how often its last cell is overlooked in a row, a column and on a diagonal: of wins
// by easy, who alone overlooks any, and of threats by every level.
func TestDiagonalsAreOverlookedMore(t *testing.T) {
	type mean struct{ sum, n float64 }
	directions := []string{"row", "column", "diagonal"}
	for _, name := range levelNames {
		var wins, threats [3]mean
		for _, g := range undecided(t, engine.Standard) {
			means, mark := &wins, g.SideToMove()
			if len(completing(g, mark)) == 0 {
				means, mark = &threats, mark.Other()
			}
			cells := completing(g, mark)
			if len(cells) != 1 {
				continue
			}
			runs, lines := 0, 0
			for n, line := range g.Rules().Lines() { // three rows, three columns, two diagonals
				if gap := line &^ g.Marks(mark); gap.Count() == 1 && gap&g.Marks(engine.None) != 0 {
					runs, lines = min(n/3, 2), lines+1
				}
			}
			if lines == 1 {
				means[runs].sum += 1 - share(named(t, name), g, cells)
				means[runs].n++
			}
		}
		for what, means := range map[string][3]mean{"wins": wins, "threats": threats} {
			if what == "wins" && name != "easy" {
				continue
			}
			last := 0.0
			for runs, m := range means {
				if m.n == 0 || m.sum/m.n <= last {
					t.Errorf("%s overlooks %s in a %s with %.3f, want more than %.3f", name, what, directions[runs], m.sum/m.n, last)
				}
				last = m.sum / m.n
			}
		}
	}
}

// TestPerfectSetsTraps compares perfect with a player who breaks ties among the moves that
// keep the value at random: against random play perfect must win far more. On 3x3 the
// exact test says all there is to say.
func TestPerfectSetsTraps(t *testing.T) {
	const games = 150
	keeper := func(g engine.Game, dice *rand.Rand) engine.Cell {
		moves, err := solver.Keeping(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		return moves[dice.IntN(len(moves))].Cell
	}
	for _, name := range []string{"4x4", "4x5-5"} {
		r, err := engine.ParseRules(name)
		if err != nil {
			t.Fatal(err)
		}
		wins := func(choose func(engine.Game, *rand.Rand) engine.Cell) int {
			n := 0
			for i := range games {
				dice := dice(uint64(i))
				side := []engine.Mark{engine.X, engine.O}[i%2]
				g := newGame(t, r)
				for !g.Over() {
					c := named(t, "random").Choose(g, dice)
					if g.SideToMove() == side {
						c = choose(g, dice)
					}
					g = play(t, g, c)
				}
				if g.Outcome() == engine.Won(side) {
					n++
				}
			}
			return n
		}
		perfect, keeping := wins(named(t, "perfect").Choose), wins(keeper)
		if perfect <= keeping+games/4 {
			t.Errorf("%s: perfect wins %d of %d games against random play, any value-keeping move %d", name, perfect, games, keeping)
		}
		t.Logf("%s: perfect wins %d of %d, any value-keeping move %d", name, perfect, games, keeping)
	}
}
