package main

import "math/big"

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
	return s.strengths(func(r Result) (low, high float64) {
		exact := float(r.Points())
		return exact, exact
	})
}

// Strengths returns the strength of the levels on the board, weakest first.
func (s Sampled) Strengths() []Strength { return s.strengths(Result.Interval) }

// strengths asks for the interval of what each level has of the games against the others.
func (p Played) strengths(interval func(Result) (low, high float64)) []Strength {
	all := make([]Strength, len(ladder))
	for i, name := range ladder {
		games := noResult()
		for _, other := range ladder {
			if other != name {
				games.plus(one, p.Against(p.index(name), p.index(other)))
			}
		}
		low, high := interval(games)
		all[i] = Strength{Opponent: name, Points: games.Points(), Low: low, High: high}
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
