package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// PausedFor is how long, in up-time, a match that was put aside can be gone on with.
const PausedFor = 24 * time.Hour

// StepsAside reports whether a match makes room for another one: it is against the program,
// and its player plays the other one with a person.
func StepsAside(m, next store.Match) bool {
	return AgainstProgram(m) && !AgainstProgram(next) && next.Seat(FirstUser(m).User) != engine.None
}

// PutAside ends a match against the program for one between people, next. Its board stands
// for as long as it can be gone on with.
func PutAside(m, next store.Match, uptime time.Duration) store.Match {
	m = End(m, store.PutAside, engine.None)
	m.EndedBy = next.Player(next.Seat(FirstUser(m).User).Other()).User
	m.Deadline = uptime + PausedFor
	return m
}

// Paused reports whether the match was put aside and can be gone on with.
func Paused(m store.Match) bool { return m.EndReason == store.PutAside && m.GridStands }

// WhyOver returns why nothing can be done any more with a match that has ended.
func WhyOver(m store.Match) error {
	switch {
	case Paused(m):
		return ErrPaused
	case m.EndReason == store.PutAside && m.Next != 0:
		return ErrGoneOn
	default:
		return ErrMatchOver
	}
}

// GoOn returns the match that goes on with one that was put aside, not yet opened, and that
// one with the link to it.
func GoOn(m store.Match, user store.UserID, id store.MatchID) (next, old store.Match, _ error) {
	switch {
	case m.Seat(user) == engine.None:
		return next, m, ErrNotYourGame
	case m.State != store.Ended:
		return next, m, ErrNotOver
	case !Paused(m):
		return next, m, WhyOver(m)
	}
	next, old = Next(m, id)
	next.X, next.O, next.Moves, next.Given = m.X, m.O, m.Moves, m.Given
	next.Hinted, next.HintPly, next.Series, next.Lost = m.Hinted, m.HintPly, m.Series, m.Lost
	return next, old, nil
}
