package engine

import (
	"fmt"
	"strings"
)

// Cell is a place on a board: its index row by row from the top left, from 0.
// Which column and row that is depends on the rules.
type Cell uint8

// Cell returns the cell in the column and row given, both from 0, or an error
// that wraps [ErrOffBoard].
func (r Rules) Cell(column, row int) (Cell, error) {
	if column < 0 || column >= int(r.M) || row < 0 || row >= int(r.N) {
		return 0, fmt.Errorf("%w: column %d, row %d on %v", ErrOffBoard, column, row, r)
	}
	return Cell(row*int(r.M) + column), nil //nolint:gosec // at most 24
}

// Contains reports whether the board has the cell.
func (r Rules) Contains(c Cell) bool { return int(c) < r.Cells() }

// Column returns the cell's column from 0. Under rules that are not valid, and for a
// cell off the board, the number means nothing.
func (r Rules) Column(c Cell) int { return int(c) % max(int(r.M), 1) }

// Row returns the cell's row from 0, counted from the top. Under rules that are
// not valid, and for a cell off the board, the number means nothing.
func (r Rules) Row(c Cell) int { return int(c) / max(int(r.M), 1) }

// CellName returns the cell's name, its column letter and row number: "a1" for
// the top left one. For a cell off the board it returns "?".
func (r Rules) CellName(c Cell) string {
	if !r.Contains(c) {
		return "?"
	}
	return string([]byte{'a' + byte(r.Column(c)), '1' + byte(r.Row(c))}) //nolint:gosec // sides are at most 5
}

// ParseCell reads a cell's name. Another text gets an error that wraps
// [ErrNotation], a cell that this board does not have one that wraps
// [ErrOffBoard].
func (r Rules) ParseCell(name string) (Cell, error) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'z' || name[1] < '1' || name[1] > '9' {
		return 0, fmt.Errorf("%w: %q is not a cell's name, as in \"b2\"", ErrNotation, clip(name))
	}
	return r.Cell(int(name[0]-'a'), int(name[1]-'1'))
}

// FormatMoves returns the cells' names separated by spaces: "b2 a1 c3".
func (r Rules) FormatMoves(moves []Cell) string {
	names := make([]string, len(moves))
	for i, c := range moves {
		names[i] = r.CellName(c)
	}
	return strings.Join(names, " ")
}

// ParseMoves reads what [Rules.FormatMoves] writes; any white space separates.
// It checks that the cells are on the board, not that the moves are legal: that
// is [Replay]'s part.
func (r Rules) ParseMoves(text string) ([]Cell, error) {
	var moves []Cell
	for name := range strings.FieldsSeq(text) {
		c, err := r.ParseCell(name)
		if err != nil {
			return nil, err
		}
		moves = append(moves, c)
	}
	return moves, nil
}
