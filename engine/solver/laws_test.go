package solver_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// positions draws a position in which the game is not over: rules of any kind
// and as many random moves as they allow.
func positions() *rapid.Generator[engine.Game] {
	return rapid.Custom(func(t *rapid.T) engine.Game {
		rules := rapid.SampledFrom(engine.AllRules()).Draw(t, "rules")
		g, err := engine.New(rules)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, rules.MaxPlies()-1).Draw(t, "plies") {
			var quiet []engine.Game // children that leave something to solve
			for _, child := range g.Children() {
				if !child.Over() {
					quiet = append(quiet, child)
				}
			}
			if len(quiet) == 0 {
				break
			}
			g = rapid.SampledFrom(quiet).Draw(t, "position")
		}
		return g
	})
}

func solve(tb rapid.TB, g engine.Game) solver.Result {
	tb.Helper()
	r, err := solver.Solve(context.Background(), g)
	if err != nil {
		tb.Fatalf("Solve(%v): %v", g, err)
	}
	return r
}

func moves(tb rapid.TB, g engine.Game) []solver.MoveValue {
	tb.Helper()
	m, err := solver.Moves(context.Background(), g)
	if err != nil {
		tb.Fatalf("Moves(%v): %v", g, err)
	}
	return m
}

// ofMove returns what the move that leads to child is worth, from what child is
// worth.
func ofMove(tb rapid.TB, c engine.Cell, child engine.Game) solver.MoveValue {
	tb.Helper()
	switch child.Outcome() {
	case engine.Undecided:
		r := solve(tb, child)
		return solver.MoveValue{Cell: c, Value: -r.Value, Plies: r.Plies + 1}
	case engine.Drawn:
		return solver.MoveValue{Cell: c, Value: solver.Draw, Plies: 1 + child.Rules().MaxPlies() - child.Ply()}
	default:
		return solver.MoveValue{Cell: c, Value: solver.Win, Plies: 1}
	}
}

// bestOf returns the move that is worth the most: a quick win rather than a slow one, and a
// slow loss rather than a quick one.
func bestOf(list []solver.MoveValue) (best solver.MoveValue) {
	for i, m := range list {
		better := m.Value > best.Value ||
			m.Value == best.Value && (m.Value == solver.Win && m.Plies < best.Plies || m.Value == solver.Loss && m.Plies > best.Plies)
		if i == 0 || better {
			best = m
		}
	}
	return best
}

func TestMovesAreWorthWhatTheyLeadTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Draw(t, "game")
		var want []solver.MoveValue
		for c, child := range g.Children() {
			want = append(want, ofMove(t, c, child))
		}
		if diff := cmp.Diff(want, moves(t, g)); diff != "" {
			t.Errorf("Moves(%v) (-want +got):\n%s", g, diff)
		}
	})
}

func TestPositionIsWorthItsBestMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Draw(t, "game")
		got := solve(t, g)
		list := moves(t, g)
		best := bestOf(list)
		if got.Value != best.Value || got.Plies != best.Plies {
			t.Errorf("Solve(%v) = %+v, want the best of %+v", g, got, list)
		}
		for _, m := range list {
			if m.Cell == got.Best && (m.Value != got.Value || m.Plies != got.Plies) {
				t.Errorf("Solve(%v) = %+v, its move is %+v", g, got, m)
			}
		}
	})
}

func TestKeepingMovesAreTheBestValued(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Draw(t, "game")
		value := solve(t, g).Value
		var want []solver.MoveValue
		for _, m := range moves(t, g) {
			if m.Value == value {
				want = append(want, m)
			}
		}
		got, err := solver.Keeping(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Keeping(%v) (-want +got):\n%s", g, diff)
		}
	})
}

func TestSymmetricPositionsAreWorthTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Draw(t, "game")
		// All eight: what turns the board over keeps the value too, under the
		// transposed rules.
		s := engine.Symmetry(rapid.IntRange(0, 7).Draw(t, "symmetry"))
		want, got := solve(t, g), solve(t, g.Transform(s))
		if got.Value != want.Value || got.Plies != want.Plies {
			t.Errorf("Solve(%v) = %+v, but %+v for %v", g, want, got, g.Transform(s))
		}
	})
}

// The winner moves last: a win takes an odd number of plies and a loss an even
// one. A draw takes as long as it can.
func TestDistanceParity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Draw(t, "game")
		r := solve(t, g)
		left := g.Rules().MaxPlies() - g.Ply()
		ok := r.Plies == left
		switch r.Value {
		case solver.Win:
			ok = r.Plies%2 == 1 && r.Plies <= left
		case solver.Loss:
			ok = r.Plies%2 == 0 && r.Plies <= left && r.Plies > 0
		}
		if !ok {
			t.Errorf("Solve(%v) = %+v with %d moves left", g, r, left)
		}
	})
}

// A table that is too small for anything to stay in it, and one that has seen
// other positions and other rules, give the same answers.
func TestTableNeverChangesAnAnswer(t *testing.T) {
	small := solver.SmallTable()
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Filter(func(g engine.Game) bool { return g.Rules().Limit == 0 }).Draw(t, "game")
		solver.Forget()
		want, err := solver.Moves(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, small(g)); diff != "" {
			t.Errorf("Moves(%v) with a small, used table (-want +got):\n%s", g, diff)
		}
	})
}

// swapped returns the position with the marks of both sides exchanged. Both sides must
// have the same number of marks, or it could not arise.
func swapped(tb rapid.TB, g engine.Game) engine.Game {
	tb.Helper()
	s, err := engine.Parse(strings.NewReplacer("X", "O", "O", "X").Replace(g.String()))
	if err != nil {
		tb.Fatalf("%v with the sides swapped: %v", g, err)
	}
	return s
}

// The law of swapped sides, where marks stay: a side that is to move is never worse off than it would be if
// the other side were to move. In the swapped position the side to move has the marks of
// the side that waits here.
func theMoveIsNoBurden(tb rapid.TB, g engine.Game) {
	tb.Helper()
	other := swapped(tb, g)
	here, there := solve(tb, g), solve(tb, other)
	if here.Value < -there.Value {
		tb.Fatalf("%v is a %v for the side to move, yet %v is a %v", g, here.Value, other, there.Value)
	}
	if here.Value == solver.Loss && there.Plies >= here.Plies {
		// A side that wins with the other to move wins sooner with the move.
		tb.Fatalf("%v is lost in %d plies, yet %v takes %d to win", g, here.Plies, other, there.Plies)
	}
}

func TestSwappedSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := positions().Filter(func(g engine.Game) bool { return g.Ply()%2 == 0 && g.Rules().Limit == 0 }).Draw(t, "game")
		theMoveIsNoBurden(t, g)
	})
}

func TestSwappedSidesOnEveryPosition(t *testing.T) {
	seen := map[engine.Game]bool{}
	var visit func(engine.Game)
	visit = func(g engine.Game) {
		if g.Over() || seen[g] {
			return
		}
		seen[g] = true
		if g.Ply()%2 == 0 {
			theMoveIsNoBurden(t, g)
		}
		for _, child := range g.Children() {
			visit(child)
		}
	}
	visit(emptyGame(t, engine.Standard))
}
