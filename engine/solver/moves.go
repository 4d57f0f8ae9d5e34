package solver

import (
	"math/bits"

	"tictactoe/engine"
)

// moveList holds the moves worth a try and hands them out by falling score.
type moveList struct {
	moves [engine.MaxCells]scoredMove
	n     int
	tried int
	best  int        // the index of the next move
	top   scoredMove // the move of the greatest weight
}

// scoredMove is a cell, the weight of the live lines through it and the score of
// marking it, from the lowest bits up, so that a larger number is a better move.
type scoredMove uint32

const (
	cellBits   = 5
	weightBits = 10 // a cell lies on at most 12 lines of at most one/2 each
)

func newScoredMove(cell, weight, score int) scoredMove {
	return scoredMove(score<<(cellBits+weightBits) | weight<<cellBits | cell) //nolint:gosec // all small and positive
}

func (m scoredMove) cell() int   { return int(m & (1<<cellBits - 1)) }
func (m scoredMove) weight() int { return int(m >> cellBits & (1<<weightBits - 1)) }

// fill lists the empty cells on which live lines weigh at least the floor,
// without those where no line of either player is left: marking them would be
// no better than to pass, which never helps.
func (l *moveList) fill(b *board, p *position, live *side, floor int, w *weights) {
	a2, a3, a4, a5 := live[2], live[3], live[4], live[5]
	d2, d3, d4, d5 := p.defender[2], p.defender[3], p.defender[4], p.defender[5]
	open := a2 | a3 | a4 | a5 | d2 | d3 | d4 | d5
	// Copies, which the compiler can keep in registers.
	wa2, wa3, wa4 := w.attacker[2], w.attacker[3], w.attacker[4]
	wd2, wd3, wd4 := w.defender[2], w.defender[3], w.defender[4]
	n, most, best := 0, -1, scoredMove(0)
	for e := p.empty; e != 0; e &= e - 1 {
		c := bits.TrailingZeros32(e)
		t := b.through[c]
		if t&open == 0 {
			continue
		}
		n2, n3, n4 := bits.OnesCount64(a2&t), bits.OnesCount64(a3&t), bits.OnesCount64(a4&t)
		weight := n2<<(maxK-2) + n3<<(maxK-3) + n4<<(maxK-4)
		score := n2*wa2 + n3*wa3 + n4*wa4
		score += bits.OnesCount64(d2&t)*wd2 + bits.OnesCount64(d3&t)*wd3 + bits.OnesCount64(d4&t)*wd4
		if (a5|d5)&t != 0 {
			n5 := bits.OnesCount64(a5 & t)
			weight += n5
			score += n5*w.attacker[5] + bits.OnesCount64(d5&t)*w.defender[5]
		}
		if weight < floor {
			continue
		}
		m := newScoredMove(c, weight, score)
		if weight > most {
			most, l.top = weight, m
		}
		if m > best {
			best, l.best = m, n
		}
		l.moves[n] = m
		n++
	}
	l.n = n
}

// fillAll lists every empty cell.
func (l *moveList) fillAll(b *board, p *position, w *weights) {
	l.fill(b, p, &p.attacker, 0, w)
	rest := p.empty
	for _, m := range l.moves[:l.n] {
		rest &^= 1 << m.cell()
	}
	for ; rest != 0; rest &= rest - 1 {
		l.moves[l.n] = newScoredMove(bits.TrailingZeros32(rest), 0, 0)
		l.n++
	}
}

// next returns the best move left.
func (l *moveList) next() (m scoredMove, ok bool) {
	if l.tried == l.n {
		return 0, false
	}
	if l.tried > 0 { // fill has found the first
		l.best = l.tried
		for i := l.best + 1; i < l.n; i++ {
			if l.moves[i] > l.moves[l.best] {
				l.best = i
			}
		}
	}
	m = l.moves[l.best]
	l.moves[l.best] = l.moves[l.tried]
	l.tried++
	return m, true
}
