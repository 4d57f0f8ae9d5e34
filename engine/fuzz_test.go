package engine_test

import (
	"errors"
	"slices"
	"testing"

	"tictactoe/engine"
)

// known reports whether the error is one that the notation's readers promise.
func known(err error) bool {
	for _, want := range []error{engine.ErrNotation, engine.ErrRules, engine.ErrUnreachable, engine.ErrOffBoard} {
		if errors.Is(err, want) {
			return true
		}
	}
	return false
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", ".../.../...", "X.O/.X./..O", "XXX/OO./...", "XOX/XOO/OXX", "X.../..../..../....-3", "..../..../....-3",
		"XXXXX/OOOO./...../...../.....", "XX/OO", ".../.../...-3", ".../.../...-9", "////", "-", "x../.../...", "\xff\xfe/",
		".../.../...-vanishing", ".../.../...-vanishing ", "XO./.../...-vanishing a1 b1", ".OX/OXO/X..-vanishing b1 c1 a2 b2 c2 a3",
		"O../.../...-vanishing a1", "X../.../...-vanishing b1", "X../.../...-vanishing a1 a1", "-vanishing a1 b1 c1 a2 b2 c2 a3",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		g, err := engine.Parse(s)
		if err != nil {
			if g != (engine.Game{}) || !known(err) {
				t.Fatalf("%q: got %v and %v", s, g, err)
			}
			return
		}
		if back, err := engine.Parse(g.String()); err != nil || back != g {
			t.Fatalf("%q is %v, read back as %v, %v", s, g, back, err)
		}
		laws(t, g)
	})
}

func FuzzParseRules(f *testing.F) {
	for _, s := range []string{"", "3x3", "3x3-3", "4x5-4", "5x4", "3x", "x", "-", "33x3", "3x3-33", "3×3", "0x0-0", "vanishing", "vanishing-3", "3x3-vanishing"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := engine.ParseRules(s)
		if err != nil {
			if r != (engine.Rules{}) || !known(err) {
				t.Fatalf("%q: got %v and %v", s, r, err)
			}
			return
		}
		if !r.Valid() {
			t.Fatalf("%q: got the invalid rules %v", s, r)
		}
		if back, err := engine.ParseRules(r.String()); err != nil || back != r {
			t.Fatalf("%q is %v, read back as %v, %v", s, r, back, err)
		}
	})
}

func FuzzParseCell(f *testing.F) {
	for i, s := range []string{"", "a1", "b2", "e5", "f6", "A1", "a0", "aa", "11", "a10", "ä1"} {
		f.Add(i, s)
	}
	f.Fuzz(func(t *testing.T, i int, s string) {
		all := engine.AllRules()
		r := all[uint(i)%uint(len(all))]
		c, err := r.ParseCell(s)
		if err != nil {
			if !known(err) {
				t.Fatalf("%q: got %v", s, err)
			}
			return
		}
		if !r.Contains(c) || r.CellName(c) != s {
			t.Fatalf("%q on %v is cell %d, whose name is %q", s, r, c, r.CellName(c))
		}
	})
}

func FuzzParseMoves(f *testing.F) {
	for i, s := range []string{"", "a1", "b2 a1 c3", " b2\n\ta1 ", "a1 a1 a1", "b2,a1", "e5 d4", "a1\x00b2", "a1 b2"} {
		f.Add(i, s)
	}
	f.Fuzz(func(t *testing.T, i int, s string) {
		all := engine.AllRules()
		r := all[uint(i)%uint(len(all))]
		moves, err := r.ParseMoves(s)
		if err != nil {
			if moves != nil || !known(err) {
				t.Fatalf("%q: got %v and %v", s, moves, err)
			}
			return
		}
		if back, err := r.ParseMoves(r.FormatMoves(moves)); err != nil || !slices.Equal(back, moves) {
			t.Fatalf("%q on %v is %v, read back as %v, %v", s, r, moves, back, err)
		}
		if g, err := engine.Replay(r, moves); err == nil {
			laws(t, g)
		}
	})
}
