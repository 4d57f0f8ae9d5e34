package bot

import (
	"errors"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// abandonAfter is how long, in up-time, a match may lie untouched before it is
// closed.
const abandonAfter = 7 * 24 * time.Hour

// Why a transition does not happen. errors.go says them in words.
var (
	errNotYourGame    = errors.New("bot: not a player of this match")
	errNotYourTurn    = errors.New("bot: the other side is to move")
	errTaken          = errors.New("bot: the cell is taken")
	errStale          = errors.New("bot: the board has changed since the click")
	errMatchOver      = errors.New("bot: the match is over")
	errAlreadyOffered = errors.New("bot: already offered a rematch")
	errNoRematch      = errors.New("bot: the rematch has been made already")
	errNotOver        = errors.New("bot: the match is not over")
)

// position returns the position of the match. What the store returns is always a
// legal sequence; an error means that a record was damaged.
func position(m store.Match) (engine.Game, error) { return engine.Replay(m.Rules, m.Moves) }

// sideToMove returns the mark whose turn it is.
func sideToMove(m store.Match) engine.Mark {
	if len(m.Moves)%2 == 0 {
		return engine.X
	}
	return engine.O
}

// againstBot reports whether one of the seats is the program's.
func againstBot(m store.Match) bool { return !m.X.IsUser() || !m.O.IsUser() }

// botMark returns the mark of the program, None between two people.
func botMark(m store.Match) engine.Mark {
	switch {
	case !m.X.IsUser():
		return engine.X
	case !m.O.IsUser():
		return engine.O
	default:
		return engine.None
	}
}

// chooseMove is an opponent: it returns the cell that the side to move plays, or
// why it cannot.
type chooseMove func(engine.Game) (engine.Cell, error)

// playCell plays the cell for the user, as drawn at ply, and then, where the
// program is to move, the program's reply. It returns the new record, or the
// reason why nothing was played.
func playCell(m store.Match, user store.UserID, ply int, cell engine.Cell, reply chooseMove, uptime time.Duration) (store.Match, error) {
	seat := m.Seat(user)
	if seat == engine.None {
		return m, errNotYourGame
	}
	if m.State != store.Active {
		return m, errMatchOver
	}
	g, err := position(m)
	if err != nil {
		return m, err
	}
	if seat != g.SideToMove() {
		return m, errNotYourTurn
	}
	if g.At(cell) != engine.None {
		return m, errTaken
	}
	if ply != g.Ply() {
		return m, errStale
	}
	if g, err = g.Play(cell); err != nil {
		return m, err
	}
	m = withMove(m, cell)
	if !g.Over() && botMark(m) == g.SideToMove() {
		if m, g, err = playReply(m, g, reply); err != nil {
			return m, err
		}
	}
	return settle(m, g, uptime), nil
}

// openMatch prepares a match that is about to be created: where the program has
// the first move it is played already.
func openMatch(m store.Match, reply chooseMove, uptime time.Duration) (store.Match, error) {
	g, err := engine.New(m.Rules)
	if err != nil {
		return m, err
	}
	m.State = store.Active
	if botMark(m) == engine.X {
		if m, g, err = playReply(m, g, reply); err != nil {
			return m, err
		}
	}
	return settle(m, g, uptime), nil
}

func playReply(m store.Match, g engine.Game, reply chooseMove) (store.Match, engine.Game, error) {
	cell, err := reply(g)
	if err != nil {
		return m, g, err
	}
	next, err := g.Play(cell)
	if err != nil {
		return m, g, err
	}
	return withMove(m, cell), next, nil
}

// withMove appends to a copy: the caller's record keeps its own moves.
func withMove(m store.Match, cell engine.Cell) store.Match {
	moves := make([]engine.Cell, len(m.Moves), len(m.Moves)+1)
	copy(moves, m.Moves)
	m.Moves = append(moves, cell)
	return m
}

// settle sets what follows from the position: the end, or the next deadline.
func settle(m store.Match, g engine.Game, uptime time.Duration) store.Match {
	switch g.Outcome() {
	case engine.Undecided:
		m.Deadline = uptime + patience(m)
		return m
	case engine.Drawn:
		return end(m, store.FullBoard, engine.None)
	default:
		return end(m, store.ByLine, g.Outcome().Winner())
	}
}

// patience is how long the match waits for a move before it falls due.
func patience(m store.Match) time.Duration {
	if m.Clock > 0 && m.Clock < abandonAfter {
		return m.Clock
	}
	return abandonAfter
}

func end(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m.State = store.Ended
	m.EndReason = reason
	m.Winner = winner
	m.Deadline = 0
	return m
}

// resign ends the match for the user, who gives up.
func resign(m store.Match, user store.UserID) (store.Match, error) {
	seat := m.Seat(user)
	if seat == engine.None {
		return m, errNotYourGame
	}
	if m.State != store.Active {
		return m, errMatchOver
	}
	return end(m, store.Resignation, seat.Other()), nil
}

// stop ends the match for a moderator: it counts for nobody.
func stop(m store.Match, moderator store.UserID) (store.Match, error) {
	if m.State != store.Active {
		return m, errMatchOver
	}
	m.EndedBy = moderator
	return end(m, store.Stopped, engine.None), nil
}

// fallDue applies the deadline of a match that has passed at the given up-time.
// ok is false when there was nothing to do.
func fallDue(m store.Match, uptime time.Duration) (_ store.Match, ok bool) {
	if m.Deadline == 0 || m.Deadline > uptime {
		return m, false
	}
	if m.State != store.Active {
		m.RematchX, m.RematchO, m.Deadline = false, false, 0 // the offer lapses
		return m, true
	}
	switch {
	case patience(m) == abandonAfter:
		return end(m, store.Abandoned, engine.None), true
	case againstBot(m):
		return end(m, store.Idle, engine.None), true
	default:
		return end(m, store.Clock, sideToMove(m).Other()), true
	}
}

// offerRematch notes that the user wants to play again. agreed is true when both
// do, which against the program is at once; then the caller makes the match with
// nextMatch.
func offerRematch(m store.Match, user store.UserID, ttl, uptime time.Duration) (_ store.Match, agreed bool, _ error) {
	seat := m.Seat(user)
	switch {
	case seat == engine.None:
		return m, false, errNotYourGame
	case m.State != store.Ended:
		return m, false, errNotOver
	case m.Next != 0:
		return m, false, errNoRematch
	case seat == engine.X && m.RematchX, seat == engine.O && m.RematchO:
		return m, false, errAlreadyOffered
	}
	if seat == engine.X {
		m.RematchX = true
	} else {
		m.RematchO = true
	}
	if againstBot(m) || m.RematchX && m.RematchO {
		return m, true, nil
	}
	m.Deadline = uptime + ttl
	return m, false, nil
}

// nextMatch returns the rematch of m, not yet opened, and m with the link to it:
// the seats are swapped, the score of the series goes on.
func nextMatch(m store.Match, id store.MatchID) (next, old store.Match) {
	next = store.Match{
		ID: id, Guild: m.Guild, Channel: m.Channel, Place: m.Place,
		Rules: m.Rules, X: m.O, O: m.X,
		Clock: m.Clock, CellNames: m.CellNames, Locale: m.Locale,
	}
	score := seriesAfter(m)
	next.Series = store.Score{X: score.O, O: score.X, Draws: score.Draws}
	old = m
	old.Next = id
	old.RematchX, old.RematchO, old.Deadline = false, false, 0
	return next, old
}

// seriesAfter returns the score of the series with the match itself counted, by
// the match's own seats.
func seriesAfter(m store.Match) store.Score {
	s := m.Series
	switch {
	case m.Winner == engine.X:
		s.X++
	case m.Winner == engine.O:
		s.O++
	case m.EndReason == store.FullBoard:
		s.Draws++
	}
	return s
}
