package strategy

import "tictactoe/engine"

// weights adds up, for every empty cell, what the lines through it are worth, and
// plays a cell of the greatest weight, ties at random. The method was described
// for boards of any size whose whole side must be filled; here every line of K
// cells counts, which is the same thing on those.
func weights(g engine.Game, dice dice) engine.Cell {
	v := newView(g)
	weight := v.weights()
	var best engine.Bitboard
	most := -1
	for c := range v.rules.CellsOf(v.empty) {
		switch w := weight[c]; {
		case w > most:
			most, best = w, v.rules.Bit(c)
		case w == most:
			best |= v.rules.Bit(c)
		}
	}
	return anyOf(v.rules, best, dice)
}

// weights returns the weight of every cell. Only lines that hold marks of just one side
// count. While more than one cell of such a line is empty, the line adds 1 to each of
// them. To its last empty cell it adds, if the marks are the other side's, the number of
// cells of the board plus 1, and if they are the own side's, the square of that number.
// So a block is worth more than any number of open lines, and a win more than any number of
// blocks.
func (v view) weights() [engine.MaxCells]int {
	var weight [engine.MaxCells]int
	block := v.rules.Cells() + 1
	for _, l := range v.lines {
		own, other, empty := l.cells&v.own, l.cells&v.other, l.cells&v.empty
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
		for c := range v.rules.CellsOf(empty) {
			weight[c] += worth
		}
	}
	return weight
}
