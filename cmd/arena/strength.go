package main

import (
	"math/big"
	"slices"
)

// ladder names the levels whose strength should rise in even steps, with the two ends
// that it should rise between.
var ladder = []string{"random", "easy", "medium", "hard", "perfect"}

// Strength is how a level fares on one board in a tournament of random play, the levels
// and perfect play, in which each meets each of the others equally often with X and with
// O.
type Strength struct {
	Opponent string
	// Points are the mean points of a game.
	Points *big.Rat
	// Low and High are the interval of Points at 95 % confidence, and Points
	// itself where all is exact.
	Low, High float64
	// Scale is where Points lie on the way from those of random play, 0, to
	// those of perfect play, 1.
	Scale *big.Rat
}

// Strengths returns the strength of the levels on 3x3, weakest first.
func (s Standard) Strengths() []Strength {
	var all []Strength
	for _, name := range ladder {
		sum := new(big.Rat)
		for _, other := range ladder {
			if other != name {
				sum.Add(sum, s.Against(s.index(name), s.index(other)).Points())
			}
		}
		points := sum.Quo(sum, big.NewRat(int64(len(ladder)-1), 1))
		exact, _ := points.Float64()
		all = append(all, Strength{Opponent: name, Points: points, Low: exact, High: exact})
	}
	return scaled(all)
}

// Strengths returns the strength of the levels on the board, weakest first.
func (s Sampled) Strengths() []Strength {
	var all []Strength
	for _, name := range ladder {
		var t Tally
		for _, other := range ladder {
			if other != name {
				t = t.Plus(s.Against(slices.Index(s.Opponents, name), slices.Index(s.Opponents, other)))
			}
		}
		low, high := t.Interval()
		points := new(big.Rat)
		if n := t.Games(); n > 0 {
			points = big.NewRat(int64(2*t.Wins+t.Draws), int64(2*n))
		}
		all = append(all, Strength{Opponent: name, Points: points, Low: low, High: high})
	}
	return scaled(all)
}

// scaled fills in where everyone lies between the first and the last.
func scaled(all []Strength) []Strength {
	worst, best := all[0].Points, all[len(all)-1].Points
	span := new(big.Rat).Sub(best, worst)
	for i := range all {
		all[i].Scale = new(big.Rat)
		if span.Sign() != 0 {
			all[i].Scale.Quo(all[i].Scale.Sub(all[i].Points, worst), span)
		}
	}
	return all
}
