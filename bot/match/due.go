package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// ChallengeDue reports whether the time of a challenge has come.
func ChallengeDue(c store.Challenge, uptime time.Duration) bool {
	return c.Deadline != 0 && c.Deadline <= uptime
}

// AbandonAfter is how long, in up-time, a match may lie untouched before it is
// closed.
const AbandonAfter = 7 * 24 * time.Hour

// HoldPlace is how long a public match against the program waits for a move at most:
// the place that it takes in its channel is missed by others.
const HoldPlace = time.Hour

// TimeLimit is how long the match waits for a move before it falls due.
func TimeLimit(m store.Match) time.Duration {
	limit := AbandonAfter
	if m.Clock > 0 {
		limit = min(limit, m.Clock)
	}
	if AgainstProgram(m) && !m.Private() {
		limit = min(limit, HoldPlace)
	}
	return limit
}

// GridStays is how long the buttons of a board stand after the end of its match: long
// enough that a thumb on its way to one of them meets no other.
const GridStays = 10 * time.Second

// Fold takes the buttons of the board away. An offer of a rematch that was made meanwhile, or
// the next game of a series, stands for ttl from the moment on at which they were to go.
func Fold(m store.Match, ttl time.Duration) store.Match {
	lapse := m.Deadline + ttl
	m.GridStands, m.Deadline = false, 0
	if m.RematchX || m.RematchO || BetweenGames(m) {
		m.Deadline = lapse
	}
	return m
}

// Expire applies the deadline of a match that has passed at the given up-time; ttl is how
// long the offer of a rematch stands. ok is false when there was nothing to do.
func Expire(m store.Match, ttl, uptime time.Duration) (_ store.Match, ok bool) {
	if m.Deadline == 0 || m.Deadline > uptime {
		return m, false
	}
	if m.State != store.Active {
		if m.GridStands {
			return Fold(m, ttl), true
		}
		m.GoesOn = m.GoesOn && m.Next != 0                                // the next game was not wanted
		m.RematchX, m.RematchO, m.Deadline, m.Remind = false, false, 0, 0 // the offer lapses
		return m, true
	}
	switch {
	case Unbegun(m):
		return End(m, store.Idle, engine.None), true
	case TimeLimit(m) == AbandonAfter:
		return End(m, store.Abandoned, engine.None), true
	case AgainstProgram(m):
		return End(m, store.Idle, engine.None), true
	default:
		return End(m, store.Clock, SideToMove(m).Other()), true
	}
}

// ClockShown reports whether a board names the time by which a move is due: in games
// between people only.
func ClockShown(m store.Match) bool {
	return m.State == store.Active && !AgainstProgram(m) && TimeLimit(m) != AbandonAfter
}
