package solver

import (
	"math/bits"

	"tictactoe/engine"
)

// The positions of tic-tac-toe are numbered in base 3, with digit c 0 for an
// empty cell c, 1 for X, 2 for O.
const (
	standardCells = 9
	standardSize  = 1 << 15 // the next power of two after 3^9, so that a remainder needs no check
	standardBits  = 1 << 11 // three rows of three cells and the spare column between
)

// standardEntry is the [Result] of a position in one word that is loaded at
// once: the best move in the lowest byte, the value in the next, the distance
// above. A distance is never 0, so the zero entry stands for no result.
type standardEntry uint32

func newStandardEntry(m MoveValue) standardEntry {
	return standardEntry(m.Cell) | standardEntry(uint8(m.Value))<<8 | standardEntry(m.Plies)<<16 //nolint:gosec // the bytes are meant
}

func (e standardEntry) result() Result {
	return Result{Value: Value(e >> 8), Plies: int(e >> 16), Best: engine.Cell(e)} //nolint:gosec // the bytes are meant
}

// standardTable solves tic-tac-toe.
type standardTable struct {
	digits  [standardBits]uint16 // the number in base 3 whose digits are the cells of a bitboard
	entries [standardSize]standardEntry
}

// standard is solved when the program starts, which takes a fraction of a
// millisecond: to see on every look-up whether it has been done yet would cost
// more than a look-up.
var standard = solveStandard()

// Lookup returns the solution of a position of tic-tac-toe, the 3,3,3-game, from
// a table. It reports false for other rules and when the game is over. It
// allocates nothing, and any number of goroutines may call it.
//
// The compiler puts it in the place of the call, as a call would take longer than the rest;
// what is written out here, and how, keeps it small enough for that.
func Lookup(g engine.Game) (r Result, ok bool) {
	if g.Rules() != (engine.Rules{M: 3, N: 3, K: 3}) {
		return
	}
	x, o := g.Sides()
	e := standard.entries[(standard.digits[x%standardBits]+2*standard.digits[o%standardBits])%standardSize]
	return e.result(), e != 0
}

func solveStandard() standardTable {
	b := boardOf(engine.Standard)
	t := standardTable{}
	for set := range engine.Bitboard(standardBits) {
		cells := b.cellsOf(set)
		for c := range standardCells {
			t.digits[set] += uint16(b.digit[c]) * uint16(cells>>c&1) //nolint:gosec // at most 3^9
		}
	}
	t.solve(b, 0, 0, 0)
	return t
}

// solve fills in the entry of the position with the number given, and those of
// all that follow it, and returns it.
func (t *standardTable) solve(b *board, number uint16, own, other uint32) standardEntry {
	if e := t.entries[number]; e != 0 {
		return e
	}
	taken := bits.OnesCount32(own | other)
	digit := uint16(1 + taken%2) //nolint:gosec // 1 or 2
	var best MoveValue
	for empty := b.all &^ (own | other); empty != 0; empty &= empty - 1 {
		c := bits.TrailingZeros32(empty)
		m := MoveValue{Cell: engine.Cell(c), Value: Draw, Plies: 1} //nolint:gosec // below 9
		switch {
		case b.completes(own|1<<c, c):
			m.Value = Win
		case taken < standardCells-1:
			reply := t.solve(b, number+digit*uint16(b.digit[c]), other, own|1<<c).result() //nolint:gosec // below 3^9
			m.Value = -reply.Value
			m.Plies += reply.Plies
		}
		if best.Plies == 0 || m.better(best) {
			best = m
		}
	}
	t.entries[number] = newStandardEntry(best)
	return t.entries[number]
}

// better reports whether a is worth more than b to the player: by value, then
// for the sooner win or the later loss.
func (m MoveValue) better(than MoveValue) bool {
	switch {
	case m.Value != than.Value:
		return m.Value > than.Value
	case m.Value == Win:
		return m.Plies < than.Plies
	case m.Value == Loss:
		return m.Plies > than.Plies
	default:
		return false
	}
}
