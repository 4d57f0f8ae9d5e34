package solver

import "errors"

// ErrOver: the game has ended, so there is no side to move and no move to
// judge. Test for it with errors.Is.
var ErrOver = errors.New("solver: game is over")
