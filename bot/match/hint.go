package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// HintsGiven reports as an error that the match was begun when its guild had turned hints
// off, which it has from the one moment on; the zero time says that it has not.
func HintsGiven(m store.Match, offSince time.Time) error {
	if offSince.IsZero() || m.Created.Before(offSince) {
		return nil
	}
	return ErrHintsOff
}

// Hint notes that the user was told a move in their match against the program, which does
// not count any more. That is done once in a match, and on the user's turn.
func Hint(m store.Match, user store.UserID) (store.Match, error) {
	switch seat := m.Seat(user); {
	case seat == engine.None:
		return m, ErrNotYourGame
	case m.State != store.Active:
		return m, WhyOver(m)
	case !AgainstProgram(m):
		return m, ErrNoHints
	case m.Hinted:
		return m, ErrHinted
	case seat != SideToMove(m):
		return m, ErrNotYourTurn
	}
	m.Hinted, m.HintPly = true, len(m.Moves)
	return m, nil
}

// HintStands reports whether the user was told a move for the position as it is. They may
// hear it again: the answer may have been lost, or have scrolled away.
func HintStands(m store.Match, user store.UserID) bool {
	told := m
	told.Hinted = false
	_, err := Hint(told, user)
	return err == nil && m.Hinted && m.HintPly == len(m.Moves)
}
