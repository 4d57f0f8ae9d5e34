package bot

import (
	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

// lostBy returns which move lost a finished 3x3 match against the program, as its
// ply, and a cell that would have held. ok is false when it was not the person who
// lost, or he gave up what was not lost.
func lostBy(m store.Match) (ply int, held engine.Cell, ok bool) {
	if m.Rules != engine.Standard || botMark(m) == engine.None || m.Winner != botMark(m) {
		return 0, 0, false
	}
	ply, held, ok, err := solver.Blunder(m.Rules, m.Moves, m.Winner.Other())
	return ply, held, ok && err == nil
}
