package match

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// PlayOn is what the user plays against the program from the position after so many moves of
// a match. A player keeps their side, and meets the same opponent if that was the program, else
// the usual one or, where that does not play the board, one who does; anybody else has the side
// to move. A position in which nobody can move is none that a button leads to.
func PlayOn(m store.Match, ply int, user store.UserID, usual Choice) (c Choice, err error) {
	if ply > len(m.Moves) {
		return c, ErrUnknownRecord
	}
	g, err := engine.Replay(m.Rules, m.Moves[:ply])
	if err != nil {
		return c, err
	}
	if g.Over() {
		return c, ErrUnknownRecord
	}
	seat := m.Seat(user)
	if seat == engine.None {
		seat = g.SideToMove()
	}
	c = Fitting(Choice{Opponent: usual.Opponent, Rules: m.Rules, First: FirstMe}, false)
	if AgainstProgram(m) {
		c.Opponent = m.Player(ProgramMark(m)).Opponent
	}
	if seat == engine.O {
		c.First = FirstBot
	}
	return c, nil
}
