package solver

import (
	"math/bits"
	"sync"

	"tictactoe/engine"
)

// maxLines is the number of lines of the 5,5,3-game, the most that any has.
const maxLines = 48

// board is what the search needs to know about the rules: which lines run
// through which cell. Cells are numbered as in package engine, a set of cells is
// a uint32 with bit c for cell c, and a set of lines a uint64 with a bit for
// each line of the board.
type board struct {
	rules   engine.Rules
	cells   int
	k       int
	all     uint32                  // every cell
	lines   uint64                  // every line
	line    [maxLines]uint32        // the cells of each line
	through [engine.MaxCells]uint64 // the lines through each cell
	digit   [engine.MaxCells]uint64 // 3^c, the weight of cell c in a position's key
}

// boards holds the boards of all rules. They are few and small, and made in microseconds.
var boards = sync.OnceValue(func() map[engine.Rules]*board {
	m := map[engine.Rules]*board{}
	for _, r := range engine.AllRules() {
		m[r] = newBoard(r)
	}
	return m
})

func newBoard(r engine.Rules) *board {
	b := &board{rules: r, cells: r.Cells(), k: int(r.K), all: 1<<r.Cells() - 1}
	for i, cells := range r.Lines() {
		b.lines |= 1 << i
		for c := range r.CellsOf(cells) {
			b.line[i] |= 1 << c
			b.through[c] |= 1 << i
		}
	}
	weight := uint64(1)
	for c := range b.cells {
		b.digit[c] = weight
		weight *= 3
	}
	return b
}

// cellsOf turns a set of cells of package engine, which has a spare column, into
// one of this package.
func (b *board) cellsOf(s engine.Bitboard) uint32 {
	var out uint32
	row := uint32(1)<<b.rules.M - 1
	for n := range int(b.rules.N) {
		out |= uint32(s) >> (n * (int(b.rules.M) + 1)) & row << (n * int(b.rules.M))
	}
	return out
}

// completes reports whether the cells hold a line through cell c.
func (b *board) completes(cells uint32, c int) bool {
	for lines := b.through[c]; lines != 0; lines &= lines - 1 {
		line := b.line[bits.TrailingZeros64(lines)]
		if cells&line == line {
			return true
		}
	}
	return false
}
