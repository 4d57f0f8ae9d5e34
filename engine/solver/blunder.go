package solver

import (
	"context"

	"tictactoe/engine"
)

// Blunder returns the move that lost the game: the last one of loser after
// which the loss was forced and before which it was not, as its ply, counted
// from 0, and one move that would have held: kept the value that the position
// then had. It reports false when the position after the moves is not lost for
// loser, be it by a line or by force, and when it was so from the first. Moves
// that are not legal get the error of [engine.Replay]. Any number of goroutines
// may call it.
func Blunder(r engine.Rules, moves []engine.Cell, loser engine.Mark) (ply int, held engine.Cell, ok bool, err error) {
	positions := make([]engine.Game, 0, len(moves)+1)
	for n := range len(moves) + 1 {
		g, err := engine.Replay(r, moves[:n])
		if err != nil {
			return 0, 0, false, err
		}
		positions = append(positions, g)
	}
	s := pool.Get().(*Solver)
	defer pool.Put(s)
	for n := len(positions) - 1; n >= 0; n-- {
		g := positions[n]
		if g.Over() {
			if g.Outcome() != engine.Won(loser.Other()) {
				return 0, 0, false, nil
			}
			continue
		}
		result, err := s.Solve(context.Background(), g)
		if err != nil {
			return 0, 0, false, err
		}
		mine := g.SideToMove() == loser
		lost := mine && result.Value == Loss || !mine && result.Value == Win
		switch {
		case lost:
		case mine && n < len(moves):
			return n, result.Best, true, nil
		default:
			return 0, 0, false, nil
		}
	}
	return 0, 0, false, nil
}
