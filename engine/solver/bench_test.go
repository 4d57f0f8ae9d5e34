package solver_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// sink keeps the compiler from dropping what is measured.
var sink int

// BenchmarkStandard solves positions of tic-tac-toe.
func BenchmarkStandard(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	games := []engine.Game{emptyGame(b, engine.Standard)}
	for len(games) < 64 {
		games = append(games, randomGame(b, rng, engine.Standard, rng.IntN(9)))
	}
	for name, n := range map[string]int{"empty": 1, "random": len(games)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				r, err := solver.Solve(context.Background(), games[i%n])
				if err != nil {
					b.Fatal(err)
				}
				sink += r.Plies
				i++
			}
		})
	}
}

// BenchmarkNaiveMinimax solves the empty board of tic-tac-toe as a beginner
// would, to compare with.
func BenchmarkNaiveMinimax(b *testing.B) {
	start := emptyGame(b, engine.Standard)
	for b.Loop() {
		sink += naive(start)
	}
}

func naive(g engine.Game) int {
	switch g.Outcome() {
	case engine.Drawn:
		return 0
	case engine.XWon, engine.OWon:
		return -1
	}
	best := -1
	for _, child := range g.Children() {
		best = max(best, -naive(child))
	}
	return best
}

// BenchmarkHard solves the hardest positions known, each with an empty table:
// best move and distance, all value-keeping moves, all moves.
func BenchmarkHard(b *testing.B) {
	questions := []struct {
		name string
		ask  func(engine.Game) error
	}{
		{"Solve", func(g engine.Game) error {
			_, err := solver.Solve(context.Background(), g)
			return err
		}},
		{"Keeping", func(g engine.Game) error {
			_, err := solver.Keeping(context.Background(), g)
			return err
		}},
		{"Moves", func(g engine.Game) error {
			_, err := solver.Moves(context.Background(), g)
			return err
		}},
	}
	games := hardGames(b)
	for _, q := range questions {
		for _, name := range []string{"3x4-3", "3x5-3", "3x5-4", "4x4-3", "4x4", "4x5-3", "4x5-4", "4x5-5", "5x5-3", "5x5-4", "5x5"} {
			b.Run(q.name+"/"+name, func(b *testing.B) { benchmarkEach(b, games[name], q.ask) })
		}
	}
}

// BenchmarkRandomGames solves every position of random games.
func BenchmarkRandomGames(b *testing.B) {
	for _, name := range []string{"4x4", "4x5-4", "5x5-4"} {
		rules := parseRules(b, name)
		rng := rand.New(rand.NewPCG(1, 2))
		var games []engine.Game
		for range 100 {
			for ply := range rules.Cells() {
				games = append(games, randomGame(b, rng, rules, ply))
			}
		}
		b.Run(name, func(b *testing.B) {
			benchmarkEach(b, games, func(g engine.Game) error {
				_, err := solver.Solve(context.Background(), g)
				return err
			})
		})
	}
}

// benchmarkEach asks the question of every game, each with an empty table, and
// reports how the times of the games are spread. The time of a game is the best of
// at least three tries, as what the machine does besides is not the question's.
func benchmarkEach(b *testing.B, games []engine.Game, ask func(engine.Game) error) {
	b.Helper()
	const tries = 3
	times := make([]time.Duration, len(games))
	for b.Loop() {
		for range tries {
			for i, g := range games {
				solver.Forget()
				start := time.Now()
				if err := ask(g); err != nil {
					b.Fatal(err)
				}
				if d := time.Since(start); times[i] == 0 || d < times[i] {
					times[i] = d
				}
			}
		}
	}
	slices.Sort(times)
	at := func(percent int) float64 {
		return float64(times[min(len(times)*percent/100, len(times)-1)]) / float64(time.Millisecond)
	}
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(99), "p99-ms")
	b.ReportMetric(at(100), "max-ms")
	b.ReportMetric(0, "ns/op") // of all games together, which says nothing
}

// hardGames returns the positions of testdata/hard.txt by rules.
func hardGames(tb testing.TB) map[string][]engine.Game {
	tb.Helper()
	f, err := os.Open("testdata/hard.txt")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	games := map[string][]engine.Game{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		g, err := engine.Parse(text)
		if err != nil {
			tb.Fatal(fmt.Errorf("testdata/hard.txt: %w", err))
		}
		games[g.Rules().String()] = append(games[g.Rules().String()], g)
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return games
}

func emptyGame(tb testing.TB, r engine.Rules) engine.Game {
	tb.Helper()
	g, err := engine.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}
