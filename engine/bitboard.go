package engine

import (
	"iter"
	"math/bits"
)

// Bitboard is a set of cells of one board. Its rows are M+1 bits apart: the
// spare column stays empty and stops a row from running into the next, so that
// shifting the whole set finds lines without any table. Sets of boards with
// different M cannot be mixed.
type Bitboard uint32

// Bit returns the set that holds just the cell, and the empty set for a cell
// off the board.
func (r Rules) Bit(c Cell) Bitboard {
	if !r.Contains(c) {
		return 0
	}
	return 1 << (uint(c) + uint(c)/uint(r.M))
}

// Board returns the set of all cells.
func (r Rules) Board() Bitboard {
	row := Bitboard(1)<<r.M - 1
	var all Bitboard
	for range r.N {
		all = all<<(r.M+1) | row
	}
	return all
}

// CellsOf yields the cells of the set in ascending order.
func (r Rules) CellsOf(b Bitboard) iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for b != 0 {
			bit := bits.TrailingZeros32(uint32(b))
			b &= b - 1
			if !yield(Cell(bit - bit/(int(r.M)+1))) { //nolint:gosec // at most 24
				return
			}
		}
	}
}

// Count returns the number of cells in the set.
func (b Bitboard) Count() int { return bits.OnesCount32(uint32(b)) }

// steps returns the distances in bits between neighbours along the four
// directions: across, down the left diagonal, down, down the right diagonal.
func (r Rules) steps() [4]uint {
	m := uint(r.M)
	return [4]uint{1, m, m + 1, m + 2}
}

// starts returns the first cells of all runs of k cells of b along step.
func (b Bitboard) starts(step, k uint) Bitboard {
	for ; k > 1; k-- {
		b &= b >> step // each round keeps only the starts of longer runs
	}
	return b
}

// hasLine reports whether b holds K cells in a row.
func (r Rules) hasLine(b Bitboard) bool {
	m, k := uint(r.M), uint(r.K)
	return b.starts(1, k)|b.starts(m, k)|b.starts(m+1, k)|b.starts(m+2, k) != 0
}

// linesIn returns the sets of K cells in a row that b holds, by direction
// and then by first cell.
func (r Rules) linesIn(b Bitboard) (lines []Bitboard) {
	for _, step := range r.steps() {
		for s := b.starts(step, uint(r.K)); s != 0; s &= s - 1 {
			cell := s & -s
			var line Bitboard
			for range r.K {
				line |= cell
				cell <<= step
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// Lines returns every line of the board, K cells in a row, by direction and
// then by first cell: the ways in which the game can be won. There are none under rules
// that are not valid. Nobody may change the slice, which is everybody's.
func (r Rules) Lines() []Bitboard { return allLines[r] }

// allLines holds the lines of all rules. They are few and small, and found in microseconds.
var allLines = func() map[Rules][]Bitboard {
	all := map[Rules][]Bitboard{}
	for _, r := range AllRules() {
		all[r] = r.linesIn(r.Board())
	}
	return all
}()

// Threats returns the empty cells with which the mark would complete a line.
func (g Game) Threats(m Mark) Bitboard { return g.rules.Completing(g.Marks(m), g.Marks(None)) }

// Completing returns those of the empty cells that would complete a line of the marks.
func (r Rules) Completing(marks, empty Bitboard) (cells Bitboard) {
	for _, line := range r.Lines() {
		if rest := line &^ marks; rest&(rest-1) == 0 {
			cells |= rest & empty
		}
	}
	return cells
}
