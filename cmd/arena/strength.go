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
	Opponent string `json:"opponent"`
	// Points are the mean points of a game.
	Points *big.Rat `json:"points"`
	// Low and High are the interval of Points at 95 % confidence, and Points
	// itself where all is exact.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Scale is where Points lie on the way from those of random play, 0, to
	// those of perfect play, 1.
	Scale *big.Rat `json:"scale"`
}

// Strengths returns the strength of the levels on 3x3, weakest first.
func (s Standard) Strengths() []Strength {
	return strengths(s.Opponents, func(of int, others []int) Strength {
		points := new(big.Rat)
		for _, other := range others {
			points.Add(points, s.Against(of, other).Points())
		}
		points.Quo(points, big.NewRat(int64(len(others)), 1))
		exact, _ := points.Float64()
		return Strength{Points: points, Low: exact, High: exact}
	})
}

// Strengths returns the strength of the levels on the board, weakest first.
func (s Sampled) Strengths() []Strength {
	return strengths(s.Opponents, func(of int, others []int) Strength {
		var t Tally
		for _, other := range others {
			t = t.Plus(s.Against(of, other))
		}
		low, high := t.Interval()
		return Strength{Points: big.NewRat(int64(2*t.Wins+t.Draws), int64(max(1, 2*t.Games()))), Low: low, High: high}
	})
}

// strengths asks for the strength of each level among the others, and fills in where
// everyone lies between the first and the last.
func strengths(opponents []string, of func(level int, others []int) Strength) []Strength {
	var places []int
	for _, name := range ladder {
		places = append(places, slices.Index(opponents, name))
	}
	all := make([]Strength, len(ladder))
	for i, name := range ladder {
		all[i] = of(places[i], slices.Concat(places[:i], places[i+1:]))
		all[i].Opponent = name
	}
	worst := all[0].Points
	span := new(big.Rat).Sub(all[len(all)-1].Points, worst)
	for i := range all {
		all[i].Scale = new(big.Rat)
		if span.Sign() != 0 {
			all[i].Scale.Quo(all[i].Scale.Sub(all[i].Points, worst), span)
		}
	}
	return all
}
