package main

import (
	"context"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Standard is what is known exactly about the opponents on 3x3.
type Standard struct {
	Played // with the probabilities, and in each position that can arise once
	// Best holds, for every opponent with X and with O, its own result against
	// the side that always makes the best move against it.
	Best [][2]Result
	// Losses holds the moves of the shortest game that every opponent can lose with X and
	// with O, nil where there is none. The last move wins for the other side.
	Losses [][2][]engine.Cell
}

// standardStart is how every game on 3x3 begins.
var standardStart = engine.MustParse(".../.../...")

// sides are the marks in the order in which figures of both are held.
var sides = [2]engine.Mark{engine.X, engine.O}

func playStandard(ctx context.Context) (Standard, error) {
	var s Standard
	var all []odds
	for _, o := range players(engine.Standard) {
		all = append(all, remembered(o))
		s.Opponents = append(s.Opponents, o.Name)
	}
	positions := standardPositions(ctx)
	s.Positions = count(positions)
	for _, one := range all {
		var row []Result
		for _, other := range all {
			if err := ctx.Err(); err != nil {
				return Standard{}, err
			}
			row = append(row, exact(one, other))
		}
		s.Games = append(s.Games, row)
		s.Best = append(s.Best, [2]Result{exact(one, nil), exact(nil, one).Reverse()})
		s.MissRates = append(s.MissRates, overlooked(positions, one))
		s.Losses = append(s.Losses, [2][]engine.Cell{shortestLoss(one, engine.X), shortestLoss(one, engine.O)})
	}
	return s, nil
}

// shortestLoss returns the moves of the shortest game that the opponent can lose on the
// side given, whatever the other side does for it: the first one in the order of
// cells. It returns nil where there is none.
func shortestLoss(by odds, side engine.Mark) []engine.Cell {
	type reached struct {
		game  engine.Game
		moves []engine.Cell
	}
	seen := map[engine.Game]bool{}
	queue := []reached{{game: standardStart}}
	for len(queue) > 0 {
		g, moves := queue[0].game, queue[0].moves
		queue = queue[1:]
		if g.Outcome() == engine.Won(side.Other()) {
			return moves
		}
		for cell, child := range g.Children() {
			may := g.SideToMove() != side || slices.ContainsFunc(by(g), func(c strategy.Chance) bool { return c.Cell == cell })
			if may && !seen[child] {
				seen[child] = true
				queue = append(queue, reached{child, append(slices.Clip(moves), cell)})
			}
		}
	}
	return nil
}
