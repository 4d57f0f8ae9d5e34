package strategy_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// completing returns the empty cells that complete a line for the mark, found by
// playing them.
func completing(g engine.Game, m engine.Mark) map[engine.Cell]bool {
	cells := map[engine.Cell]bool{}
	for _, line := range g.Rules().Lines() {
		gap := line &^ g.Marks(m)
		if gap.Count() == 1 && gap&g.Marks(engine.None) != 0 {
			for c := range g.Rules().CellsOf(gap) {
				cells[c] = true
			}
		}
	}
	return cells
}

// TestMediumOnStandard is what medium promises on 3x3, exactly: it wins, else blocks, else
// plays anywhere, all cells alike.
func TestMediumOnStandard(t *testing.T) {
	for _, g := range undecided(t, engine.Standard) {
		want := completing(g, g.SideToMove())
		if len(want) == 0 {
			want = completing(g, g.SideToMove().Other())
		}
		if len(want) == 0 {
			for c := range g.Moves() {
				want[c] = true
			}
		}
		odds := named(t, "medium").Odds(g)
		alike := big.NewRat(1, int64(len(want)))
		for _, chance := range odds {
			if !want[chance.Cell] || chance.P.Cmp(alike) != 0 {
				t.Fatalf("%v: medium plays %s with %v, want %v cells with %v each", g, g.Rules().CellName(chance.Cell), chance.P, len(want), alike)
			}
		}
		if len(odds) != len(want) {
			t.Fatalf("%v: medium has %d moves, want %d", g, len(odds), len(want))
		}
	}
}

// TestUrgentMoves: medium and hard never pass up a win in one on any board, and never a
// single threat but where a line takes the whole longer side and more than three cells.
func TestUrgentMoves(t *testing.T) {
	for _, name := range []string{"medium", "hard"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := named(t, name)
			for i, r := range engine.AllRules() {
				overlooks := r.K == max(r.M, r.N) && r.K > 3
				wins, threats, missed := 0, 0, 0
				for n, g := range randomPositions(t, r, 200, uint64(i)) {
					win, threat := completing(g, g.SideToMove()), completing(g, g.SideToMove().Other())
					if len(win) == 0 && len(threat) != 1 {
						continue
					}
					c := o.Choose(g, dice(uint64(n)))
					switch {
					case len(win) > 0:
						wins++
						if !win[c] {
							t.Fatalf("%v: passes up a win for %s", g, r.CellName(c))
						}
					default:
						threats++
						if !threat[c] {
							missed++
						}
					}
				}
				if missed > 0 && !overlooks {
					t.Errorf("%v: misses %d of %d threats, want none", r, missed, threats)
				}
				if missed*2 > threats {
					t.Errorf("%v: misses %d of %d threats, want at most half", r, missed, threats)
				}
				if threats == 0 || wins == 0 && r.K < 5 {
					t.Errorf("%v: met %d wins and %d threats, too few to tell", r, wins, threats)
				}
			}
		})
	}
}

// TestDiagonalsAreOverlookedMore compares the same threat in a row, a column and on a
// diagonal.
func TestDiagonalsAreOverlookedMore(t *testing.T) {
	seen := func(position, cell string) *big.Rat {
		g := board(t, position)
		c, err := g.Rules().ParseCell(cell)
		if err != nil {
			t.Fatal(err)
		}
		for _, chance := range named(t, "easy").Odds(g) {
			if chance.Cell == c {
				return chance.P
			}
		}
		return new(big.Rat)
	}
	tests := []struct{ name, across, down, diagonal, cell string }{
		{"wins", "XX./OO./...", "XO./XO./...", "XO./OX./...", ""},
		{"threats", "XX./O../...", "XO./X../...", "X.O/.X./...", ""},
	}
	for _, tt := range tests {
		across, down, diagonal := seen(tt.across, "c1"), seen(tt.down, "a3"), seen(tt.diagonal, "c3")
		if across.Cmp(down) <= 0 || down.Cmp(diagonal) <= 0 {
			t.Errorf("easy sees %s in a row with %v, in a column with %v, on a diagonal with %v; want ever less",
				tt.name, across.FloatString(3), down.FloatString(3), diagonal.FloatString(3))
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
