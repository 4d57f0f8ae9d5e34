package main

import (
	"context"
	"math"
	"math/big"
	"sync"
	"testing"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// standardOnce plays 3x3 once for all tests.
var standardOnce = sync.OnceValues(func() (Standard, error) { return playStandard(context.Background()) })

func playExact(t *testing.T) Standard {
	t.Helper()
	s, err := standardOnce()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantShares(t *testing.T, what string, got Result, win, draw, loss *big.Rat) {
	t.Helper()
	if got.Win.Cmp(win) != 0 || got.Draw.Cmp(draw) != 0 || got.Loss.Cmp(loss) != 0 {
		t.Errorf("%s: got %v, %v, %v, want %v, %v, %v", what, got.Win, got.Draw, got.Loss, win, draw, loss)
	}
}

// TestKnownResults holds figures that are known from elsewhere: random play against
// random play by counting games, perfect play against itself, and the most that perfect
// play can win.
func TestKnownResults(t *testing.T) {
	s := playExact(t)
	random, perfect := s.index("random"), s.index("perfect")
	zero := new(big.Rat)
	wantShares(t, "random against random", s.Games[random][random],
		big.NewRat(737, 1260), big.NewRat(8, 63), big.NewRat(121, 420))
	wantShares(t, "perfect against perfect", s.Games[perfect][perfect], zero, one, zero)
	wantShares(t, "perfect against random", s.Games[perfect][random], big.NewRat(191, 192), big.NewRat(1, 192), zero)
	for side := range 2 {
		wantShares(t, "perfect against the best response", s.Best[perfect][side], zero, one, zero)
	}
}

// TestStrongerIsStronger: whom people are offered after a game is the first level that
// has the better of their opponent, or perfect, which never has the worse.
func TestStrongerIsStronger(t *testing.T) {
	s := playExact(t)
	half := big.NewRat(1, 2)
	for i, o := range s.Opponents {
		for _, level := range ladder[1:] {
			n := s.index(level)
			points := s.Against(n, i).Points()
			if n == i || points.Cmp(half) <= 0 && level != "perfect" {
				continue
			}
			if got, _ := strategy.Stronger(o); got != level {
				t.Errorf("after %s comes %q, want %s, which has %s of the points", o, got, level, points.FloatString(4))
			}
			if points.Cmp(half) < 0 {
				t.Errorf("%s has only %s of the points against %s", level, points.FloatString(4), o)
			}
			break
		}
	}
}

func TestResultsAddUp(t *testing.T) {
	s := playExact(t)
	check := func(r Result) {
		t.Helper()
		if sum := r.Games(); sum.Cmp(one) != 0 {
			t.Errorf("shares add up to %v", sum)
		}
	}
	for i := range s.Opponents {
		for j := range s.Opponents {
			check(s.Games[i][j])
			// Nobody in the list does better than the best response.
			if s.Best[i][0].Points().Cmp(s.Games[i][j].Points()) > 0 {
				t.Errorf("%s with X: %s does better than the best response", s.Opponents[i], s.Opponents[j])
			}
			if s.Best[i][1].Points().Cmp(s.Games[j][i].Reverse().Points()) > 0 {
				t.Errorf("%s with O: %s does better than the best response", s.Opponents[i], s.Opponents[j])
			}
		}
		check(s.Best[i][0])
		check(s.Best[i][1])
	}
}

// TestSamplingAgreesWithExact plays with dice what is known exactly.
func TestSamplingAgreesWithExact(t *testing.T) {
	s := playExact(t)
	sampled, err := sample(context.Background(), engine.Standard, options{Games: 250, Seed: 3}, &progress.Line{})
	if err != nil {
		t.Fatal(err)
	}
	outside, all := 0, 0
	for i := range s.Opponents {
		for j := range s.Opponents {
			want := float(s.Games[i][j].Points())
			low, high := sampled.Games[i][j].Interval()
			all++
			if want < low || want > high {
				outside++
			}
			if got := float(sampled.Games[i][j].Points()); math.Abs(got-want) > 0.12 {
				t.Errorf("%s against %s: sampled %.3f, exact %.3f", s.Opponents[i], s.Opponents[j], got, want)
			}
		}
	}
	// At 95 % confidence one in twenty may be outside.
	if outside*10 > all {
		t.Errorf("%d of %d intervals do not hold the exact value", outside, all)
	}
}

// TestShortestLosses plays the games that are reported: legal, by moves that the
// opponent can make, lost at the end, and as short as a slower search finds.
func TestShortestLosses(t *testing.T) {
	s := playExact(t)
	for i, name := range s.Opponents {
		o, _ := strategy.ByName(name)
		for n, side := range sides {
			loss := s.Losses[i][n]
			if want := s.Best[i][n].Loss.Sign() > 0; (loss != nil) != want {
				t.Errorf("%s with %v: can lose is %v, want %v", name, side, loss != nil, want)
			}
			if loss == nil {
				continue
			}
			g, _ := engine.New(engine.Standard)
			for _, c := range loss {
				if g.SideToMove() == side && !mayPlay(o, g, c) {
					t.Errorf("%s would not play %s in %v", name, g.Rules().CellName(c), g)
				}
				next, err := g.Play(c)
				if err != nil {
					t.Fatal(err)
				}
				g = next
			}
			if g.Outcome() != engine.Won(side.Other()) {
				t.Errorf("%s with %v: the game ends %v in %v", name, side, g.Outcome(), g)
			}
			if losesWithin(o, side, len(loss)-1) {
				t.Errorf("%s with %v can lose in fewer than %d moves", name, side, len(loss))
			}
		}
	}
}

func mayPlay(o strategy.Opponent, g engine.Game, c engine.Cell) bool {
	for _, chance := range o.Odds(g) {
		if chance.Cell == c {
			return true
		}
	}
	return false
}

// losesWithin looks by iterated depth for a lost game of at most so many moves.
func losesWithin(o strategy.Opponent, side engine.Mark, moves int) bool {
	tried := map[engine.Game]bool{}
	var visit func(engine.Game) bool
	visit = func(g engine.Game) bool {
		if g.Outcome() == engine.Won(side.Other()) {
			return true
		}
		if g.Over() || g.Ply() >= moves || tried[g] {
			return false
		}
		tried[g] = true
		for c, child := range g.Children() {
			if (g.SideToMove() != side || mayPlay(o, g, c)) && visit(child) {
				return true
			}
		}
		return false
	}
	g, _ := engine.New(engine.Standard)
	return visit(g)
}

// TestRanksIsBeatable is the verdict on the claim of the text that ranks comes from.
func TestRanksIsBeatable(t *testing.T) {
	s := playExact(t)
	for side, best := range s.Best[s.index("ranks")] {
		if best.Loss.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("ranks on side %d loses %v of its games against the best response, want all", side, best.Loss)
		}
	}
}

// TestMisses holds what the levels overlook on 3x3, exactly.
func TestMisses(t *testing.T) {
	s := playExact(t)
	wantHumanMisses(t, func(name string) MissRates { return s.MissRates[s.index(name)] })
	// Counted in another way: the positions that are not over, those with a win, those with
	// one threat and no win.
	if s.Positions[Win] != 2358 || s.Positions[Threat] != 976 {
		t.Errorf("%d positions have a win and %d a threat", s.Positions[Win], s.Positions[Threat])
	}
	for _, name := range []string{"rules", "weights", "paths"} {
		if m := s.MissRates[s.index(name)]; m[Win].Sign() != 0 || m[Threat].Sign() != 0 {
			t.Errorf("%s overlooks wins %v, threats %v, want none", name, m[Win], m[Threat])
		}
	}
}

// wantHumanMisses checks that every level overlooks less than the one below, and random play
// more than all; that perfect overlooks nothing, and medium and hard no win; that the others
// overlook diagonals more than rows and columns; and in which order they overlook the rest.
func wantHumanMisses(t *testing.T, of func(name string) MissRates) {
	t.Helper()
	for i, name := range ladder[1:] {
		m, below := of(name), of(ladder[i])
		for motif := range motifs {
			if m[motif] == nil {
				continue // no position of this board has it
			}
			got, most := m[motif].FloatString(4), below[motif].FloatString(4)
			switch {
			case name == "perfect", motif == Win && name != "easy":
				if m[motif].Sign() != 0 {
					t.Errorf("%s overlooks a %v with %s, want never", name, motif, got)
				}
			case m[motif].Cmp(below[motif]) >= 0:
				t.Errorf("%s overlooks a %v with %s, %s with %s", name, motif, got, ladder[i], most)
			}
		}
		if m[Diagonal] != nil && m[Straight].Cmp(m[Diagonal]) >= 0 && name != "perfect" {
			t.Errorf("%s overlooks straight lines with %s, diagonals with %s", name, m[Straight].FloatString(4), m[Diagonal].FloatString(4))
		}
		if name != "perfect" {
			wantOrder(t, name, m, of("random"))
		}
	}
}

// wantOrder checks that a level overlooks threats more than wins, forks more than threats
// and plans more than forks. Random play hits some of each by luck, and of some more than of
// others, so what counts is the share of random play's misses that the level has too.
func wantOrder(t *testing.T, name string, m, random MissRates) {
	t.Helper()
	before, least := Win, new(big.Rat)
	for _, motif := range []Motif{Win, Threat, Fork, Plan} {
		if m[motif] == nil {
			continue
		}
		share := new(big.Rat).Quo(m[motif], random[motif])
		if motif != Win && share.Cmp(least) <= 0 {
			t.Errorf("%s overlooks a %v with %s and a %v with %s of what random play overlooks, want the other order",
				name, before, least.FloatString(4), motif, share.FloatString(4))
		}
		before, least = motif, share
	}
}
