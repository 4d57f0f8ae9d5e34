package match

import (
	"tictactoe/engine"
	"tictactoe/store"
)

// PlayOn returns a private match of the user against the program that begins with the
// position after so many moves of a match, not yet opened. A player keeps their side, and
// meets the same opponent if that was the program, else the usual one or, where that does
// not play the board, one who does; anybody else has the side to move. It
// is not yet given an id, a channel, a clock and a language. A position in which nobody
// can move is none that a button leads to.
func PlayOn(m store.Match, ply int, user store.UserID, usual Choice) (store.Match, error) {
	if ply > len(m.Moves) {
		return store.Match{}, ErrUnknownRecord
	}
	next := store.Match{Rules: m.Rules, Moves: m.Moves[:ply], Given: ply}
	g, err := Position(next)
	if err != nil {
		return store.Match{}, err
	}
	if g.Over() {
		return store.Match{}, ErrUnknownRecord
	}
	seat := m.Seat(user)
	if seat == engine.None {
		seat = g.SideToMove()
	}
	person, program := store.Player{User: user}, store.Player{Opponent: Fitting(Choice{Opponent: usual.Opponent, Rules: m.Rules}, false).Opponent}
	if mark := ProgramMark(m); mark != engine.None {
		program = m.Player(mark)
	}
	next.X, next.O = person, program
	if seat == engine.O {
		next.X, next.O = program, person
	}
	return next, nil
}
