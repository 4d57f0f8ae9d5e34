package engine

// Mark is what a cell holds. Its zero value is [None], an empty cell.
type Mark uint8

// The marks. X moves first.
const (
	None Mark = iota
	X
	O
)

// Other returns the opponent's mark, and None for None.
func (m Mark) Other() Mark {
	switch m {
	case X:
		return O
	case O:
		return X
	default:
		return None
	}
}

// String returns "X", "O", or "." for anything else.
func (m Mark) String() string {
	switch m {
	case X:
		return "X"
	case O:
		return "O"
	default:
		return "."
	}
}
