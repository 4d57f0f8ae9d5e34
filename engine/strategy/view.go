package strategy

import "tictactoe/engine"

// direction is the way in which a line runs.
type direction uint8

const (
	across direction = iota
	down
	diagonal
)

// directionOf tells it by how many bits apart the first two cells of the line are.
func directionOf(r engine.Rules, line engine.Bitboard) direction {
	rest := line & (line - 1)
	switch (rest & -rest) / (line & -line) {
	case 1 << 1:
		return across
	case 1 << (r.M + 1):
		return down
	default:
		return diagonal
	}
}

// view is what can be seen of a position by the side to move. Marks that the next move of
// their side takes off are in no set.
type view struct {
	rules             engine.Rules
	own, other, empty engine.Bitboard
}

func newView(g engine.Game) view {
	mark := g.SideToMove()
	return view{
		rules: g.Rules(),
		own:   staying(g, mark), other: staying(g, mark.Other()), empty: g.Marks(engine.None),
	}
}

// staying returns the marks of the side that its next move leaves in place.
func staying(g engine.Game, m engine.Mark) engine.Bitboard {
	marks := g.Marks(m)
	if c, ok := g.Vanishes(m); ok {
		marks &^= g.Rules().Bit(c)
	}
	return marks
}

// forks returns the empty cells that give the marks two or more cells to
// complete a line with.
func (v view) forks(marks, empty engine.Bitboard) engine.Bitboard {
	return those(empty, func(bit engine.Bitboard) bool {
		w := v.rules.Completing(marks|bit, empty&^bit)
		return w&(w-1) != 0
	})
}

// preventing returns the empty cells on which a mark stops the other side from making one of
// the forks in reply: it takes the forks away, or makes a threat that must be answered on
// another cell.
func (v view) preventing(forks engine.Bitboard) engine.Bitboard {
	return those(v.empty, func(bit engine.Bitboard) bool {
		replies := v.empty &^ bit
		left := v.forks(v.other, replies)
		if forced := v.rules.Completing(v.own|bit, replies); forced != 0 {
			replies = forced
		}
		return forks&left&replies == 0
	})
}

// mostOpen returns those of the cells through which most lines run that the other
// side has not closed. A line counts once, and once more for each own mark on it.
func (v view) mostOpen(cells engine.Bitboard) engine.Bitboard {
	return bestOf(cells, func(bit engine.Bitboard) int {
		sum := 0
		for _, l := range v.rules.Lines() {
			if l&bit != 0 && l&v.other == 0 {
				sum += 1 + (l & v.own).Count()
			}
		}
		return sum
	})
}

// those returns the cells of which that holds.
func those(cells engine.Bitboard, holds func(bit engine.Bitboard) bool) (found engine.Bitboard) {
	for rest := cells; rest != 0; rest &= rest - 1 {
		if bit := rest & -rest; holds(bit) {
			found |= bit
		}
	}
	return found
}

// bestOf returns those of the cells that are worth most.
func bestOf(cells engine.Bitboard, worth func(bit engine.Bitboard) int) engine.Bitboard {
	var best engine.Bitboard
	most := 0
	for rest := cells; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		switch w := worth(bit); {
		case best == 0 || w > most:
			most, best = w, bit
		case w == most:
			best |= bit
		}
	}
	return best
}
