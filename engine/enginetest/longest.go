// Package enginetest makes games for tests.
package enginetest

import (
	"fmt"
	"slices"

	"tictactoe/engine"
)

// Longest returns a game where marks vanish that nothing ends but its length.
func Longest() (moves []engine.Cell) {
	g, err := engine.New(engine.Vanishing)
	for err == nil && !g.Over() {
		cells := slices.Collect(g.Moves())
		dull := slices.DeleteFunc(slices.Clone(cells), func(c engine.Cell) bool {
			next, err := g.Play(c)
			return err != nil || next.Outcome().Winner() != engine.None || next.Repeats() > 0
		})
		if len(dull) > 0 {
			cells = dull
		}
		moves = append(moves, cells[min(1, len(cells)-1)])
		g, err = g.Play(moves[len(moves)-1])
	}
	if err != nil || g.Outcome() != engine.Drawn || g.Ply() != engine.MaxPlies {
		panic(fmt.Sprintf("%v after %d moves, %v, want a draw after %d", g.Outcome(), g.Ply(), err, engine.MaxPlies))
	}
	return moves
}
