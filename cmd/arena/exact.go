package main

import (
	"cmp"
	"math/big"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Result is how a pairing ends: the exact probabilities for the first of the two
// opponents, which add up to 1.
type Result struct {
	Win, Draw, Loss *big.Rat
}

// Points returns the expected points of a game: a win counts 1, a draw a half.
func (r Result) Points() *big.Rat {
	half := new(big.Rat).Mul(r.Draw, big.NewRat(1, 2))
	return half.Add(half, r.Win)
}

// Mean returns the mean of two results, as of a game with X and one with O.
func (r Result) Mean(s Result) Result {
	mean, half := noResult(), big.NewRat(1, 2)
	mean.plus(half, r)
	mean.plus(half, s)
	return mean
}

// Reverse returns the result as the other opponent sees it.
func (r Result) Reverse() Result { return Result{Win: r.Loss, Draw: r.Draw, Loss: r.Win} }

// noResult is the result of no games at all.
func noResult() Result { return Result{Win: new(big.Rat), Draw: new(big.Rat), Loss: new(big.Rat)} }

// result returns the certain result of a game that is over, for X.
func result(o engine.Outcome) Result {
	r := noResult()
	shares := [...]*big.Rat{engine.XWon: r.Win, engine.OWon: r.Loss, engine.Drawn: r.Draw}
	shares[o].SetInt64(1)
	return r
}

// plus adds p times s to r.
func (r Result) plus(p *big.Rat, s Result) {
	for _, t := range [][2]*big.Rat{{r.Win, s.Win}, {r.Draw, s.Draw}, {r.Loss, s.Loss}} {
		if t[1].Sign() != 0 {
			t[0].Add(t[0], new(big.Rat).Mul(p, t[1]))
		}
	}
}

// odds are those with which an opponent moves in a position.
type odds func(engine.Game) []strategy.Chance

// remembered are the exact odds of an opponent, each asked for once. They are for one
// goroutine at a time.
func remembered(o strategy.Opponent) odds {
	known := map[engine.Game][]strategy.Chance{}
	return func(g engine.Game) []strategy.Chance {
		chances, ok := known[g]
		if !ok {
			chances = o.Odds(g)
			known[g] = chances
		}
		return chances
	}
}

// exact returns the result for X of all 3x3 games between the two, every random tie weighted
// by its probability. A side without odds always makes the move that is best against the
// other: the most points, and among moves with as many the most wins.
func exact(x, o odds) Result {
	movers := [...]odds{engine.X: x, engine.O: o}
	known := map[engine.Game]Result{}
	var visit func(engine.Game) Result
	visit = func(g engine.Game) Result {
		if g.Over() {
			return result(g.Outcome())
		}
		if r, ok := known[g]; ok {
			return r
		}
		var r Result
		if mover := movers[g.SideToMove()]; mover != nil {
			r = noResult()
			for _, chance := range mover(g) {
				if child, err := g.Play(chance.Cell); err == nil {
					r.plus(chance.P, visit(child))
				}
			}
		} else {
			for _, child := range g.Children() {
				if s := visit(child); r.Win == nil || prefers(g.SideToMove(), s, r) {
					r = s
				}
			}
		}
		known[g] = r
		return r
	}
	return visit(standardStart)
}

// prefers reports whether the mark would rather have a than b.
func prefers(m engine.Mark, a, b Result) bool {
	if m == engine.O {
		a, b = a.Reverse(), b.Reverse()
	}
	return cmp.Or(a.Points().Cmp(b.Points()), a.Win.Cmp(b.Win)) > 0
}
