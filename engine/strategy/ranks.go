package strategy

import "tictactoe/engine"

// The ranks of a cell.
const (
	rankDead     = 1 // no win possible
	rankOpen     = 2 // can win in two moves
	rankThreat   = 3 // can win on the next move
	rankFork     = 4 // wins on the next move
	rankBlock    = 5 // stops a win
	rankWin      = 6 // wins
	centre       = engine.Cell(4)
	rankOfCentre = rankThreat // the centre is taken when nothing is better than this
)

// ranks gives every empty cell of the 3x3 board a rank for either side and plays
// its own first best cell in row order, unless the other side's best ranks
// higher: then that cell. When neither side's best is over 3 and the centre is
// free, it takes the centre. It rolls no dice.
//
// A cell's rank looks along the row, the column and both diagonals at the run, the
// cell with the marks of the side next to it on either hand: a run of three wins; a
// run of two that a blank cell continues counts towards 3, or 4 when there are
// two such; a run of one on a line that is otherwise blank is worth 2. Beyond the
// edge nothing is blank. Marks with a gap between them are no run, which is
// what the method overlooks. Its numbers speak of rows of three: on other
// boards it would be another program, so it plays on none.
func ranks(g engine.Game, _ dice) engine.Cell {
	v := newView(g)
	own, ownRank := v.bestRank(v.own)
	other, otherRank := v.bestRank(v.other)
	otherRank = min(otherRank, rankBlock)
	switch {
	case max(ownRank, otherRank) <= rankOfCentre && v.empty&v.rules.Bit(centre) != 0:
		return centre
	case otherRank > ownRank:
		return other
	default:
		return own
	}
}

// bestRank returns the first empty cell in row order that has the highest rank for
// the marks, and the rank.
func (v view) bestRank(marks engine.Bitboard) (best engine.Cell, rank int) {
	for c := range v.rules.CellsOf(v.empty) {
		if r := v.rank(marks, c); r > rank {
			best, rank = c, r
		}
	}
	return best, rank
}

// rank returns the rank of the empty cell for the marks.
func (v view) rank(marks engine.Bitboard, c engine.Cell) int {
	rank, expanding := rankDead, 0
	for _, step := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		run, ends, blanks := v.run(marks, c, step)
		switch {
		case run == 3:
			return rankWin
		case run == 2 && ends > 0:
			expanding++
		case run == 1 && blanks == 2:
			rank = max(rank, rankOpen)
		}
	}
	switch expanding {
	case 0:
		return rank
	case 1:
		return rankThreat
	default:
		return rankFork
	}
}

// run returns the length of the run of the marks through the cell along the step,
// how many of its two ends a blank cell continues, and how many of the other cells in
// that direction are blank.
func (v view) run(marks engine.Bitboard, c engine.Cell, step [2]int) (run, ends, blanks int) {
	run = 1
	for _, sign := range []int{1, -1} {
		adjacent := true
		x, y := v.rules.Column(c), v.rules.Row(c)
		for {
			x, y = x+sign*step[0], y+sign*step[1]
			if x < 0 || x > 2 || y < 0 || y > 2 {
				break
			}
			bit := v.rules.Bit(engine.Cell(3*y + x)) //nolint:gosec // at most 8
			blank := v.empty&bit != 0
			if blank {
				blanks++
			}
			if adjacent && blank {
				ends++
			}
			adjacent = adjacent && marks&bit != 0
			if adjacent {
				run++
			}
		}
	}
	return run, ends, blanks
}
