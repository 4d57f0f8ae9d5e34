package bot

import (
	"tictactoe/engine"
	"tictactoe/engine/solver"
	"tictactoe/store"
)

// lostBy returns which move lost a finished 3x3 match against the program, as its
// ply, and a cell that would have held. ok is false when nobody lost by a line, or
// it was not the person.
func lostBy(m store.Match) (ply int, held engine.Cell, ok bool) {
	if m.Rules != engine.Standard || m.EndReason != store.ByLine || botMark(m) == engine.None || m.Winner != botMark(m) {
		return 0, 0, false
	}
	ply, held, ok, err := solver.Blunder(m.Rules, m.Moves, m.Winner.Other())
	return ply, held, ok && err == nil
}
