package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/engine"
)

// benchBoards are the smallest board and the one with the most lines.
var benchBoards = []engine.Rules{{M: 3, N: 3, K: 3}, {M: 5, N: 5, K: 3}, {M: 5, N: 5, K: 4}}

func benchPositions(b *testing.B, r engine.Rules) []engine.Game {
	var all []engine.Game
	dice := rand.New(rand.NewPCG(1, 2))
	for len(all) < 256 {
		all = append(all, randomGame(b, r, dice)...)
	}
	return all[:256]
}

// BenchmarkOutcome compares the outcome test with a plain scan of the grid.
func BenchmarkOutcome(b *testing.B) {
	for _, r := range benchBoards {
		positions := benchPositions(b, r)
		b.Run(fmt.Sprintf("%v/bitboards", r), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_ = positions[i&255].Outcome()
				i++
			}
		})
		grids := make([]slow, len(positions))
		for i, g := range positions {
			grids[i] = slowFrom(g)
		}
		b.Run(fmt.Sprintf("%v/scan", r), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_ = grids[i&255].outcome()
				i++
			}
		})
	}
}

func BenchmarkPlay(b *testing.B) {
	for _, r := range append(slices.Clip(benchBoards), engine.Vanishing) {
		type move struct {
			g engine.Game
			c engine.Cell
		}
		var moves []move
		for _, g := range benchPositions(b, r) {
			for c := range g.Moves() {
				moves = append(moves, move{g, c})
			}
		}
		b.Run(r.String(), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				m := moves[i%len(moves)]
				if _, err := m.g.Play(m.c); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkReplay replays the longest games.
func BenchmarkReplay(b *testing.B) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, r := range append(slices.Clip(benchBoards), engine.Vanishing) {
		var longest []engine.Cell
		for range 20000 {
			var moves []engine.Cell
			for g := newGame(b, r); !g.Over(); {
				legal := slices.Collect(g.Moves())
				c := legal[dice.IntN(len(legal))]
				g, moves = play(b, g, c), append(moves, c)
			}
			if len(moves) > len(longest) {
				longest = moves
			}
			if len(longest) == r.MaxPlies() {
				break
			}
		}
		b.Run(fmt.Sprintf("%v/%d", r, len(longest)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := engine.Replay(r, longest); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPerft walks all 255,168 games of tic-tac-toe.
func BenchmarkPerft(b *testing.B) {
	b.ReportAllocs()
	start := newGame(b, engine.Standard)
	for b.Loop() {
		leaves := 0
		var walk func(engine.Game)
		walk = func(g engine.Game) {
			if g.Over() {
				leaves++
				return
			}
			for _, child := range g.Children() {
				walk(child)
			}
		}
		walk(start)
		if leaves != 255168 {
			b.Fatalf("got %d games, want 255168", leaves)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	for _, r := range benchBoards {
		positions := benchPositions(b, r)
		b.Run(r.String(), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				_ = positions[i&255].Canonical()
				i++
			}
		})
	}
}

func TestNoAllocations(t *testing.T) {
	for _, r := range engine.AllRules() {
		game := randomGame(t, r, rand.New(rand.NewPCG(3, 4)))
		got := testing.AllocsPerRun(10, func() {
			for _, g := range game {
				if g.Over() != (g.Outcome() != engine.Undecided) {
					t.Error("Over and Outcome disagree")
				}
				for c := range engine.Cell(r.Cells()) {
					if !g.Over() && g.At(c) == engine.None {
						if _, err := g.Play(c); err != nil {
							t.Error(err)
						}
					}
				}
			}
		})
		if got != 0 {
			t.Errorf("%v: Play and Outcome allocated %v times", r, got)
		}
	}
}
