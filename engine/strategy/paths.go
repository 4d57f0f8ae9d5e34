package strategy

import "tictactoe/engine"

// paths wins at once, else blocks, else tries every empty cell. It adds up what all
// paths to a win are worth with a mark there: an open path is worth the row length less
// the moves that it still needs, a path that the other side has blocked -1. It plays a
// cell with the greatest sum, ties at random. To win or to block, it draws one of the
// paths, so a cell on two of them is twice as likely.
//
// The method was written for square boards whose whole side must be filled. Here the
// paths are all lines of K cells, which are the same on those boards.
func paths(g engine.Game, dice dice) engine.Cell {
	v := newView(g)
	for _, marks := range []engine.Bitboard{v.own, v.other} {
		if last := v.lastCells(marks); len(last) > 0 {
			return anyOf(v.rules, last[dice.oneOf(len(last))], dice)
		}
	}
	best := bestOf(v.empty, func(bit engine.Bitboard) int { return v.pathSum(v.own | bit) })
	return anyOf(v.rules, best, dice)
}

// lastCells returns, for every path that lacks just one of the marks and has
// that cell empty, the cell.
func (v view) lastCells(marks engine.Bitboard) []engine.Bitboard {
	var last []engine.Bitboard
	for _, l := range v.rules.Lines() {
		if rest := l &^ marks; rest&v.empty == rest && rest&(rest-1) == 0 {
			last = append(last, rest)
		}
	}
	return last
}

// pathSum returns the sum over all paths for the own marks given.
func (v view) pathSum(own engine.Bitboard) int {
	sum := 0
	for _, l := range v.rules.Lines() {
		if l&v.other != 0 {
			sum--
			continue
		}
		sum += (l & own).Count() // the row length less what is missing
	}
	return sum
}
