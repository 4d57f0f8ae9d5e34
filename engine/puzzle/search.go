package puzzle

import (
	"math/bits"

	"tictactoe/engine"
)

// weeks is how many weeks pass before a position may come again. A year has fewer.
const weeks = 64

// draw draws a position for a day. ok is false if somebody has won in it.
func draw(asked weekday, dice *dice) (g engine.Game, ok bool) {
	marks := asked.least + dice.intN(asked.most-asked.least+1)
	var cells [engine.MaxCells]engine.Cell
	n := asked.rules.Cells()
	for i := range n {
		cells[i] = engine.Cell(i) //nolint:gosec // at most 24
	}
	for i := range marks {
		j := i + dice.intN(n-i)
		cells[i], cells[j] = cells[j], cells[i]
	}
	g, err := engine.Replay(asked.rules, cells[:marks])
	return g, err == nil && !g.Over()
}

// classOf returns to which of the weeks the position belongs, turned and mirrored ones to the same.
func classOf(g engine.Game) int64 {
	g = g.Canonical()
	of := dice{uint64(g.Marks(engine.X))<<32 | uint64(g.Marks(engine.O))}
	return int64(of.next() % weeks) //nolint:gosec // below weeks
}

// dice are numbers that look drawn at random and are the same for ever: those of the
// standard library may change with a release of Go. (Sebastiano Vigna's SplitMix64, in the
// public domain.)
type dice struct{ state uint64 }

func newDice(day int64, extra uint64) dice {
	d := dice{uint64(day)} //nolint:gosec // any number will do
	d.state = d.next() + extra
	d.state = d.next()
	return d
}

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intN returns a number from 0 up to n, which is small: that some come a little more often
// is of no matter.
func (d *dice) intN(n int) int {
	high, _ := bits.Mul64(d.next(), uint64(n)) //nolint:gosec // not below zero
	return int(high)                           //nolint:gosec // below n
}
