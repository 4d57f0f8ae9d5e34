package match

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// Position returns the position of the match. What the store returns is always a
// legal sequence; an error means that a record was damaged.
func Position(m store.Match) (engine.Game, error) { return engine.Replay(m.Rules, m.Moves) }

// SideToMove returns the mark whose turn it is.
func SideToMove(m store.Match) engine.Mark {
	if len(m.Moves)%2 == 0 {
		return engine.X
	}
	return engine.O
}

// ofSide returns what belongs to X, and for any other side what belongs to O.
func ofSide[T any](side engine.Mark, x, o T) T {
	if side == engine.X {
		return x
	}
	return o
}

// AgainstProgram reports whether one of the seats is the program's.
func AgainstProgram(m store.Match) bool { return !m.X.IsUser() || !m.O.IsUser() }

// Unmoved reports whether a match runs against the program in which its person has not moved, and
// which stands for nothing that was before.
func Unmoved(m store.Match) bool {
	return AgainstProgram(m) && m.State == store.Active && m.Given == 0 && len(m.Moves) < 2 && !m.Series.Played()
}

// ProgramMark returns the mark of the program, None between two people.
func ProgramMark(m store.Match) engine.Mark {
	switch {
	case !m.X.IsUser():
		return engine.X
	case !m.O.IsUser():
		return engine.O
	default:
		return engine.None
	}
}

// FirstUser returns the first person in the match.
func FirstUser(m store.Match) store.Player {
	if m.X.IsUser() {
		return m.X
	}
	return m.O
}

// End ends the match: every end of every match comes through here. Nothing about how it
// ended changes afterwards.
func End(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m.State = store.Ended
	m.EndReason = reason
	m.Winner = winner
	m.Deadline, m.Remind = 0, 0
	m.GridStands = reason != store.Unreachable
	m.GoesOn = anotherFollows(m)
	return m
}
