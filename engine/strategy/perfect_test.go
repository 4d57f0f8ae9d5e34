package strategy_test

import (
	"context"
	"math/big"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// value returns the value of a position for the side to move by plain minimax, which
// knows nothing of the solver.
func value(known map[engine.Game]int, g engine.Game) int {
	v, ok := known[g]
	if ok {
		return v
	}
	switch g.Outcome() {
	case engine.Undecided:
		v = -1
		for _, child := range g.Children() {
			v = max(v, -value(known, child))
		}
	case engine.Drawn:
	default:
		v = -1
	}
	known[g] = v
	return v
}

// TestPerfectReachesTheMaximum compares perfect with the best that any player who
// keeps the value can do against uniformly random play, both exact.
func TestPerfectReachesTheMaximum(t *testing.T) {
	known := map[engine.Game]int{}
	perfect := named(t, "perfect")
	// wins returns the probability that the side wins when it moves as choose says: with
	// the greatest value of its moves, or their mean by the odds of perfect.
	wins := func(side engine.Mark, best bool) *big.Rat {
		memo := map[engine.Game]*big.Rat{}
		var visit func(engine.Game) *big.Rat
		visit = func(g engine.Game) *big.Rat {
			if p, ok := memo[g]; ok {
				return p
			}
			p := new(big.Rat)
			switch {
			case g.Outcome() == engine.Won(side):
				p.SetInt64(1)
			case g.Over():
			case g.SideToMove() != side:
				n := int64(0)
				for _, child := range g.Children() {
					p.Add(p, visit(child))
					n++
				}
				p.Quo(p, big.NewRat(n, 1))
			case best:
				for _, child := range g.Children() {
					if q := visit(child); -value(known, child) == value(known, g) && q.Cmp(p) > 0 {
						p = q
					}
				}
			default:
				for _, chance := range perfect.Odds(g) {
					p.Add(p, new(big.Rat).Mul(chance.P, visit(play(t, g, chance.Cell))))
				}
			}
			memo[g] = p
			return p
		}
		return visit(newGame(t, engine.Standard))
	}
	for side, want := range map[engine.Mark]*big.Rat{engine.X: big.NewRat(191, 192), engine.O: big.NewRat(866, 945)} {
		most := wins(side, true)
		if got := wins(side, false); got.Cmp(most) != 0 {
			t.Errorf("perfect with %v wins %v against random play, the most is %v", side, got, most)
		}
		if most.Cmp(want) != 0 {
			t.Errorf("the most with %v is %v, want %v", side, most, want)
		}
	}
}

// TestPerfectKeepsValueAndDistance checks every 3x3 position, reached by whatever
// play, by plain minimax.
func TestPerfectKeepsValueAndDistance(t *testing.T) {
	type result struct{ value, plies int }
	known := map[engine.Game]result{}
	var solve func(engine.Game) result
	solve = func(g engine.Game) result {
		if r, ok := known[g]; ok {
			return r
		}
		r := result{value: -2}
		if g.Over() {
			r = result{}
			if g.Outcome() != engine.Drawn {
				r.value = -1
			}
		} else {
			for _, child := range g.Children() {
				c := solve(child)
				v, plies := -c.value, c.plies+1
				if v > r.value || v == r.value && (v == 1 && plies < r.plies || v == -1 && plies > r.plies) {
					r = result{v, plies}
				}
			}
		}
		known[g] = r
		return r
	}
	for _, g := range undecided(t, engine.Standard) {
		want := solve(g)
		for _, chance := range named(t, "perfect").Odds(g) {
			after := solve(play(t, g, chance.Cell))
			if got := (result{-after.value, after.plies + 1}); got != want {
				t.Fatalf("%v: perfect may play %s, value %d in %d plies, want %d in %d",
					g, g.Rules().CellName(chance.Cell), got.value, got.plies, want.value, want.plies)
			}
		}
	}
}

// TestPerfectAgainstEveryLine walks perfect with either side against every line of
// replies, merged up to symmetry, by every move that perfect may make. It must end each game no
// worse than the empty board is worth, and win whatever the other side throws away: the value
// of the position after its move is the value before, and the end is one move nearer, which
// makes the win the fastest and the loss the latest.
func TestPerfectAgainstEveryLine(t *testing.T) {
	tests := []struct {
		rules engine.Rules
		start solver.Value
	}{
		{engine.Rules{M: 3, N: 3, K: 3}, solver.Draw},
		{engine.Rules{M: 3, N: 4, K: 3}, solver.Win},
		{engine.Rules{M: 3, N: 4, K: 4}, solver.Draw},
		{engine.Rules{M: 4, N: 4, K: 4}, solver.Draw},
		{engine.Rules{M: 4, N: 4, K: 3}, solver.Win},
		{engine.Rules{M: 3, N: 5, K: 3}, solver.Win},
		{engine.Rules{M: 4, N: 5, K: 4}, solver.Draw},
		{engine.Rules{M: 5, N: 5, K: 3}, solver.Win},
		{engine.Rules{M: 5, N: 5, K: 4}, solver.Draw},
	}
	for _, tt := range tests {
		if !long && tt.rules.Cells() > 16 {
			continue // a minute, with the race detector many; nothing in it is concurrent
		}
		for _, side := range []engine.Mark{engine.X, engine.O} {
			t.Run(tt.rules.String()+" with "+side.String(), func(t *testing.T) {
				t.Parallel()
				floor := tt.start
				if side == engine.O {
					floor = -floor
				}
				// By every move of perfect the largest boards would take hours.
				every := tt.rules.Cells() <= 12 || tt.rules.Cells() <= 16 && long
				ends := walk(t, newGame(t, tt.rules), side, floor, every)
				if ends == 0 {
					t.Error("the walk met no end of a game")
				}
				t.Logf("%d ends", ends)
			})
		}
	}
}

// walk plays perfect on the side against every line of replies, by every move that it may
// make or by one of them, and returns how many different ends it met. It fails when a move gives
// away value or a ply, or when perfect ends worse than the best value that it has had:
// what the other side has given away must never be given back.
func walk(t *testing.T, start engine.Game, side engine.Mark, floor solver.Value, every bool) (ends int) {
	t.Helper()
	perfect := named(t, "perfect")
	moves := func(g engine.Game) (cells []engine.Cell) {
		if !every {
			return []engine.Cell{perfect.Choose(g, dice(uint64(g.Ply())))}
		}
		for _, chance := range perfect.Odds(g) {
			cells = append(cells, chance.Cell)
		}
		return cells
	}
	type visit struct {
		g     engine.Game
		floor solver.Value
	}
	solve := func(g engine.Game) solver.Result {
		result, err := solver.Solve(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	lines := start.Rules().Lines()
	seen := map[visit]bool{}
	queue := []visit{{start, floor}}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		v.g = v.g.Canonical()
		if seen[v] {
			continue
		}
		seen[v] = true
		switch {
		case v.g.Over() || closed(lines, v.g):
			ends++
			got := solver.Draw
			switch v.g.Outcome().Winner() {
			case side:
				got = solver.Win
			case side.Other():
				got = solver.Loss
			}
			if got < v.floor {
				t.Fatalf("%v: a %v for %v, who had a %v", v.g, got, side, v.floor)
			}
		case v.g.SideToMove() == side:
			before := solve(v.g)
			if before.Value < v.floor {
				t.Fatalf("%v: %v has a %v, and had a %v before", v.g, side, before.Value, v.floor)
			}
			for _, c := range moves(v.g) {
				child := play(t, v.g, c)
				if before.Value == solver.Draw && !every {
					// A draw given away is seen after the reply, at a third of the cost.
					queue = append(queue, visit{child, before.Value})
					continue
				}
				after := solver.Result{Value: solver.Draw} // of the side that has not moved
				if !child.Over() {
					after = solve(child)
				} else if child.Outcome() == engine.Won(side) {
					after.Value = solver.Loss
				}
				if -after.Value != before.Value || after.Plies+1 != before.Plies {
					t.Fatalf("%v: %v marks %s for a %v in %d plies, and has a %v in %d", v.g, side,
						v.g.Rules().CellName(c), -after.Value, after.Plies+1, before.Value, before.Plies)
				}
				queue = append(queue, visit{child, before.Value})
			}
		default:
			for _, child := range v.g.Children() {
				queue = append(queue, visit{child, v.floor})
			}
		}
	}
	return ends
}

// closed reports whether every line holds marks of both sides, so that the game can
// only end in a draw, whatever is played.
func closed(lines []engine.Bitboard, g engine.Game) bool {
	x, o := g.Marks(engine.X), g.Marks(engine.O)
	for _, line := range lines {
		if line&x == 0 || line&o == 0 {
			return false
		}
	}
	return true
}
