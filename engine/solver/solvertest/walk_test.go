package solvertest_test

import (
	"errors"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver/solvertest"
)

// firstFree plays the first empty cell.
func firstFree(g engine.Game) (engine.Cell, error) {
	for c := range g.Moves() {
		return c, nil
	}
	return 0, errors.New("no move")
}

func start(t *testing.T) engine.Game {
	t.Helper()
	g, err := engine.New(engine.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWalkFindsTheWorstLine(t *testing.T) {
	for _, test := range []struct {
		position string
		player   engine.Mark
		want     solvertest.Line
	}{
		{"OO./OXX/.X.", engine.X, solvertest.Line{Outcome: engine.OWon, Plies: 2}}, // c1 or a3, and O takes the other
		{"XX./XOO/.OX", engine.O, solvertest.Line{Outcome: engine.XWon, Plies: 2}},
		{"XXO/OOX/X.O", engine.X, solvertest.Line{Outcome: engine.Drawn, Plies: 1}},
		{"XXO/XOO/.OX", engine.X, solvertest.Line{Outcome: engine.XWon, Plies: 1}},
		{"XXX/OO./...", engine.O, solvertest.Line{Outcome: engine.XWon, Plies: 0}},
	} {
		got, err := solvertest.Walk(engine.MustParse(test.position), test.player, firstFree, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got != test.want {
			t.Errorf("Walk(%s, %v) = %+v, want %+v", test.position, test.player, got, test.want)
		}
	}
}

// The player comes to move in every position that replies can lead to, once.
func TestWalkVisits(t *testing.T) {
	seen := map[engine.Game]bool{}
	_, err := solvertest.Walk(start(t), engine.O, firstFree, func(g engine.Game, _ solvertest.Line) error {
		if seen[g] || g != g.Canonical() || g.SideToMove() != engine.O || g.Over() {
			t.Errorf("visit of %v: seen before, not canonical or not to move", g)
		}
		seen[g] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	firstMoves := 0
	for g := range seen {
		if g.Ply() == 1 {
			firstMoves++
		}
	}
	if firstMoves != 3 {
		t.Errorf("%d first moves visited, want the 3 up to symmetry", firstMoves)
	}
}

func TestWalkStops(t *testing.T) {
	errStop := errors.New("stop")
	for _, test := range []struct {
		name   string
		choose solvertest.Choose
		visit  solvertest.Visit
		want   error
	}{
		{"when choosing fails", func(engine.Game) (engine.Cell, error) { return 0, errStop }, nil, errStop},
		{"when the visit fails", firstFree, func(engine.Game, solvertest.Line) error { return errStop }, errStop},
		{"at an illegal move", func(engine.Game) (engine.Cell, error) { return 9, nil }, nil, solvertest.ErrIllegal},
	} {
		if _, err := solvertest.Walk(start(t), engine.X, test.choose, test.visit); !errors.Is(err, test.want) {
			t.Errorf("Walk %s: %v, want %v", test.name, err, test.want)
		}
	}
}
