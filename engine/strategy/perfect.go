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
// value does better against uniformly random play. On larger boards these are the
// replies that give something away: by their exact values where three in a row win,
// which the solver knows at once, and otherwise as far as tactics show.
func perfect(g engine.Game, luck luck) engine.Cell {
	best := keeping(g)
	if best&(best-1) != 0 {
		best = trapping(g, best)
	}
	return anyOf(g.Rules(), best, luck)
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

// trapping returns those of the moves that leave the most ways to go wrong.
func trapping(g engine.Game, moves engine.Bitboard) engine.Bitboard {
	s := look(g)
	worth := s.traps
	switch {
	case g.Rules() == engine.Standard:
		hopes := hopes()
		worth = func(bit engine.Bitboard) int { return hopes[place(g, bit)] }
	case g.Rules().K == 3:
		worth = func(bit engine.Bitboard) int { return errorsAfter(place(g, bit))*mostOpen + s.open(bit) }
	}
	var best engine.Bitboard
	most := -1
	for rest := moves; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		switch w := worth(bit); {
		case w > most:
			most, best = w, bit
		case w == most:
			best |= bit
		}
	}
	return best
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

// sure is a certain win as a hope. Expected points of uniformly random replies have
// denominators that divide 8*6*4*2 or 9*7*5*3, so that as multiples of this number
// they are whole.
const sure = 2 * 120960

// hopes holds, for every 3x3 position, the points that perfect play expects of it
// against uniformly random play, for the side that has just moved: a win is
// sure, a draw half of it.
var hopes = sync.OnceValue(func() map[engine.Game]int {
	hopes := map[engine.Game]int{}
	var hope func(g engine.Game) int
	hope = func(g engine.Game) int {
		if h, ok := hopes[g]; ok {
			return h
		}
		var h int
		switch g.Outcome() {
		case engine.Drawn:
			h = sure / 2
		case engine.Undecided:
			replies := 0
			for _, reply := range g.Children() {
				replies++
				h += answer(reply, hope)
			}
			h /= replies
		default:
			h = sure
		}
		hopes[g] = h
		return h
	}
	if g, err := engine.New(engine.Standard); err == nil {
		hope(g)
		answer(g, hope)
	}
	return hopes
})

// answer returns the hope of the side to move, which answers perfectly.
func answer(g engine.Game, hope func(engine.Game) int) int {
	switch g.Outcome() {
	case engine.Drawn:
		return sure / 2
	case engine.Undecided:
		best := 0
		for rest := keeping(g); rest != 0; rest &= rest - 1 {
			best = max(best, hope(place(g, rest&-rest)))
		}
		// Hopes are wanted for the moves that perfect would not make too: they
		// are what an odd position left by somebody else is judged by.
		for _, child := range g.Children() {
			hope(child)
		}
		return best
	default:
		return 0
	}
}

// traps counts the ways in which the other side can go wrong after the move to the
// cell of the bit, as far as an eye for tactics sees: the replies after which
// the mover can win at once, or fork while nothing has to be answered. Between moves
// with as many, the lines count that are still open to the mover and closed to
// the other side.
func (s sight) traps(bit engine.Bitboard) int {
	own, empty := s.own|bit, s.empty&^bit
	slips := 0
	for rest := empty; rest != 0; rest &= rest - 1 {
		reply := rest & -rest
		left := empty &^ reply
		switch {
		case s.lines.wins(own, left) != 0:
			slips++
		case s.lines.wins(s.other|reply, left) == 0 && s.lines.forks(own, left) != 0:
			slips++
		}
	}
	return slips*mostOpen + s.open(bit)
}

// mostOpen is more than any position's open lines: at most 48 lines of 25 each.
const mostOpen = 1 << 12

// open adds up the lines that are open to the mover and closed to the other side after
// the move to the cell of the bit, the squares of their own marks.
func (s sight) open(bit engine.Bitboard) int {
	sum := 0
	for _, l := range s.lines {
		if l.cells&s.other == 0 {
			n := (l.cells & (s.own | bit)).Count()
			sum += n * n
		}
	}
	return sum
}

// errorsAfter counts the replies of the side to move that give away the value of the
// position.
func errorsAfter(g engine.Game) int {
	moves, err := solver.Moves(context.Background(), g)
	if err != nil {
		return 0 // the game is over
	}
	best := solver.Loss
	for _, m := range moves {
		best = max(best, m.Value)
	}
	n := 0
	for _, m := range moves {
		if m.Value < best {
			n++
		}
	}
	return n
}
