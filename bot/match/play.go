package match

import (
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
	if seat == engine.None {
		return m, ErrNotYourGame
	}
	if m.State != store.Active {
		return m, WhyOver(m)
	}
	g, err := Position(m)
	if err != nil {
		return m, err
	}
	if seat != g.SideToMove() {
		return m, ErrNotYourTurn
	}
	if g.At(cell) != engine.None {
		return m, ErrTaken
	}
	if ply != g.Ply() {
		return m, ErrStale
	}
	if g, err = g.Play(cell); err != nil {
		return m, err
	}
	m = withMove(m, cell)
	if !g.Over() && ProgramMark(m) == g.SideToMove() {
		if m, g, err = playReply(m, g, reply); err != nil {
			return m, err
		}
	}
	return settle(m, g, uptime), nil
}

// Open prepares a match that is about to be created: where the program is to move in its
// position, that is played already.
func Open(m store.Match, reply Choose, uptime time.Duration) (store.Match, error) {
	g, err := Position(m)
	if err != nil {
		return m, err
	}
	m.State = store.Active
	if ProgramMark(m) == g.SideToMove() {
		if m, g, err = playReply(m, g, reply); err != nil {
			return m, err
		}
	}
	return settle(m, g, uptime), nil
}

func playReply(m store.Match, g engine.Game, reply Choose) (store.Match, engine.Game, error) {
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

// settle sets what follows from the position: the end, or the next deadline and reminder.
func settle(m store.Match, g engine.Game, uptime time.Duration) store.Match {
	reason, winner := store.EndOf(g)
	if reason == store.NotEnded {
		m.Deadline = uptime + TimeLimit(m)
		m.Remind = remindAt(m, uptime)
		return m
	}
	return End(m, reason, winner)
}
