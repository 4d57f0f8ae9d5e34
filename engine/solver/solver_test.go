package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

func TestSolve(t *testing.T) {
	for _, test := range []struct {
		position string
		want     solver.Result
	}{
		{"XX./OO./...", solver.Result{Value: solver.Win, Plies: 1, Best: 2}},
		{"X../.../...", solver.Result{Value: solver.Draw, Plies: 8, Best: 4}},
		{"XX./O../...", solver.Result{Value: solver.Loss, Plies: 4, Best: 2}},
		{"X.O/.../..X", solver.Result{Value: solver.Loss, Plies: 4, Best: 4}},
		{"XOX/XOO/OX.", solver.Result{Value: solver.Draw, Plies: 1, Best: 8}},
	} {
		got, err := solver.Solve(context.Background(), engine.MustParse(test.position))
		if err != nil {
			t.Fatal(err)
		}
		if got != test.want {
			t.Errorf("Solve(%s) = %+v, want %+v", test.position, got, test.want)
		}
	}
}

// The values of the empty boards are long known.
func TestEmptyBoards(t *testing.T) {
	for _, rules := range engine.AllRules() {
		m, n := min(rules.M, rules.N), max(rules.M, rules.N)
		value, plies := solver.Draw, rules.Cells()
		switch {
		case rules == engine.Vanishing:
			value, plies = solver.Win, 13 // first known from here; a reference agrees
		case rules.K > 3 || n == 3:
		case m == 3:
			value, plies = solver.Win, 7
		default:
			value, plies = solver.Win, 5
		}
		g, err := engine.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		got, err := solver.Solve(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if got.Value != value || got.Plies != plies {
			t.Errorf("the empty %v board is a %v in %d plies, want a %v in %d", rules, got.Value, got.Plies, value, plies)
		}
	}
}

// On 3x4 and 3x5 with three in a row X wins, and yet can spoil it with the first
// move.
func TestFirstMoveThatSpoilsTheWin(t *testing.T) {
	for _, name := range []string{"3x4-3", "3x5-3"} {
		rules := parseRules(t, name)
		g, err := engine.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		keeping, err := solver.Keeping(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(keeping); n == 0 || n == rules.Cells() {
			t.Errorf("%v: %d of %d first moves keep the win, want some and not all", rules, n, rules.Cells())
		}
	}
}

func TestNothingToSolve(t *testing.T) {
	for _, test := range []struct {
		name string
		game engine.Game
		want error
	}{
		{"won", engine.MustParse("XXX/OO./..."), solver.ErrOver},
		{"drawn", engine.MustParse("XOX/XOO/OXX"), solver.ErrOver},
		{"won on another board", engine.MustParse("XXX./OO../..../....-3"), solver.ErrOver},
		{"zero", engine.Game{}, engine.ErrRules},
	} {
		t.Run(test.name, func(t *testing.T) {
			if r, err := solver.Solve(context.Background(), test.game); !errors.Is(err, test.want) {
				t.Errorf("Solve = %+v, %v, want an error that is %v", r, err, test.want)
			}
			if m, err := solver.Moves(context.Background(), test.game); !errors.Is(err, test.want) {
				t.Errorf("Moves = %+v, %v, want an error that is %v", m, err, test.want)
			}
			if m, err := solver.Keeping(context.Background(), test.game); !errors.Is(err, test.want) {
				t.Errorf("Keeping = %+v, %v, want an error that is %v", m, err, test.want)
			}
		})
	}
}

// expiring is a context that ends when it has been asked for its error so many
// times, to stop a search in its midst without a clock.
type expiring struct {
	context.Context
	left int
}

func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestCancelled(t *testing.T) {
	g := engine.MustParse("...X./...../X..O./...../.....-4")
	for left := range 3 {
		ctx := func() context.Context { return &expiring{context.Background(), left} }
		solver.Forget()
		if r, err := solver.Solve(ctx(), g); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Solve, stopped at look %d, = %+v, %v, want context.DeadlineExceeded", left, r, err)
		}
		solver.Forget()
		if m, err := solver.Moves(ctx(), g); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Moves, stopped at look %d, = %+v, %v, want context.DeadlineExceeded", left, m, err)
		}
		solver.Forget()
		if m, err := solver.Keeping(ctx(), g); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Keeping, stopped at look %d, = %+v, %v, want context.DeadlineExceeded", left, m, err)
		}
	}
}

// A context that has ended gets no answer, however easy it would be.
func TestContextEndedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, position := range []string{"X../.O./...", "XX../..../OO../....-3", "...../...../...../...../.....-4"} {
		g := engine.MustParse(position)
		if r, err := solver.Solve(ctx, g); !errors.Is(err, context.Canceled) {
			t.Errorf("Solve(%v) = %+v, %v, want context.Canceled", g, r, err)
		}
		if m, err := solver.Moves(ctx, g); !errors.Is(err, context.Canceled) {
			t.Errorf("Moves(%v) = %+v, %v, want context.Canceled", g, m, err)
		}
		if m, err := solver.Keeping(ctx, g); !errors.Is(err, context.Canceled) {
			t.Errorf("Keeping(%v) = %+v, %v, want context.Canceled", g, m, err)
		}
	}
}

// What stopped searches leave behind must not be taken for knowledge: a win that
// they did not get to see is still one.
func TestSolveAfterStoppedSearches(t *testing.T) {
	g := engine.MustParse("...X./...../X..O./...../.....-4")
	solver.Forget()
	for left := 0; ; left++ {
		r, err := solver.Solve(&expiring{context.Background(), left}, g)
		if errors.Is(err, context.DeadlineExceeded) {
			continue
		}
		if err != nil || r.Value != solver.Win || r.Plies != 19 {
			t.Errorf("Solve after %d stopped searches = %+v, %v, want a win in 19 plies", left, r, err)
		}
		if left < 3 {
			t.Errorf("only %d searches were stopped, too few to show anything", left)
		}
		return
	}
}

func TestConcurrentUse(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var games []engine.Game
	var want []string
	all := engine.AllRules()
	for len(games) < 60 {
		g := randomGame(t, rng, all[len(games)%len(all)], 4+rng.IntN(5))
		games = append(games, g)
		want = append(want, answers(g))
	}
	var wg sync.WaitGroup
	for range 8 {
		order := rng.Perm(len(games))
		wg.Go(func() {
			for _, i := range order {
				if got := answers(games[i]); got != want[i] {
					t.Errorf("%v: %s, want %s as alone", games[i], got, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// answers returns in words all that the package says of the position.
func answers(g engine.Game) string {
	ctx := context.Background()
	r, err := solver.Solve(ctx, g)
	m, err2 := solver.Moves(ctx, g)
	k, err3 := solver.Keeping(ctx, g)
	return fmt.Sprint(r.Value, r.Plies, m, k, errors.Join(err, err2, err3))
}

// randomGame plays random moves, at most so many, that leave the game open.
func randomGame(tb testing.TB, rng *rand.Rand, rules engine.Rules, plies int) engine.Game {
	tb.Helper()
	g, err := engine.New(rules)
	if err != nil {
		tb.Fatal(err)
	}
	for range plies {
		var open []engine.Game
		for _, child := range g.Children() {
			if !child.Over() {
				open = append(open, child)
			}
		}
		if len(open) == 0 {
			break
		}
		g = open[rng.IntN(len(open))]
	}
	return g
}
