package engine_test

import (
	"errors"
	"strings"
	"testing"

	"tictactoe/engine"
)

func TestIllegalMoves(t *testing.T) {
	tests := []struct {
		name     string
		position string
		cell     engine.Cell
		want     error
	}{
		{"occupied by the other side", "X../.../...", 0, engine.ErrOccupied},
		{"occupied by oneself", "XO./.../...", 0, engine.ErrOccupied},
		{"first cell past the end", "X../.../...", 9, engine.ErrOffBoard},
		{"far past the end", "X../.../...", 255, engine.ErrOffBoard},
		{"past the end of a small board that a larger one has", "..../..../....-3", 12, engine.ErrOffBoard},
		{"after a line", "XXX/OO./...", 8, engine.ErrGameOver},
		{"after a full board", "XOX/XOO/OXX", 0, engine.ErrGameOver},
		{"occupied, after the end", "XXX/OO./...", 0, engine.ErrGameOver},
		{"off the board, after the end", "XXX/OO./...", 9, engine.ErrOffBoard},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := engine.MustParse(tt.position)
			got, err := g.Play(tt.cell)
			if !errors.Is(err, tt.want) {
				t.Errorf("error: got %v, want %v", err, tt.want)
			}
			if got != (engine.Game{}) {
				t.Errorf("refused move returned %v, want the zero Game", got)
			}
			if g.String() != tt.position {
				t.Errorf("position became %v, want %v", g, tt.position)
			}
		})
	}
}

func TestReplay(t *testing.T) {
	tests := []struct {
		name  string
		rules engine.Rules
		moves string
		want  error
		says  string
	}{
		{"nothing played", engine.Standard, "", nil, ""},
		{"up to the end", engine.Standard, "a1 b1 a2 b2 a3", nil, ""},
		{"past the end", engine.Standard, "a1 b1 a2 b2 a3 c3", engine.ErrGameOver, "ply 5"},
		{"twice the same cell", engine.Standard, "a1 b1 a1", engine.ErrOccupied, "ply 2"},
		{"no rules", engine.Rules{}, "", engine.ErrRules, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			moves, err := engine.Standard.ParseMoves(tt.moves)
			if err != nil {
				t.Fatal(err)
			}
			g, err := engine.Replay(tt.rules, moves)
			if !errors.Is(err, tt.want) {
				t.Fatalf("error: got %v, want %v", err, tt.want)
			}
			if err != nil {
				if g != (engine.Game{}) || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v and %q, want the zero Game and %q in the error", g, err, tt.says)
				}
				return
			}
			if g.Ply() != len(moves) {
				t.Errorf("ply = %d, want %d", g.Ply(), len(moves))
			}
		})
	}
}

func TestRulesLimits(t *testing.T) {
	valid := map[engine.Rules]bool{}
	for m := -1; m <= 7; m++ {
		for n := -1; n <= 7; n++ {
			for k := -1; k <= 7; k++ {
				want := m >= 3 && m <= 5 && n >= 3 && n <= 5 && k >= 3 && (k <= m || k <= n)
				r, err := engine.NewRules(m, n, k)
				if got := err == nil; got != want {
					t.Errorf("NewRules(%d, %d, %d): got error %v, want valid %v", m, n, k, err, want)
				}
				if err != nil {
					if !errors.Is(err, engine.ErrRules) || r != (engine.Rules{}) {
						t.Errorf("NewRules(%d, %d, %d): got %v and %v, want no rules and ErrRules", m, n, k, r, err)
					}
					if m >= 0 && n >= 0 && k >= 0 {
						bad := engine.Rules{M: uint8(m), N: uint8(n), K: uint8(k)}
						if _, err := engine.New(bad); !errors.Is(err, engine.ErrRules) || bad.Valid() {
							t.Errorf("New(%v): got %v, want ErrRules", bad, err)
						}
					}
					continue
				}
				valid[r] = true
			}
		}
	}
	// A number that wraps round to a valid side must not pass for one.
	if _, err := engine.NewRules(256+3, 3, 3); !errors.Is(err, engine.ErrRules) {
		t.Errorf("NewRules(259, 3, 3): got %v, want ErrRules", err)
	}
	valid[engine.Vanishing] = true
	all := engine.AllRules()
	for _, r := range all {
		if !valid[r] {
			t.Errorf("AllRules holds %v", r)
		}
	}
	if len(all) != len(valid) {
		t.Errorf("AllRules returned %d, want %d", len(all), len(valid))
	}
}

func TestBadNotation(t *testing.T) {
	position := func(s string) error { _, err := engine.Parse(s); return err }
	rules := func(s string) error { _, err := engine.ParseRules(s); return err }
	cell := func(s string) error { _, err := engine.Standard.ParseCell(s); return err }
	moves := func(s string) error { _, err := engine.Standard.ParseMoves(s); return err }
	tests := []struct {
		name  string
		parse func(string) error
		text  string
		want  error
	}{
		{"position", position, "", engine.ErrNotation},
		{"position", position, "/", engine.ErrNotation},
		{"position", position, "-", engine.ErrNotation},
		{"position", position, ".../.../..", engine.ErrNotation},
		{"position", position, ".../.../....", engine.ErrNotation},
		{"position", position, ".../.../.../", engine.ErrNotation},
		{"position", position, "x../.../...", engine.ErrNotation},
		{"position", position, "0../.../...", engine.ErrNotation},
		{"position", position, "é./.../...", engine.ErrNotation},
		{"position", position, "..../..../....", engine.ErrNotation},
		{"position", position, "..../..../....-", engine.ErrNotation},
		{"position", position, "..../..../....-x", engine.ErrNotation},
		{"position", position, "..../..../....-3-3", engine.ErrNotation},
		{"position", position, strings.Repeat("./", 5000), engine.ErrNotation},
		{"position", position, "../..", engine.ErrRules},
		{"position", position, "..../..../....-5", engine.ErrRules},
		{"position", position, ".../.../...-4", engine.ErrRules},
		{"position", position, "O../.../...", engine.ErrUnreachable},
		{"position", position, "XX./.../...", engine.ErrUnreachable},
		{"position", position, "XXX/OOO/...", engine.ErrUnreachable},
		{"position, the line's owner cannot have moved last", position, "XXX/OO./O..", engine.ErrUnreachable},
		{"position, two lines no single move can make", position, "XXXX/XXX./OOOO/OO.O-3", engine.ErrUnreachable},
		{"position", position, "...-vanishing", engine.ErrNotation},
		{"position", position, ".../.../...-vanishing ", engine.ErrNotation},
		{"position", position, ".../.../...-vanishing a1", engine.ErrNotation},
		{"position", position, "X../.../...-vanishing", engine.ErrNotation},
		{"position", position, "XO./.../...-vanishing b1 a1", engine.ErrNotation},
		{"position", position, "X../.../...-vanishing a1 a1", engine.ErrNotation},
		{"position", position, "X../.../...-vanishing a1x", engine.ErrNotation},
		{"position", position, "XO./.../...-vanishing a1  b1", engine.ErrNotation},
		{"position", position, "XOX/OXO/X..-vanishing a1 b1 c1 a2 b2 c2 a3", engine.ErrNotation},
		{"position", position, "-vanishing a1 b1 c1 a2 b2 c2", engine.ErrNotation},
		{"position", position, "X../.../...-vanishing a4", engine.ErrOffBoard},
		{"position", position, "O../.../...-vanishing a1", engine.ErrNotation},
		{"position, the side to move has a line", position, "XXX/OO./O..-vanishing a1 a2 b1 b2 c1 a3", engine.ErrUnreachable},
		{"rules", rules, "", engine.ErrNotation},
		{"rules", rules, "Vanishing", engine.ErrNotation},
		{"rules", rules, "3x3-vanishing", engine.ErrNotation},
		{"rules", rules, "3", engine.ErrNotation},
		{"rules", rules, "3x", engine.ErrNotation},
		{"rules", rules, "x3", engine.ErrNotation},
		{"rules", rules, "3X3", engine.ErrNotation},
		{"rules", rules, "3×3", engine.ErrNotation},
		{"rules", rules, "03x3", engine.ErrNotation},
		{"rules", rules, " 3x3", engine.ErrNotation},
		{"rules", rules, "3x3-", engine.ErrNotation},
		{"rules", rules, "3x3x3", engine.ErrNotation},
		{"rules", rules, "4x5", engine.ErrNotation},
		{"rules", rules, "2x2", engine.ErrRules},
		{"rules", rules, "6x6-4", engine.ErrRules},
		{"rules", rules, "3x3-4", engine.ErrRules},
		{"cell", cell, "", engine.ErrNotation},
		{"cell", cell, "b", engine.ErrNotation},
		{"cell", cell, "B2", engine.ErrNotation},
		{"cell", cell, "b22", engine.ErrNotation},
		{"cell", cell, "b0", engine.ErrNotation},
		{"cell", cell, "2b", engine.ErrNotation},
		{"cell", cell, "d1", engine.ErrOffBoard},
		{"cell", cell, "a4", engine.ErrOffBoard},
		{"moves", moves, "a1 b", engine.ErrNotation},
		{"moves", moves, "a1,b2", engine.ErrNotation},
		{"moves", moves, "a1 d1", engine.ErrOffBoard},
	}
	for _, tt := range tests {
		err := tt.parse(tt.text)
		if !errors.Is(err, tt.want) {
			t.Errorf("%s %.40q: got %v, want %v", tt.name, tt.text, err, tt.want)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%s %.40q: the error's text has %d bytes", tt.name, tt.text, len(err.Error()))
		}
	}
}

func TestRulesText(t *testing.T) {
	for _, tt := range []struct {
		text string
		want engine.Rules
		back string
	}{
		{"3x3", engine.Standard, "3x3"},
		{"3x3-3", engine.Standard, "3x3"},
		{"4x4", engine.Rules{M: 4, N: 4, K: 4}, "4x4"},
		{"4x4-3", engine.Rules{M: 4, N: 4, K: 3}, "4x4-3"},
		{"4x5-4", engine.Rules{M: 4, N: 5, K: 4}, "4x5-4"},
		{"3x5-5", engine.Rules{M: 3, N: 5, K: 5}, "3x5-5"},
	} {
		got, err := engine.ParseRules(tt.text)
		if err != nil || got != tt.want || got.String() != tt.back {
			t.Errorf("%q: got %v, %v, want %q", tt.text, got, err, tt.back)
		}
	}
	seen := map[string]bool{}
	for _, r := range engine.AllRules() {
		if got, err := engine.ParseRules(r.String()); err != nil || got != r {
			t.Errorf("%v read back: got %v, %v", r, got, err)
		}
		seen[r.String()] = true
	}
	if len(seen) != len(engine.AllRules()) {
		t.Errorf("%d rules share %d texts", len(engine.AllRules()), len(seen))
	}
}

func TestUnmarshalLeavesValueOnError(t *testing.T) {
	g := engine.MustParse("X.O/.X./..O")
	before := g
	if err := g.UnmarshalText([]byte("X.O/.X")); err == nil || g != before {
		t.Errorf("got %v, %v, want an error and %v", g, err, before)
	}
	r := engine.Standard
	if err := r.UnmarshalText([]byte("9x9")); err == nil || r != engine.Standard {
		t.Errorf("got %v, %v, want an error and %v", r, err, engine.Standard)
	}
}

func TestMustParsePanics(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, engine.ErrNotation) {
			t.Errorf("recovered %v, want ErrNotation", err)
		}
	}()
	engine.MustParse("nonsense")
}

// TestZeroAndInvalidValues checks that values made without the constructors are
// harmless: whatever is asked of them, nothing panics and nothing can be played.
func TestZeroAndInvalidValues(t *testing.T) {
	var g engine.Game
	if g.Over() || g.Outcome() != engine.Undecided || g.Ply() != 0 || g.SideToMove() != engine.X {
		t.Errorf("zero Game: over %v, outcome %v, ply %d, %v to move", g.Over(), g.Outcome(), g.Ply(), g.SideToMove())
	}
	if _, err := g.Play(0); !errors.Is(err, engine.ErrOffBoard) {
		t.Errorf("playing in the zero Game: got %v, want ErrOffBoard", err)
	}
	for c := range g.Moves() {
		t.Errorf("the zero Game has the move %d", c)
	}
	if g.String() != "" || g.At(0) != engine.None || g.WinningCells() != 0 || g.Canonical() != g {
		t.Errorf("zero Game: text %q, winning cells %v, canonical %v", g, g.WinningCells(), g.Canonical())
	}
	for _, r := range []engine.Rules{{}, {M: 3}, {N: 3}, {K: 3}, {M: 255, N: 255, K: 255}, {M: 3, N: 3}, {M: 1, N: 1, K: 1}, {Limit: 3}, {M: 5, N: 5, K: 5, Limit: 9}} {
		if r.Valid() || r.Validate() == nil {
			t.Errorf("%v is valid", r)
		}
		for _, c := range []engine.Cell{0, 8, 255} {
			_, _, _, _ = r.Bit(c), r.CellName(c), r.Column(c), r.Row(c)
			for s := range engine.Symmetry(8) {
				_ = s.Cell(r, c)
			}
		}
		for range r.CellsOf(1) {
		}
		_, _, _, _ = r.Board(), r.Lines(), r.String(), r.Symmetries()
	}
	if engine.Mark(0) != engine.None || engine.Outcome(0) != engine.Undecided || engine.Won(engine.None) != engine.Undecided {
		t.Error("zero Mark and Outcome are not None and Undecided")
	}
	for m, want := range map[engine.Mark]string{engine.X: "X", engine.O: "O", engine.None: ".", 7: "."} {
		if m.String() != want {
			t.Errorf("Mark %d: got %q, want %q", m, m, want)
		}
	}
	for o, want := range map[engine.Outcome]string{
		engine.Undecided: "undecided", engine.XWon: "X won", engine.OWon: "O won", engine.Drawn: "drawn", 7: "unknown outcome",
	} {
		if o.String() != want {
			t.Errorf("Outcome %d: got %q, want %q", o, o, want)
		}
	}
	if engine.Mark(9).Other() != engine.None || engine.Outcome(7).Winner() != engine.None {
		t.Error("marks and outcomes that do not exist have an opponent or a winner")
	}
	if engine.Won(engine.X).Winner() != engine.X || engine.Won(engine.O).Winner() != engine.O {
		t.Error("the winner of a won game is not who won it")
	}
}

// TestStoredNumbers pins the numbers that stores keep.
func TestStoredNumbers(t *testing.T) {
	got := []engine.Outcome{engine.Undecided, engine.XWon, engine.OWon, engine.Drawn}
	for i, want := range []engine.Outcome{0, 10, 20, 30} {
		if got[i] != want {
			t.Errorf("%v = %d, want %d", got[i], got[i], want)
		}
	}
}
