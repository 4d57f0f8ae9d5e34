package main

import (
	"cmp"
	"math/big"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

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

// prefers reports whether the mark would rather have a than b, the shares of a game. Those have
// more points in which more is won than lost.
func prefers(m engine.Mark, a, b Result) bool {
	if m == engine.O {
		a, b = a.Reverse(), b.Reverse()
	}
	lead := func(r Result) *big.Rat { return new(big.Rat).Sub(r.Win, r.Loss) }
	return cmp.Or(lead(a).Cmp(lead(b)), a.Win.Cmp(b.Win)) > 0
}
