package solver

import (
	"context"
	"math/bits"
)

// search answers yes or no questions about the positions of one board: does the
// attacker complete a line within so many plies, whatever the defender does? A
// line of the defender's counts as no. So does a draw, so the value of a
// position takes two questions, one for each player as the attacker.
//
// Every answer is exact. What keeps the tree small, without ever guessing:
//
//   - Who can complete a line does, who must stop one has no choice, and two at
//     once cannot be stopped: none of this branches.
//   - Lines that lack more marks than the attacker has moves left do not count.
//   - The Erdős–Selfridge bound, see live, ends attacks that cannot succeed and
//     leaves out moves after which they cannot.
//   - Moves are tried by the lines through a cell, see weights.go. More than 95
//     of 100 nodes that one move can settle are settled by the first.
//   - What is known of a position is kept in a table under the whole position.
type search struct {
	board *board
	table table
	ctx   context.Context
	err   error // the context's, once it has ended; answers are void from then on
	nodes int   // positions looked at beyond the forced ones, for measurements
}

// one is the unit of the Erdős–Selfridge sum: the weight of a line that lacks
// no mark. Each missing mark halves it, so a line that lacks maxK weighs 1.
const one = 1 << maxK

// checkEvery is how many nodes go by between two looks at the context, a power
// of two. A node takes some 0.2 µs.
const checkEvery = 1 << 10

// begin makes the search ready for questions about positions of a board.
func (s *search) begin(ctx context.Context, b *board) {
	if s.board != b {
		clear(s.table.entries)
	}
	s.board, s.ctx, s.err, s.nodes = b, ctx, nil, 0
}

// end returns the context's error if it has stopped the search, and lets go of
// the context.
func (s *search) end() error {
	s.ctx = nil
	return s.err
}

// enter counts a node and reports whether the search goes on.
func (s *search) enter() bool {
	s.nodes++
	if s.nodes%checkEvery == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	return s.err == nil
}

// attack reports whether the attacker, who is to move, wins within the plies.
func (s *search) attack(p *position, plies int) bool {
	plies = min(plies, bits.OnesCount32(p.empty))
	if p.attacker[1] != 0 {
		return plies > 0
	}
	own := (plies + 1) / 2 // moves of the attacker
	if own < 2 {
		return false
	}
	if p.defender[1] != 0 {
		// Where there are two such cells, the defender takes the other.
		forced := p.completing(s.board, p.defender[1])
		next := *p
		next.attack(s.board, bits.TrailingZeros32(forced))
		return s.defend(&next, plies-1)
	}
	plies = 2*own - 1 // the last one is the attacker's
	live, sum := p.live(own)
	if 2*sum < one {
		return false
	}
	key := p.key << 1 // the lowest bit says who is to move
	fails, wins := s.table.look(key)
	if plies <= fails || plies >= wins {
		return plies >= wins
	}
	if !s.enter() {
		return false
	}
	var list moveList
	list.fill(s.board, p, &live, one-sum, &attackWeights)
	for m, ok := list.next(); ok; m, ok = list.next() {
		// Look one reply ahead: the weight of the cell that weighs most, where
		// lines through the new mark as well have doubled.
		reply := list.top.weight() + live.sum(s.board.through[m.cell()]&s.board.through[list.top.cell()])
		if m != list.top && 2*(sum+m.weight()-reply) < one {
			continue
		}
		next := *p
		next.attack(s.board, m.cell())
		if s.defend(&next, plies-1) {
			s.table.store(key, fails, plies)
			return true
		}
		if s.err != nil {
			return false
		}
	}
	s.table.store(key, plies, wins)
	return false
}

// defend reports whether the attacker wins within the plies when the defender
// is to move.
func (s *search) defend(p *position, plies int) bool {
	if p.defender[1] != 0 {
		return false
	}
	plies = min(plies, bits.OnesCount32(p.empty))
	own := plies / 2 // moves of the attacker
	if own == 0 {
		return false
	}
	if p.attacker[1] != 0 {
		forced := p.completing(s.board, p.attacker[1])
		if forced&(forced-1) != 0 {
			return true
		}
		next := *p
		next.defend(s.board, bits.TrailingZeros32(forced))
		return s.attack(&next, plies-1)
	}
	plies = 2 * own
	live, sum := p.live(own)
	if sum < one {
		return false
	}
	key := p.key<<1 | 1
	fails, wins := s.table.look(key)
	if plies <= fails || plies >= wins {
		return plies >= wins
	}
	if !s.enter() {
		return false
	}
	var list moveList
	list.fill(s.board, p, &live, 0, &defendWeights)
	if 2*(sum-list.top.weight()) < one {
		return false // that move leaves too little
	}
	for m, ok := list.next(); ok; m, ok = list.next() {
		next := *p
		next.defend(s.board, m.cell())
		if s.attack(&next, plies-1) {
			continue
		}
		if s.err == nil {
			s.table.store(key, plies, wins)
		}
		return false
	}
	s.table.store(key, fails, plies)
	return true
}

// live returns the attacker's lines that the given number of own moves can still
// complete, and their Erdős–Selfridge sum: each line weighs 2 to the power of
// minus the marks it lacks, in units of one.
//
// With the defender to move, a sum below 1 is proof that the attacker completes
// no line: by always marking the cell of greatest weight the defender keeps the
// sum from growing, and a complete line alone would weigh 1. With the attacker
// to move, whose mark can at most double the sum, the bound is one half.
// (P. Erdős, J. L. Selfridge, "On a combinatorial game", 1973.)
func (p *position) live(own int) (live side, sum int) {
	live = p.attacker
	for r := own + 1; r <= maxK; r++ {
		live[r] = 0
	}
	return live, live.sum(^uint64(0))
}
