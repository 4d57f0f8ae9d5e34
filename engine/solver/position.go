package solver

import (
	"math/bits"

	"tictactoe/engine"
)

// maxK is the longest row length.
const maxK = engine.MaxSide

// side is what one player has: at index r the set of lines that lack r marks
// and that the other player has no mark on. A line with marks of both is dead
// and in no set, so what is left is all that matters for winning. Index 0 stays
// empty: the search stops before a line is complete.
type side [maxK + 1]uint64

// mark advances the lines through a cell.
func (s *side) mark(through uint64) {
	s[1] = s[1]&^through | s[2]&through
	s[2] = s[2]&^through | s[3]&through
	s[3] = s[3]&^through | s[4]&through
	s[4] = s[4]&^through | s[5]&through
	s[5] &^= through
}

// lose kills the lines through a cell that the other player marks.
func (s *side) lose(through uint64) {
	s[1] &^= through
	s[2] &^= through
	s[3] &^= through
	s[4] &^= through
	s[5] &^= through
}

// sum returns the Erdős–Selfridge sum of those of the lines that are among the
// ones given: each weighs 2 to the power of minus the marks it lacks, in units of
// one. Lines that lack a single mark are not counted.
func (s *side) sum(among uint64) int {
	return bits.OnesCount64(s[2]&among)<<(maxK-2) +
		bits.OnesCount64(s[3]&among)<<(maxK-3) +
		bits.OnesCount64(s[4]&among)<<(maxK-4) +
		bits.OnesCount64(s[5]&among)
}

// position is a position in the light of one question: can the attacker win?
// The other player is the defender; either may be to move.
type position struct {
	attacker, defender side
	empty              uint32
	key                uint64 // base 3, digit 1 for a mark of the attacker, 2 for one of the defender
}

// newPosition returns the position with the marks given, in which nobody has a
// line.
func (b *board) newPosition(attacker, defender uint32) position {
	p := position{empty: b.all}
	p.attacker[b.k] = b.lines
	p.defender[b.k] = b.lines
	for c := range b.cells {
		switch {
		case attacker>>c&1 != 0:
			p.attack(b, c)
		case defender>>c&1 != 0:
			p.defend(b, c)
		}
	}
	return p
}

// attack marks the cell c for the attacker.
func (p *position) attack(b *board, c int) {
	t := b.through[c]
	p.attacker.mark(t)
	p.defender.lose(t)
	p.empty &^= 1 << c
	p.key += b.digit[c]
}

// defend marks the cell c for the defender.
func (p *position) defend(b *board, c int) {
	t := b.through[c]
	p.defender.mark(t)
	p.attacker.lose(t)
	p.empty &^= 1 << c
	p.key += 2 * b.digit[c]
}

// completing returns the cells that complete lines, each of which lacks one
// mark.
func (p *position) completing(b *board, lines uint64) uint32 {
	var cells uint32
	for ; lines != 0; lines &= lines - 1 {
		cells |= b.line[bits.TrailingZeros64(lines)] & p.empty
	}
	return cells
}
