package strategy

import (
	"context"
	"sync"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// perfect never gives away value: it wins every won position, as fast as it can be
// won, never loses a drawn one, and holds out longest in a lost one. Among the
// moves that do so it plays one that leaves the other side the most ways to go
// wrong, ties at random.
//
// On 3x3 these ways are counted to the end of the game: no opponent that keeps the
// value does better against uniformly random play. On larger boards they are the
// replies that give something away: by their exact values where three in a row win,
// which the solver knows at once, and otherwise as far as tactics show. Where marks
// vanish it also avoids positions that have stood before.
func perfect(g engine.Game, dice dice) engine.Cell {
	best := fresh(g, keeping(g))
	if best&(best-1) != 0 {
		best = mostSlips(g, best)
	}
	return anyOf(g.Rules(), best, dice)
}

// keeping returns the moves that keep the value and, in a decided position, the
// distance to the end.
func keeping(g engine.Game) engine.Bitboard {
	moves, err := solver.Keeping(context.Background(), g)
	if err != nil || len(moves) == 0 {
		return g.Marks(engine.None) // not for a game that goes on, as this one does
	}
	plies := moves[0].Plies
	for _, m := range moves {
		switch m.Value {
		case solver.Win:
			plies = min(plies, m.Plies)
		case solver.Loss:
			plies = max(plies, m.Plies)
		}
	}
	var best engine.Bitboard
	for _, m := range moves {
		if m.Plies == plies {
			best |= g.Rules().Bit(m.Cell)
		}
	}
	return best
}

// mostSlips returns those of the moves that leave the other side the most ways to go
// wrong.
func mostSlips(g engine.Game, moves engine.Bitboard) engine.Bitboard {
	v := newView(g)
	worth := v.slips
	switch {
	case g.Rules() == engine.Standard:
		expected := expectedPoints()
		worth = func(bit engine.Bitboard) int { return expected[place(g, bit)] }
	case g.Rules().K == 3:
		worth = func(bit engine.Bitboard) int { return errorsAfter(place(g, bit).Position())*mostOpen + v.open(bit) }
	}
	return bestOf(moves, worth)
}

// place returns the position after the legal move to the cell of the bit.
func place(g engine.Game, bit engine.Bitboard) engine.Game {
	for c := range g.Rules().CellsOf(bit) {
		if child, err := g.Play(c); err == nil {
			return child
		}
	}
	return g
}

// certain is what a certain win counts in expected points. The probabilities of
// uniformly random replies have denominators that divide 8*6*4*2 or 9*7*5*3, so all
// expected points are whole multiples of 1/certain of a win.
const certain = 2 * 120960

// expectedPoints holds, for every 3x3 position, the points that perfect play expects
// against uniformly random play, for the side that has just moved.
var expectedPoints = sync.OnceValue(func() map[engine.Game]int {
	known := map[engine.Game]int{}
	var afterMove, toMove func(g engine.Game) int
	afterMove = func(g engine.Game) int {
		points, ok := known[g]
		switch {
		case ok:
			return points
		case g.Outcome() == engine.Drawn:
			points = certain / 2
		case g.Over():
			points = certain
		default:
			replies := 0
			for _, reply := range g.Children() {
				replies++
				points += toMove(reply)
			}
			points /= replies
		}
		known[g] = points
		return points
	}
	toMove = func(g engine.Game) int {
		if g.Over() {
			return certain - afterMove(g)
		}
		// The moves that perfect would not make are looked at too, because it may have
		// to go on from a position that others have left.
		for _, child := range g.Children() {
			afterMove(child)
		}
		best := 0
		for rest := keeping(g); rest != 0; rest &= rest - 1 {
			best = max(best, afterMove(place(g, rest&-rest)))
		}
		return best
	}
	start := engine.MustParse(".../.../...")
	afterMove(start)
	toMove(start)
	return known
})

// slips counts the replies after the move to the cell of the bit with which the other
// side goes wrong, as far as tactics show: the mover can then win at once, or fork
// while nothing has to be answered. Between moves with as many slips, the lines count
// that are still open to the mover and closed to the other side.
func (v view) slips(bit engine.Bitboard) int {
	own, empty := v.own|bit, v.empty&^bit
	slips := those(empty, func(reply engine.Bitboard) bool {
		left := empty &^ reply
		return v.rules.Completing(own, left) != 0 || v.rules.Completing(v.other|reply, left) == 0 && v.forks(own, left) != 0
	})
	return slips.Count()*mostOpen + v.open(bit)
}

// mostOpen is more than any position's open lines: at most 48 lines of 25 each.
const mostOpen = 1 << 12

// open adds up the lines that are open to the mover and closed to the other side after
// the move to the cell of the bit, the squares of their own marks.
func (v view) open(bit engine.Bitboard) int {
	sum := 0
	for _, l := range v.rules.Lines() {
		if l&v.other == 0 {
			n := (l & (v.own | bit)).Count()
			sum += n * n
		}
	}
	return sum
}

// errorsAfter counts the replies of the side to move that give away the value of the
// position.
func errorsAfter(g engine.Game) int {
	keeping, err := solver.Keeping(context.Background(), g)
	if err != nil {
		return 0 // the game is over
	}
	return g.Marks(engine.None).Count() - len(keeping)
}
