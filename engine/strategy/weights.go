package strategy

import "tictactoe/engine"

// weights adds up, for every empty cell, what the lines through it are worth, and
// plays a cell of the greatest weight, ties at random. The method was described
// for boards of any size whose whole side must be filled; here every line of K
// cells counts, which is the same thing on those.
func weights(g engine.Game, luck luck) engine.Cell {
	s := look(g)
	weight := s.weights()
	var best engine.Bitboard
	most := -1
	for c := range s.rules.CellsOf(s.empty) {
		switch w := weight[c]; {
		case w > most:
			most, best = w, s.rules.Bit(c)
		case w == most:
			best |= s.rules.Bit(c)
		}
	}
	return anyOf(s.rules, best, luck)
}

// weights returns the weight of every cell. A line that holds marks of one side
// only gives each of its empty cells 1 while more than one is empty, the number of
// cells of the board plus 1 to the last empty one where the marks are the other
// side's, and the square of that where they are one's own, so that a block is worth
// more than any number of open lines and a win more than any number of blocks.
func (s sight) weights() [engine.MaxCells]int {
	var weight [engine.MaxCells]int
	block := s.rules.Cells() + 1
	for _, l := range s.lines {
		own, other, empty := l.cells&s.own, l.cells&s.other, l.cells&s.empty
		if (own == 0) == (other == 0) || empty == 0 {
			continue // nobody's line, or both sides'
		}
		worth := 1
		if empty&(empty-1) == 0 {
			worth = block
			if own != 0 {
				worth = block * block
			}
		}
		for c := range s.rules.CellsOf(empty) {
			weight[c] += worth
		}
	}
	return weight
}
