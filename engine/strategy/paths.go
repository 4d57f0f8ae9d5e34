package strategy

import "tictactoe/engine"

// paths wins at once, else blocks, else tries every empty cell and adds up over all
// paths to a win what they are then worth: the row length less the moves that it
// still needs for a path that is open, -1 for one that the other side has blocked. It
// plays a cell of the greatest sum, ties at random. Which path to win or to
// block on is drawn among the paths, so a cell on two of them is twice as likely. The
// method was written for square boards whose whole side must be filled; here the
// paths are all lines of K cells, which are the same on those.
func paths(g engine.Game, luck luck) engine.Cell {
	s := look(g)
	for _, marks := range []engine.Bitboard{s.own, s.other} {
		if last := s.lastCells(marks); len(last) > 0 {
			return anyOf(s.rules, last[luck.oneOf(len(last))], luck)
		}
	}
	var best engine.Bitboard
	most := 0
	for c := range s.rules.CellsOf(s.empty) {
		bit := s.rules.Bit(c)
		switch sum := s.pathSum(s.own | bit); {
		case best == 0 || sum > most:
			most, best = sum, bit
		case sum == most:
			best |= bit
		}
	}
	return anyOf(s.rules, best, luck)
}

// lastCells returns, for every path that lacks just one of the marks and has
// that cell empty, the cell.
func (s sight) lastCells(marks engine.Bitboard) []engine.Bitboard {
	var last []engine.Bitboard
	for _, l := range s.lines {
		if rest := l.cells &^ marks; rest&s.empty == rest && rest&(rest-1) == 0 {
			last = append(last, rest)
		}
	}
	return last
}

// pathSum returns the sum over all paths for the own marks given.
func (s sight) pathSum(own engine.Bitboard) int {
	sum := 0
	for _, l := range s.lines {
		if l.cells&s.other != 0 {
			sum--
			continue
		}
		sum += (l.cells & own).Count() // the row length less what is missing
	}
	return sum
}
