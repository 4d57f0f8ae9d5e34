package solver_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

func TestLastMistake(t *testing.T) {
	type want struct {
		ply       int
		had, left solver.Value
		cells     string // the cells that may be named; empty for no mistake
	}
	const win, draw, loss = solver.Win, solver.Draw, solver.Loss
	for _, test := range []struct {
		name  string
		rules string
		moves string
		side  engine.Mark
		want  want
	}{
		{"answers a corner with a corner", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.O, want{1, draw, loss, "b2"}},
		{"overlooks a threat, whose block forks", "3x3", "a1 b2 c3 c1 b3 a3", engine.X, want{4, win, loss, "a3"}},
		{"overlooks a threat instead of winning", "3x3", "a1 b1 a2 b2 c3 b3", engine.X, want{4, win, loss, "a3"}},
		{"throws away the win, then the draw", "3x3", "a1 c1 a3 a2 b2 c3 b1 c2", engine.X, want{6, draw, loss, "c2"}},
		{"gives the draw away twice", "3x3", "a1 b2 c3 a3 c1 a2 b1", engine.O, want{3, draw, loss, "b1 a2 b3 c2"}},
		{"lost by force, not yet by a line", "3x3", "a1 c1", engine.O, want{1, draw, loss, "b2"}},
		{"the other side did not lose", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.X, want{}},
		{"drawn by both", "3x3", "b2 a1 a2 c2 b1 b3 a3 c1 c3", engine.O, want{}},
		{"a won game drawn", "3x3", "a1 b1 c3 b2 b3 a3 c1 c2 a2", engine.X, want{2, win, draw, "a2 b2 a3"}},
		{"still even", "3x3", "b2 a1", engine.O, want{}},
		{"no moves", "3x3", "", engine.X, want{}},
		{"nobody's loss", "3x3", "a1 c1 c3 b2 a3 a2 b3", engine.None, want{}},
		{"lost from the first move", "4x4-3", "b2 a1 c2 d2 c3", engine.O, want{}},
		{"overlooks a win and a threat", "4x4-3", "a1 d4 b1 d3 a4 d2", engine.X, want{4, win, loss, "c1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rules := parseRules(t, test.rules)
			moves := parseMoves(t, rules, test.moves)
			got, ok, err := solver.LastMistake(context.Background(), rules, moves, test.side)
			if err != nil {
				t.Fatal(err)
			}
			if ok != (test.want.cells != "") || got.Ply != test.want.ply || got.Had != test.want.had || got.Left != test.want.left {
				t.Fatalf("LastMistake(%v, %s, %v) = %+v, %t, want %+v", rules, test.moves, test.side, got, ok, test.want)
			}
			if ok && !slices.Contains(parseMoves(t, rules, test.want.cells), got.Cell) {
				t.Errorf("LastMistake(%v, %s, %v) names %s, want one of %s", rules, test.moves, test.side, rules.CellName(got.Cell), test.want.cells)
			}
		})
	}
}

func parseMoves(tb testing.TB, rules engine.Rules, text string) []engine.Cell {
	tb.Helper()
	moves, err := rules.ParseMoves(text)
	if err != nil {
		tb.Fatal(err)
	}
	return moves
}

func TestLastMistakeRefusesIllegalMoves(t *testing.T) {
	for _, test := range []struct {
		rules engine.Rules
		moves []engine.Cell
		want  error
	}{
		{engine.Standard, []engine.Cell{0, 0}, engine.ErrOccupied},
		{engine.Standard, []engine.Cell{9}, engine.ErrOffBoard},
		{engine.Standard, []engine.Cell{0, 3, 1, 4, 2, 5}, engine.ErrGameOver},
		{engine.Rules{}, nil, engine.ErrRules},
	} {
		_, ok, err := solver.LastMistake(context.Background(), test.rules, test.moves, engine.X)
		if ok || !errors.Is(err, test.want) {
			t.Errorf("LastMistake(%v, %v) = %t, %v, want an error that is %v", test.rules, test.moves, ok, err, test.want)
		}
	}
}

func TestLastMistakeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, ok, err := solver.LastMistake(ctx, engine.Standard, parseMoves(t, engine.Standard, "a1 c1"), engine.O)
	if ok || !errors.Is(err, context.Canceled) {
		t.Errorf("LastMistake under an ended context = %t, %v, want %v", ok, err, context.Canceled)
	}
}

// TestLastMistakeOfEveryGame compares the mistake of either side in every sequence of
// moves on 3x3, played out or not, with what plain minimax says of the positions
// in it.
func TestLastMistakeOfEveryGame(t *testing.T) {
	m := minimax{}
	path := []engine.Game{newGame(t, engine.Standard)}
	var moves []engine.Cell
	sequences, kinds := 0, map[[2]solver.Value]int{}
	check := func(side engine.Mark) {
		sequences++
		left := m.value(path[len(path)-1], side)
		want, found := solver.Mistake{}, false
		for n := range moves {
			if path[n].SideToMove() == side && m.value(path[n], side) > left {
				want, found = solver.Mistake{Ply: n, Had: m.value(path[n], side), Left: left}, true
			}
		}
		got, ok, err := solver.LastMistake(context.Background(), engine.Standard, moves, side)
		cell, plies := got.Cell, got.Plies
		got.Cell, got.Plies = 0, 0
		if err != nil || ok != found || got != want {
			t.Fatalf("%s: %v's last mistake is %+v, %t, %v, want %+v, %t", engine.Standard.FormatMoves(moves), side, got, ok, err, want, found)
		}
		if !ok {
			return
		}
		kinds[[2]solver.Value{got.Had, got.Left}]++
		kept, err := path[got.Ply].Play(cell)
		if err != nil || m.value(kept, side) != got.Had {
			t.Fatalf("%s: %s would not have kept %v's %v at ply %d (%v)", engine.Standard.FormatMoves(moves), engine.Standard.CellName(cell), side, got.Had, got.Ply, err)
		}
		if atOnce := winsAtOnce(path[got.Ply], side); kept.Ply() < 9 && atOnce != (plies == 1) || atOnce && kept.Outcome() != engine.Won(side) {
			t.Fatalf("%s: %s in %d plies is named at ply %d; that a cell wins at once is %t", engine.Standard.FormatMoves(moves), engine.Standard.CellName(cell), plies, got.Ply, atOnce)
		}
	}
	var walk func()
	walk = func() {
		check(engine.X)
		check(engine.O)
		for c, child := range path[len(path)-1].Children() {
			if raceEnabled && len(moves) == 0 && engine.Standard.CellName(c) != "b2" {
				continue // one goroutine plays: a tenth has to do, as all takes a minute
			}
			moves, path = append(moves, c), append(path, child)
			walk()
			moves, path = moves[:len(moves)-1], path[:len(path)-1]
		}
	}
	walk()
	want := 2 * 549946 // the nodes of the whole tree
	if raceEnabled {
		want = 2 * (1 + 55505)
	}
	if sequences != want {
		t.Errorf("looked at %d sequences, want %d", sequences, want)
	}
	for _, kind := range [][2]solver.Value{{solver.Win, solver.Loss}, {solver.Win, solver.Draw}, {solver.Draw, solver.Loss}} {
		if kinds[kind] == 0 {
			t.Errorf("no mistake had %v and left %v", kind[0], kind[1])
		}
	}
}

func newGame(tb testing.TB, r engine.Rules) engine.Game {
	tb.Helper()
	g, err := engine.New(r)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func winsAtOnce(g engine.Game, side engine.Mark) bool {
	for _, child := range g.Children() {
		if child.Outcome() == engine.Won(side) {
			return true
		}
	}
	return false
}

// minimax holds the values for X of the positions it has been asked about and of
// all that follow them.
type minimax map[engine.Game]solver.Value

func (m minimax) value(g engine.Game, side engine.Mark) solver.Value {
	v, ok := m[g]
	if !ok {
		switch {
		case g.Outcome() == engine.XWon:
			v = solver.Win
		case g.Outcome() == engine.OWon:
			v = solver.Loss
		case g.Outcome() == engine.Drawn:
			v = solver.Draw
		case g.SideToMove() == engine.X:
			v = solver.Loss
			for _, child := range g.Children() {
				v = max(v, m.value(child, engine.X))
			}
		default:
			v = solver.Win
			for _, child := range g.Children() {
				v = min(v, m.value(child, engine.X))
			}
		}
		m[g] = v
	}
	if side == engine.O {
		return -v
	}
	return v
}
