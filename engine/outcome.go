package engine

// Outcome is how a position stands. Its zero value is [Undecided]. The numbers
// are stored and stay as they are.
type Outcome uint8

// The outcomes.
const (
	Undecided Outcome = 0  // the game goes on
	XWon      Outcome = 10 // X has a line
	OWon      Outcome = 20 // O has a line
	Drawn     Outcome = 30 // the board is full and nobody has a line
)

// Won returns the outcome in which the mark has won, and Undecided for None.
func Won(m Mark) Outcome {
	switch m {
	case X:
		return XWon
	case O:
		return OWon
	default:
		return Undecided
	}
}

// Winner returns the mark that has won, and None when nobody has.
func (o Outcome) Winner() Mark {
	switch o {
	case XWon:
		return X
	case OWon:
		return O
	default:
		return None
	}
}

// String returns "undecided", "X won", "O won" or "drawn".
func (o Outcome) String() string {
	switch o {
	case Undecided:
		return "undecided"
	case XWon:
		return "X won"
	case OWon:
		return "O won"
	case Drawn:
		return "drawn"
	default:
		return "unknown outcome"
	}
}

// Outcome returns how the game stands.
func (g Game) Outcome() Outcome {
	// Only the side that moved last can have completed a line.
	last := g.SideToMove().Other()
	switch {
	case g.rules.hasLine(g.Marks(last)):
		return Won(last)
	case g.past.drawn():
		return Drawn
	case g.x|g.o == g.rules.Board():
		if g.rules == (Rules{}) {
			return Undecided // the zero Game: no cells, nothing decided
		}
		return Drawn
	default:
		return Undecided
	}
}

// Over reports whether the game has ended.
func (g Game) Over() bool { return g.Outcome() != Undecided }

// WinningCells returns the cells of all lines that the deciding move completed, and the
// empty set while nobody has won. One move can complete several.
func (g Game) WinningCells() (all Bitboard) {
	if winner := g.Outcome().Winner(); winner != None {
		for _, line := range g.rules.linesIn(g.Marks(winner)) {
			all |= line
		}
	}
	return all
}
