package match

import (
	"slices"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// Choose is an opponent: it returns the cell that the side to move plays, or
// why it cannot.
type Choose func(engine.Game) (engine.Cell, error)

// Play plays the cell for the user, who meant the position at ply, and then, where the
// program is to move, the program's reply. It returns the new record, or the
// reason why nothing was played.
func Play(m store.Match, user store.UserID, ply int, cell engine.Cell, reply Choose, uptime time.Duration) (store.Match, error) {
	seat := m.Seat(user)
	switch {
	case seat == engine.None:
		return m, ErrNotYourGame
	case m.State != store.Active:
		return m, WhyOver(m)
	}
	g, err := Position(m)
	switch {
	case err != nil:
		return m, err
	case seat != g.SideToMove():
		return m, ErrNotYourTurn
	case g.At(cell) != engine.None:
		return m, ErrTaken
	case ply != g.Ply():
		return m, ErrStale
	}
	if g, err = g.Play(cell); err != nil {
		return m, err
	}
	return answered(withMove(m, cell), g, reply, uptime)
}

// Open prepares a match that is about to be created: where the program is to move in its
// position, that is played already. A later game of a series has ttl until its first move.
func Open(m store.Match, reply Choose, ttl, uptime time.Duration) (store.Match, error) {
	g, err := Position(m)
	if err != nil {
		return m, err
	}
	m.State = store.Active
	if m, err = answered(m, g, reply, uptime); Unbegun(m) {
		m.Deadline = uptime + ttl
	}
	return m, err
}

// answered has the program reply where it is to move, and sets what follows from the position
// then: the end, or the next deadline and reminder.
func answered(m store.Match, g engine.Game, reply Choose, uptime time.Duration) (store.Match, error) {
	if !g.Over() && ProgramMark(m) == g.SideToMove() {
		cell, err := reply(g)
		if err != nil {
			return m, err
		}
		if g, err = g.Play(cell); err != nil {
			return m, err
		}
		m = withMove(m, cell)
	}
	if reason, winner := store.EndOf(g); reason != store.NotEnded {
		return End(m, reason, winner), nil
	}
	m.Deadline = uptime + TimeLimit(m)
	m.Remind = remindAt(m, uptime)
	return m, nil
}

// withMove appends to a copy: the caller's record keeps its own moves.
func withMove(m store.Match, cell engine.Cell) store.Match {
	m.Moves = slices.Concat(m.Moves, []engine.Cell{cell})
	return m
}
