package solver

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tictactoe/engine"
)

// drawMarks draws disjoint sets of marks of the attacker and of the defender,
// without a line, any number of each: the search knows no colours and does not
// ask how a position came about.
func drawMarks(t *rapid.T, b *board) (attacker, defender uint32) {
	for c := range b.cells {
		bit := uint32(1) << c
		switch rapid.IntRange(0, 3).Draw(t, "cell") {
		case 0:
			if !b.hasLine(attacker | bit) {
				attacker |= bit
			}
		case 1:
			if !b.hasLine(defender | bit) {
				defender |= bit
			}
		}
	}
	return attacker, defender
}

// What is kept up to date move by move must be what counting afresh gives.
func TestPositionCountsLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boards()[rapid.SampledFrom(unlimited()).Draw(t, "rules")]
		attacker, defender := drawMarks(t, b)
		got := b.newPosition(attacker, defender)
		want := position{empty: b.all &^ (attacker | defender)}
		for i, line := range b.line[:bits.OnesCount64(b.lines)] {
			if line&defender == 0 {
				want.attacker[b.k-bits.OnesCount32(line&attacker)] |= 1 << i
			}
			if line&attacker == 0 {
				want.defender[b.k-bits.OnesCount32(line&defender)] |= 1 << i
			}
		}
		for c, digit := 0, uint64(1); c < b.cells; c, digit = c+1, digit*3 {
			want.key += digit * uint64(attacker>>c&1+2*(defender>>c&1))
		}
		if got != want {
			t.Errorf("%v, attacker %b, defender %b: got %+v, want %+v", b.rules, attacker, defender, got, want)
		}
	})
}

// The law behind dropping moves that touch no open line: one more mark of one's
// own never hurts, one more of the other's never helps.
func TestAnotherMarkNeverHurts(t *testing.T) {
	s := search{table: newTable(tableBytes)}
	rapid.Check(t, func(t *rapid.T) {
		b := boards()[rapid.SampledFrom(unlimited()).Draw(t, "rules")]
		s.begin(context.Background(), b)
		attacker, defender := drawMarks(t, b)
		free := b.all &^ (attacker | defender)
		if free == 0 {
			return
		}
		// With a cell less the game can be too short for what took every cell, so
		// only questions that fit both are compared.
		plies := rapid.IntRange(0, bits.OnesCount32(free)-1).Draw(t, "plies")
		p := b.newPosition(attacker, defender)
		toAttack, toDefend := s.attack(&p, plies), s.defend(&p, plies)
		if toDefend && !toAttack {
			t.Errorf("attacker %b, defender %b: to win within %d plies it helps the attacker not to be to move", attacker, defender, plies)
		}
		for ; free != 0; free &= free - 1 {
			bit := uint32(1) << bits.TrailingZeros32(free)
			if !b.hasLine(attacker | bit) {
				more := b.newPosition(attacker|bit, defender)
				if toAttack && !s.attack(&more, plies) || toDefend && !s.defend(&more, plies) {
					t.Errorf("attacker %b, defender %b: another mark at %b hurts the attacker", attacker, defender, bit)
				}
			}
			if !b.hasLine(defender | bit) {
				more := b.newPosition(attacker, defender|bit)
				if !toAttack && s.attack(&more, plies) || !toDefend && s.defend(&more, plies) {
					t.Errorf("attacker %b, defender %b: another mark at %b hurts the defender", attacker, defender, bit)
				}
			}
		}
	})
}

// hasLine reports whether the cells hold a line.
func (b *board) hasLine(cells uint32) bool {
	for _, line := range b.line[:bits.OnesCount64(b.lines)] {
		if cells&line == line {
			return true
		}
	}
	return false
}

// unlimited returns the rules that are solved by search.
func unlimited() []engine.Rules {
	return slices.DeleteFunc(engine.AllRules(), func(r engine.Rules) bool { return r.Limit != 0 })
}
