package engine_test

import (
	"errors"
	"testing"

	"tictactoe/engine"
)

// TestCellsOffTheBoard covers cells that a board does not have, and texts that name none.
func TestCellsOffTheBoard(t *testing.T) {
	r := engine.Rules{M: 4, N: 5, K: 4}
	for _, at := range [][2]int{{-1, 0}, {0, -1}, {-1, 1}, {4, 0}, {0, 5}} {
		if c, err := r.Cell(at[0], at[1]); !errors.Is(err, engine.ErrOffBoard) {
			t.Errorf("Cell(%d, %d) = %d, %v; want %v", at[0], at[1], c, err, engine.ErrOffBoard)
		}
	}
	if got := r.CellName(20); got != "?" {
		t.Errorf("CellName(20) = %q", got)
	}
	if got := r.CellName(19); got != "d5" {
		t.Errorf("CellName(19) = %q, want d5", got)
	}
	for name, want := range map[string]error{
		"": engine.ErrNotation, "b": engine.ErrNotation, "b22": engine.ErrNotation, "B2": engine.ErrNotation,
		"{2": engine.ErrNotation, "`2": engine.ErrNotation, "b0": engine.ErrNotation, "b:": engine.ErrNotation,
		"z1": engine.ErrOffBoard, "a9": engine.ErrOffBoard, "e1": engine.ErrOffBoard,
	} {
		if c, err := r.ParseCell(name); !errors.Is(err, want) {
			t.Errorf("ParseCell(%q) = %d, %v; want %v", name, c, err, want)
		}
	}
}

// TestRulesWrittenBadly tells texts that are no rules from rules that the package does not
// know.
func TestRulesWrittenBadly(t *testing.T) {
	for text, want := range map[string]error{
		"": engine.ErrNotation, "3": engine.ErrNotation, "3-3": engine.ErrNotation, "ax3": engine.ErrNotation,
		"3xa": engine.ErrNotation, "/x3-3": engine.ErrNotation, "3x:-3": engine.ErrNotation, "33x3": engine.ErrNotation,
		"4x5": engine.ErrNotation, "4x5-": engine.ErrNotation, "4x5-x": engine.ErrNotation, "4x5-44": engine.ErrNotation,
		"0x3-3": engine.ErrRules, "9x9": engine.ErrRules, "3x3-4": engine.ErrRules,
	} {
		r, err := engine.ParseRules(text)
		if !errors.Is(err, want) {
			t.Errorf("ParseRules(%q) = %v, %v; want %v", text, r, err, want)
		}
	}
}

// TestZeroGame: the zero Game has no text, and is its own image.
func TestZeroGame(t *testing.T) {
	var zero engine.Game
	if zero.String() != "" || zero.Canonical() != zero {
		t.Errorf("the zero Game is %q, and its image %q", zero, zero.Canonical())
	}
}

// TestCellsUntil stops in the middle of a set.
func TestCellsUntil(t *testing.T) {
	g := engine.MustParse("X.O/.X./..O")
	for c := range g.Children() {
		if c != 1 {
			t.Errorf("the first move is %d", c)
		}
		break
	}
	for c := range g.Moves() {
		if c != 1 {
			t.Errorf("after the end comes %d", c)
		}
		break
	}
}
