package engine

import (
	"cmp"
	"math/bits"
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
	g.x, g.o = g.rules.transform(s, g.x), g.rules.transform(s, g.o)
	g.past.transform(s, g.rules)
	g.rules = s.Rules(g.rules)
	return g
}

// transform moves the cells of a set of the board.
func (r Rules) transform(s Symmetry, b Bitboard) Bitboard {
	if s&transpose != 0 {
		b = r.transpose(b)
		r = r.Transpose()
	}
	switch s &^ transpose {
	case mirrorColumns | mirrorRows:
		return r.rotate(b)
	case mirrorColumns:
		return r.rotate(r.flip(b))
	case mirrorRows:
		return r.flip(b)
	default:
		return b
	}
}

// rotate turns the board upside down, by half a turn: the last cell becomes the first.
func (r Rules) rotate(b Bitboard) Bitboard {
	used := uint(r.N)*(uint(r.M)+1) - 1 // from the first cell to the last
	return Bitboard(bits.Reverse32(uint32(b)) >> (32 - used))
}

// flip exchanges the top and the bottom row, and so on inwards.
func (r Rules) flip(b Bitboard) Bitboard {
	stride := uint(r.M) + 1
	row := Bitboard(1)<<stride - 1
	var out Bitboard
	for range r.N {
		out = out<<stride | b&row
		b >>= stride
	}
	return out
}

// transpose exchanges columns and rows; the result is a set of the transposed
// board.
func (r Rules) transpose(b Bitboard) Bitboard {
	m, n := uint32(r.M), uint32(r.N)
	var out Bitboard
	for ; b != 0; b &= b - 1 {
		bit := uint32(bits.TrailingZeros32(uint32(b))) //nolint:gosec // at most 31
		row := bit / (m + 1)
		column := bit - row*(m+1)
		out |= 1 << (column*(n+1) + row)
	}
	return out
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
