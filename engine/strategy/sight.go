package strategy

import (
	"sync"

	"tictactoe/engine"
)

// direction is the way in which a line runs.
type direction uint8

const (
	across direction = iota
	down
	diagonal
)

// line is one line of a board.
type line struct {
	cells engine.Bitboard
	runs  direction
}

// lines holds every line of one board.
type lines []line

// boards holds the lines of all rules; they are few and small, and found in
// microseconds.
var boards = sync.OnceValue(func() map[engine.Rules]lines {
	m := map[engine.Rules]lines{}
	for _, r := range engine.AllRules() {
		for _, cells := range r.Lines() {
			m[r] = append(m[r], line{cells: cells, runs: directionOf(r, cells)})
		}
	}
	return m
})

func directionOf(r engine.Rules, cells engine.Bitboard) direction {
	columns, rows := map[int]bool{}, map[int]bool{}
	for c := range r.CellsOf(cells) {
		columns[r.Column(c)], rows[r.Row(c)] = true, true
	}
	switch {
	case len(rows) == 1:
		return across
	case len(columns) == 1:
		return down
	default:
		return diagonal
	}
}

// sight is what can be seen of a position by the side to move.
type sight struct {
	rules             engine.Rules
	lines             lines
	own, other, empty engine.Bitboard
}

func look(g engine.Game) sight {
	mark := g.SideToMove()
	return sight{
		rules: g.Rules(), lines: boards()[g.Rules()],
		own: g.Marks(mark), other: g.Marks(mark.Other()), empty: g.Marks(engine.None),
	}
}

// wins returns the empty cells that complete a line for the marks.
func (l lines) wins(marks, empty engine.Bitboard) engine.Bitboard {
	var w engine.Bitboard
	for i := range l {
		if rest := l[i].cells &^ marks; rest&(rest-1) == 0 {
			w |= rest & empty
		}
	}
	return w
}

// forks returns the empty cells that give the marks two or more cells to
// complete a line with.
func (l lines) forks(marks, empty engine.Bitboard) engine.Bitboard {
	var f engine.Bitboard
	for rest := empty; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		if w := l.wins(marks|bit, empty&^bit); w&(w-1) != 0 {
			f |= bit
		}
	}
	return f
}

// prevents reports whether marking the empty cell bit leaves the other side without
// a fork in reply: none of the cells in question makes one any more, or there is
// a threat that must be answered somewhere else first.
func (s sight) prevents(bit, forks engine.Bitboard) bool {
	replies := s.empty &^ bit
	if forced := s.lines.wins(s.own|bit, replies); forced != 0 {
		replies = forced
	}
	for rest := forks & replies; rest != 0; rest &= rest - 1 {
		fork := rest & -rest
		if w := s.lines.wins(s.other|fork, s.empty&^(bit|fork)); w&(w-1) != 0 {
			return false
		}
	}
	return true
}

// preventing returns the empty cells that leave the other side without one of the
// forks in reply.
func (s sight) preventing(forks engine.Bitboard) engine.Bitboard {
	var safe engine.Bitboard
	for rest := s.empty; rest != 0; rest &= rest - 1 {
		if bit := rest & -rest; s.prevents(bit, forks) {
			safe |= bit
		}
	}
	return safe
}

// mostOpen returns those of the cells through which most lines run that the other
// side has not closed, counting a line more the more own marks it holds.
func (s sight) mostOpen(cells engine.Bitboard) engine.Bitboard {
	var best engine.Bitboard
	most := -1
	for rest := cells; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		sum := 0
		for _, l := range s.lines {
			if l.cells&bit != 0 && l.cells&s.other == 0 {
				sum += 1 + (l.cells & s.own).Count()
			}
		}
		switch {
		case sum > most:
			most, best = sum, bit
		case sum == most:
			best |= bit
		}
	}
	return best
}
