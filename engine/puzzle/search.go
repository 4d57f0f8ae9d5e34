package puzzle

import (
	"math/bits"

	"tictactoe/engine"
)

// weeks is how many weeks pass before a position may come again. A year has fewer.
const weeks = 64

// search draws positions for a day.
type search struct {
	asked weekday
	class int64 // of the positions of this week
	dice  dice
}

// draw draws a position. ok is false if it is not one of this week, or if somebody has won
// in it.
func (s *search) draw() (g engine.Game, ok bool) {
	marks := s.asked.least + s.dice.intN(s.asked.most-s.asked.least+1)
	var cells [engine.MaxCells]engine.Cell
	n := s.asked.rules.Cells()
	for i := range n {
		cells[i] = engine.Cell(i) //nolint:gosec // at most 24
	}
	for i := range marks {
		j := i + s.dice.intN(n-i)
		cells[i], cells[j] = cells[j], cells[i]
	}
	g, err := engine.Replay(s.asked.rules, cells[:marks])
	if err != nil || g.Over() {
		return engine.Game{}, false
	}
	x, o := g.Canonical().Sides()
	of := dice{uint64(x)<<32 | uint64(o)}
	return g, of.next()%weeks == uint64(s.class) //nolint:gosec // not below zero
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
