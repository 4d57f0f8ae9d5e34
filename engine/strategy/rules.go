package strategy

import "tictactoe/engine"

// rules plays by four rules in order, as a program for one 3x3 board did: win,
// block, make the best bet, play anywhere. The best bet is a cell on a line that
// holds one own mark and is otherwise empty. Ties are broken at random among the
// cells.
//
// For row lengths over 3 the best bet is generalised as the way to the earliest
// win: among the lines without a mark of the other side and with at least one own
// mark those with most own marks count, and every empty cell on one of them is a
// best bet.
func rules(g engine.Game, dice dice) engine.Cell {
	v := newView(g)
	for _, marks := range []engine.Bitboard{v.own, v.other} {
		if w := v.rules.Completing(marks, v.empty); w != 0 {
			return anyOf(v.rules, w, dice)
		}
	}
	bets := bestOf(v.empty, func(bit engine.Bitboard) int {
		most := 0
		for _, l := range v.rules.Lines() {
			if l&bit != 0 && l&v.other == 0 {
				most = max(most, (l & v.own).Count())
			}
		}
		return most
	})
	return anyOf(v.rules, bets, dice)
}
