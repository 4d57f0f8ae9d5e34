package arena

import (
	"context"
	"math"
	"math/big"
	"sync"
	"testing"

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
	zero, one := new(big.Rat), big.NewRat(1, 1)
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
			points := s.Games[n][i].Mean(s.Games[i][n].Reverse()).Points()
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
	one := big.NewRat(1, 1)
	check := func(r Result) {
		t.Helper()
		sum := new(big.Rat).Add(r.Win, r.Draw)
		if sum.Add(sum, r.Loss).Cmp(one) != 0 {
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
	sampled, err := sample(context.Background(), engine.Standard, Options{Games: 250, Seed: 3}, &progress{})
	if err != nil {
		t.Fatal(err)
	}
	outside, all := 0, 0
	for i := range s.Opponents {
		for j := range s.Opponents {
			want, _ := s.Games[i][j].Points().Float64()
			low, high := sampled.Games[i][j].Interval()
			all++
			if want < low || want > high {
				outside++
			}
			if got := sampled.Games[i][j].Points(); math.Abs(got-want) > 0.12 {
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
		for n, side := range []engine.Mark{engine.X, engine.O} {
			loss := s.Losses[i][n]
			if want := s.Best[i][n].Loss.Sign() > 0; loss.Possible != want {
				t.Errorf("%s with %v: can lose is %v, want %v", name, side, loss.Possible, want)
			}
			if !loss.Possible {
				continue
			}
			g, _ := engine.New(engine.Standard)
			for _, c := range loss.Moves {
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
			if losesWithin(o, side, len(loss.Moves)-1) {
				t.Errorf("%s with %v can lose in fewer than %d moves", name, side, len(loss.Moves))
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

func TestMisses(t *testing.T) {
	s := playExact(t)
	zero := new(big.Rat)
	of := func(name string) Misses { return s.Misses[s.index(name)] }
	if m := of("perfect"); m.Win.Cmp(zero) != 0 || m.Threat.Cmp(zero) != 0 || m.Plan.Cmp(zero) != 0 {
		t.Errorf("perfect overlooks %+v", m)
	}
	for _, name := range []string{"medium", "hard", "rules", "weights", "paths"} {
		if m := of(name); m.Win.Cmp(zero) != 0 || m.Threat.Cmp(zero) != 0 {
			t.Errorf("%s overlooks wins %v, threats %v, want none", name, m.Win, m.Threat)
		}
	}
	easy := of("easy")
	if easy.Win.Cmp(easy.Threat) >= 0 || easy.Straight.Cmp(easy.Diagonal) >= 0 {
		t.Errorf("easy overlooks wins %v, threats %v, straight %v, diagonal %v; want wins least, diagonals more than straight lines",
			easy.Win, easy.Threat, easy.Straight, easy.Diagonal)
	}
	better := []string{"random", "easy", "medium", "hard", "perfect"}
	for i := range better[1:] {
		worse, better := of(better[i]), of(better[i+1])
		if better.Plan.Cmp(worse.Plan) > 0 || better.Win.Cmp(worse.Win) > 0 || better.Threat.Cmp(worse.Threat) > 0 {
			t.Errorf("level %d overlooks more than the one below: %+v, %+v", i+1, better, worse)
		}
	}
}
