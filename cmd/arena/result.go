package main

import (
	"math"
	"math/big"
	"slices"

	"tictactoe/engine"
)

// Played is what opponents made of one board.
type Played struct {
	// Opponents are the names of those that play the board, in the order of all the slices.
	Opponents []string
	// Games holds the result for X: Games[x][o] of opponent x with X against
	// opponent o with O.
	Games [][]Result
	// MissRates holds what every opponent overlooks in the positions that it was asked for.
	MissRates []MissRates
	// Positions counts them.
	Positions Positions
}

// Against returns the result of one opponent against another, half of the games
// with X, half with O.
func (p Played) Against(a, b int) Result {
	both := noResult()
	both.plus(one, p.Games[a][b])
	both.plus(one, p.Games[b][a].Reverse())
	return both
}

// index returns the place of the opponent of that name in the slices.
func (p Played) index(name string) int { return slices.Index(p.Opponents, name) }

// Result is how games end for the first of two opponents: how many were counted, or with
// what probability a game ends so.
type Result struct{ Win, Draw, Loss *big.Rat }

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

// one has a result count once.
var one = big.NewRat(1, 1)

// Reverse returns the result as the other opponent sees it.
func (r Result) Reverse() Result { return Result{Win: r.Loss, Draw: r.Draw, Loss: r.Win} }

// Games returns how many games these are.
func (r Result) Games() *big.Rat {
	n := new(big.Rat).Add(r.Win, r.Draw)
	return n.Add(n, r.Loss)
}

// Points returns the mean points of a game, a win counting 1 and a draw a half. It wants
// a game.
func (r Result) Points() *big.Rat {
	points := new(big.Rat).Mul(r.Draw, big.NewRat(1, 2))
	return points.Quo(points.Add(points, r.Win), r.Games())
}

// Interval returns the Wilson score interval of the mean points at 95 %, of games that were
// counted. Draws make the spread narrower than it assumes, so that it is wider than it need be
// rather than too narrow.
func (r Result) Interval() (low, high float64) {
	n := float(r.Games())
	if n == 0 {
		return 0, 1
	}
	const z = 1.959964
	p := float(r.Points())
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
}

// float returns the number that is nearest.
func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}
