package engine

import "errors"

// The reasons for which the package refuses something. Errors that it returns
// wrap one of them with the details; test for them with errors.Is.
var (
	// ErrRules: no such game; sides are 3 to 5 and the row length is 3 to the
	// longer side.
	ErrRules = errors.New("engine: no such rules")
	// ErrOffBoard: the cell does not lie on the board.
	ErrOffBoard = errors.New("engine: cell is off the board")
	// ErrOccupied: the cell holds a mark already.
	ErrOccupied = errors.New("engine: cell is occupied")
	// ErrGameOver: the game has ended, no move is legal.
	ErrGameOver = errors.New("engine: game is over")
	// ErrNotation: the text does not follow the notation.
	ErrNotation = errors.New("engine: bad notation")
	// ErrUnreachable: the text is a board, but no legal sequence of moves
	// leads to it.
	ErrUnreachable = errors.New("engine: position cannot arise in play")
)
