package strategy

import (
	"testing"

	"tictactoe/engine"
)

// TestWeightsWorkedExample is the example with which the method was described: O to
// move, X on the first two cells, O on the seventh.
func TestWeightsWorkedExample(t *testing.T) {
	v := newView(engine.MustParse("XX./.../O.."))
	var got [engine.MaxCells]int
	for c := range v.rules.CellsOf(v.empty) {
		got[c] = v.weight(v.rules.Bit(c))
	}
	want := [engine.MaxCells]int{
		0, 0, 11,
		0, 3, 0,
		0, 2, 2,
	}
	if got != want {
		t.Errorf("weights: got %v, want %v", got[:9], want[:9])
	}
}

// TestRank draws the ranks of all empty cells for the side to move and for the
// other side.
func TestRank(t *testing.T) {
	tests := []struct{ name, position, own, other string }{
		{"empty board", ".../.../...", "222/222/222", "222/222/222"},
		{"a corner taken", "X../.../...", "X22/222/222", "X32/332/222"},
		{"the centre taken", ".../.X./...", "222/2X2/222", "333/3X3/333"},
		{"a win and a block", "XX./OO./X..", "XX2/OO6/X12", "XX6/OO2/X32"},
		{"a gap is no run", "X.X/.O./...", "X3X/3O3/232", "X6X/3O3/222"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := engine.MustParse(tt.position)
			v := newView(g)
			draw := func(marks engine.Bitboard) string {
				text := []byte(g.String())
				for c := range g.Rules().CellsOf(v.empty) {
					text[g.Rules().Row(c)*4+g.Rules().Column(c)] = '0' + byte(v.rank(marks, c))
				}
				return string(text)
			}
			if got := draw(v.own); got != tt.own {
				t.Errorf("%v to move: got %s, want %s", g.SideToMove(), got, tt.own)
			}
			if got := draw(v.other); got != tt.other {
				t.Errorf("%v, who waits: got %s, want %s", g.SideToMove().Other(), got, tt.other)
			}
		})
	}
}

// TestPathSum adds up paths by hand. A mark in the centre is one move made on each of four
// paths, in a corner on three, and nothing is made on the rest; a corner of the other
// side closes three paths, one of them through the centre.
func TestPathSum(t *testing.T) {
	tests := []struct {
		position, cell string
		want           int
	}{
		{".../.../...", "b2", 4},
		{".../.../...", "a1", 3},
		{"X../.../...", "b2", 0},
	}
	for _, tt := range tests {
		v := newView(engine.MustParse(tt.position))
		c, err := v.rules.ParseCell(tt.cell)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.pathSum(v.own | v.rules.Bit(c)); got != tt.want {
			t.Errorf("%s with %s: got %d, want %d", tt.position, tt.cell, got, tt.want)
		}
	}
}

// TestSkills: on every board each level has more alertness and more insight than the one
// below, and everybody sees wins before threats, threats before forks, one's own forks before
// the other side's and the whole game least, each best in a row and worst on a diagonal.
func TestSkills(t *testing.T) {
	for _, r := range engine.AllRules() {
		l := skillOn(r)
		var below skill
		for i, s := range []skill{l.easy, l.medium, l.hard} {
			if s.alert <= below.alert || s.insight <= below.insight {
				t.Errorf("%v: level %d has %+v, the one below %+v", r, i+1, s, below)
			}
			below = s
			p := s.profile()
			last := 1000
			for _, chance := range []int{p.win, p.threat, p.fork, p.counter, p.plan} {
				if chance >= last {
					t.Errorf("%v: level %d sees %+v", r, i+1, p)
				}
				last = chance
			}
			for _, chance := range []int{p.win, p.threat, p.fork, p.counter} {
				row, column, slope := byDirection(chance, across), byDirection(chance, down), byDirection(chance, diagonal)
				if row <= column || column <= slope || column != chance {
					t.Errorf("%v: level %d sees with %d in a row, %d in a column, %d on a diagonal", r, i+1, row, column, slope)
				}
			}
		}
	}
}

// TestSlant holds the chances at both ends and where the bounds take over.
func TestSlant(t *testing.T) {
	for _, tt := range []struct{ chance, row, column, diagonal int }{
		{0, 0, 0, 0},
		{60, 90, 60, 20},
		{400, 600, 400, 133},
		{700, 800, 700, 400},
		{1000, 1000, 1000, 1000},
	} {
		row, column, slope := byDirection(tt.chance, across), byDirection(tt.chance, down), byDirection(tt.chance, diagonal)
		if row != tt.row || column != tt.column || slope != tt.diagonal {
			t.Errorf("%d: got %d, %d, %d, want %d, %d, %d", tt.chance, row, column, slope, tt.row, tt.column, tt.diagonal)
		}
	}
}
