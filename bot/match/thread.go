package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// ThreadStays is how long the thread of a match stands behind its end before it is archived.
const ThreadStays = 10 * time.Minute

// Lock notes that the thread of a running match is locked: its clock stands, and it is closed
// when nobody has touched it for as long as any other.
func Lock(m store.Match, uptime time.Duration) store.Match {
	m.Locked = true
	m.Deadline, m.Remind = uptime+AbandonAfter, 0
	return m
}

// Unlock notes that it is open again: who is to move gets all of the time for it.
func Unlock(m store.Match, uptime time.Duration) store.Match {
	m.Locked = false
	m.Deadline, m.Remind = uptime+TimeLimit(m), remindAt(m, uptime)
	return m
}

// CloseLocked ends a match for one of its players that cannot be played because its thread
// is locked. It counts for nobody.
func CloseLocked(m store.Match, user store.UserID) (store.Match, error) {
	switch {
	case m.Seat(user) == engine.None:
		return m, ErrNotYourGame
	case m.State != store.Active:
		return m, ErrMatchOver
	case !m.Locked:
		return m, ErrNotLocked
	}
	return Stop(m, user)
}
