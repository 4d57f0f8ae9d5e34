package strategy

import "tictactoe/engine"

// weights adds up, for every empty cell, what the lines through it are worth, and
// plays a cell of the greatest weight, ties at random. The method was described
// for boards of any size whose whole side must be filled; here every line of K
// cells counts, which is the same thing on those.
func weights(g engine.Game, dice dice) engine.Cell {
	v := newView(g)
	return anyOf(v.rules, bestOf(v.empty, v.weight), dice)
}

// weight returns the weight of the empty cell bit. Only lines that hold marks of just one
// side count. While more than one cell of such a line is empty, the line adds 1 to each of
// them. To its last empty cell it adds, if the marks are the other side's, the number of
// cells of the board plus 1, and if they are the own side's, the square of that number.
// So a block is worth more than any number of open lines, and a win more than any number of
// blocks.
func (v view) weight(bit engine.Bitboard) int {
	weight, block := 0, v.rules.Cells()+1
	for _, l := range v.rules.Lines() {
		own, other, empty := l&v.own, l&v.other, l&v.empty
		switch {
		case empty&bit == 0, (own == 0) == (other == 0): // another line, nobody's, or both sides'
		case empty != bit:
			weight++
		case own == 0:
			weight += block
		default:
			weight += block * block
		}
	}
	return weight
}
