package match

import (
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

const (
	// RemindClock is the shortest clock whose players are reminded that it is their turn,
	// when half of it is gone. Who has less is playing now, or not at all.
	RemindClock = 5 * time.Minute
	// LongClock is from where on they are told of every turn: nobody waits that long in
	// front of a board. It is done after [RemindSoon], so that two who are at it
	// nonetheless are left alone.
	LongClock  = time.Hour
	RemindSoon = time.Minute
	// RemindRematch is how long an offer of a rematch waits before the other one is told.
	RemindRematch = time.Minute
	// RemindByToken is the longest clock whose players are reminded where interaction tokens
	// alone can write, and RemindWithin how long after a move that is at the latest: Discord
	// takes a token for 15 minutes.
	RemindByToken = 30 * time.Minute
	RemindWithin  = 14 * time.Minute
)

// MayRemind reports whether a reminder can come about in the match: between people with
// time to look away, or over an offer of theirs.
func MayRemind(m store.Match) bool {
	return !AgainstProgram(m) && (m.State == store.Ended || m.Clock >= RemindClock)
}

// Reminded reports whether whoever is to move may have been reminded already: of a
// reminder that is still to come nothing can have been sent.
func Reminded(m store.Match) bool { return MayRemind(m) && m.Remind == 0 }

// remindAt returns when whoever is to move from now on is reminded, 0 for never.
func remindAt(m store.Match, uptime time.Duration) time.Duration {
	switch {
	case !MayRemind(m), m.TokenOnly && m.Clock > RemindByToken:
		return 0
	case m.TokenOnly:
		return uptime + min(m.Clock/2, RemindWithin)
	case m.Clock >= LongClock:
		return uptime + RemindSoon
	default:
		return uptime + m.Clock/2
	}
}

// Remind claims the reminder of a match whose time has come at the up-time: it is in no
// record any more, and so cannot come about again. whom is who is waited for. ok is false
// when there was nothing to do.
func Remind(m store.Match, uptime time.Duration) (_ store.Match, whom store.UserID, ok bool) {
	if m.Remind == 0 || m.Remind > uptime {
		return m, "", false
	}
	m.Remind = 0
	m.RematchTold = m.RematchTold || m.State == store.Ended
	return m, WaitedFor(m), true
}

// WaitedFor returns the person for whom the other one waits: who is to move, or who has
// not answered the offer of a rematch. It is nobody where nobody is waited for.
func WaitedFor(m store.Match) store.UserID {
	switch {
	case AgainstProgram(m), m.Next != 0:
		return ""
	case m.State == store.Active:
		return m.Player(SideToMove(m)).User
	case m.RematchX && !m.RematchO:
		return m.Player(engine.O).User
	case m.RematchO && !m.RematchX:
		return m.Player(engine.X).User
	default:
		return ""
	}
}

// StillWaits reports whether the same person is waited for as before, for the same.
func StillWaits(before, now store.Match) bool {
	return before.State == now.State && len(before.Moves) == len(now.Moves) && WaitedFor(before) == WaitedFor(now)
}
