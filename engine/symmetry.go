package engine

import (
	"cmp"
	"slices"
)

// Symmetry is one of the eight ways to turn or mirror a board: it may exchange
// columns and rows first, then mirror left and right, then top and bottom. The
// zero value leaves everything where it is.
type Symmetry uint8

const (
	mirrorColumns Symmetry = 1 << iota
	mirrorRows
	transpose
)

// Symmetries returns the symmetries that keep the rules as they are: eight on
// square boards, four on the others.
func (r Rules) Symmetries() []Symmetry {
	if r.Square() {
		return []Symmetry{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []Symmetry{0, 1, 2, 3}
}

// Rules returns the rules of the turned board: the transposed ones where the
// symmetry exchanges columns and rows.
func (s Symmetry) Rules(r Rules) Rules {
	if s&transpose != 0 {
		return r.Transpose()
	}
	return r
}

// Cell returns where the cell of a board with rules r comes to lie. A cell off
// the board is returned as it is.
func (s Symmetry) Cell(r Rules, c Cell) Cell {
	if !r.Contains(c) {
		return c
	}
	column, row := r.Column(c), r.Row(c)
	if s&transpose != 0 {
		column, row = row, column
		r = r.Transpose()
	}
	if s&mirrorColumns != 0 {
		column = int(r.M) - 1 - column
	}
	if s&mirrorRows != 0 {
		row = int(r.N) - 1 - row
	}
	return Cell(row*int(r.M) + column) //nolint:gosec // at most 24
}

// Transform returns the position with every mark moved by the symmetry.
func (g Game) Transform(s Symmetry) Game {
	g.x, g.o = s.cells(g.rules, g.x), s.cells(g.rules, g.o)
	g.past.transform(s, g.rules)
	g.rules = s.Rules(g.rules)
	return g
}

// cells moves the cells of a set of a board with rules r.
func (s Symmetry) cells(r Rules, set Bitboard) (moved Bitboard) {
	for c := range r.CellsOf(set) {
		moved |= s.Rules(r).Bit(s.Cell(r, c))
	}
	return moved
}

// Canonical returns one position for all that are symmetric to g under the same
// rules, the same whichever of them g is: the one whose moves, or else whose sets of X and
// of O, come first.
func (g Game) Canonical() Game {
	best := g
	for _, s := range g.rules.Symmetries()[1:] {
		image := g.Transform(s)
		if cmp.Or(slices.Compare(image.past.cells[:], best.past.cells[:]), cmp.Compare(image.x, best.x), cmp.Compare(image.o, best.o)) < 0 {
			best = image
		}
	}
	return best
}
