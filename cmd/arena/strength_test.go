package main

import (
	"context"
	"math/big"
	"os"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// TestStrengthRisesEvenly measures the levels on every board that the engine knows:
// on the way from random to perfect play every step is about a quarter. The games are
// seeded, so that the figures are the same each time; 3x3 is exact.
func TestStrengthRisesEvenly(t *testing.T) {
	t.Run("3x3", func(t *testing.T) { wantEvenSteps(t, playExact(t).Strengths()) })
	forBoards(t, beyondStandard(), func(t *testing.T, r engine.Rules) {
		games := 300
		if r == slowest {
			games = 60
		}
		wantEvenSteps(t, tournament(t, r, games, 11).Strengths())
	})
}

// TestMissesOnLargerBoards is TestMisses for all other boards, with seeded positions.
func TestMissesOnLargerBoards(t *testing.T) {
	forBoards(t, beyondStandard(), func(t *testing.T, r engine.Rules) {
		start, err := engine.New(r)
		if err != nil {
			t.Fatal(err)
		}
		wanted := 300
		if r == slowest {
			wanted = 100
		}
		positions := drawPositions(context.Background(), start, wanted, 11)
		known := map[string]MissRates{}
		for _, name := range ladder {
			known[name] = overlooked(positions, rolled(context.Background(), byName(t, name), 11))
		}
		wantHumanMisses(t, func(name string) MissRates { return known[name] })
		for _, motif := range []Motif{Win, Threat, Straight} {
			if n := count(positions)[motif]; n < wanted {
				t.Errorf("%d positions with a %v, want %d", n, motif, wanted)
			}
		}
		t.Logf("positions: %v", count(positions))
	})
}

// slowest is the board on which every move of perfect takes milliseconds.
var slowest = engine.Rules{M: 5, N: 5, K: 4}

// beyondStandard returns every board beyond 3x3 that the engine knows, as wide as high or higher:
// laid on its side a board is the same.
func beyondStandard() []engine.Rules {
	return slices.DeleteFunc(engine.AllRules(), func(r engine.Rules) bool {
		return r.M > r.N || r == engine.Standard
	})
}

// long reports whether tests may take minutes.
var long = os.Getenv("TEST_LONG") != ""

// forBoards runs the test for every one of the boards.
func forBoards(t *testing.T, boards []engine.Rules, test func(*testing.T, engine.Rules)) {
	for _, r := range boards {
		t.Run(r.String(), func(t *testing.T) {
			if !long {
				t.Skip("takes seconds, under the race detector minutes: TEST_LONG=1 has it run")
			}
			t.Parallel()
			test(t, r)
		})
	}
}

// tournament plays the levels against each other on the board.
func tournament(t *testing.T, r engine.Rules, games int, seed uint64) Sampled {
	t.Helper()
	start, err := engine.New(r)
	if err != nil {
		t.Fatal(err)
	}
	s := Sampled{Rules: r, Played: Played{Opponents: ladder}}
	for _, x := range ladder {
		var row []Result
		for _, o := range ladder {
			var played Result
			if x != o {
				played = match(context.Background(), start, byName(t, x), byName(t, o), options{Games: games, Seed: seed})
			}
			row = append(row, played)
		}
		s.Games = append(s.Games, row)
	}
	return s
}

func byName(t *testing.T, name string) strategy.Opponent {
	t.Helper()
	o, ok := strategy.ByName(name)
	if !ok {
		t.Fatalf("no opponent is called %q", name)
	}
	return o
}

func wantEvenSteps(t *testing.T, all []Strength) {
	t.Helper()
	least, most := big.NewRat(18, 100), big.NewRat(32, 100)
	for i := range all[1:] {
		step := new(big.Rat).Sub(all[i+1].Scale, all[i].Scale)
		if step.Cmp(least) < 0 || step.Cmp(most) > 0 {
			t.Errorf("from %s to %s: %s of the way from random to perfect, want %s to %s",
				all[i].Opponent, all[i+1].Opponent, step.FloatString(3), least.FloatString(2), most.FloatString(2))
		}
	}
	for _, s := range all {
		t.Logf("%-8s %s points, %s of the way", s.Opponent, s.Points.FloatString(3), s.Scale.FloatString(3))
	}
}
