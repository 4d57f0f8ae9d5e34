package main

import (
	"context"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
)

// Standard is what is known exactly about the opponents on 3x3.
type Standard struct {
	// Opponents are the names in the order of all the slices below.
	Opponents []string
	// Games holds the result for X: Games[x][o] of opponent x with X against
	// opponent o with O.
	Games [][]Result
	// Best holds, for every opponent with X and with O, its own result against
	// the side that always makes the best move against it.
	Best [][2]Result
	// MissRates holds what every opponent overlooks in the positions that can arise,
	// each counted once.
	MissRates []MissRates
	// Positions counts them.
	Positions Positions
	// Losses holds the shortest game that every opponent can lose with X and
	// with O.
	Losses [][2]Loss
}

// Against returns the result of one opponent against another, half of the games
// with X, half with O.
func (s Standard) Against(a, b int) Result {
	return s.Games[a][b].Mean(s.Games[b][a].Reverse())
}

// index returns the place of the opponent of that name in the slices.
func (s Standard) index(name string) int { return slices.Index(s.Opponents, name) }

func playStandard(ctx context.Context) (Standard, error) {
	start := engine.MustParse(".../.../...")
	var s Standard
	var all []odds
	for _, o := range players(engine.Standard) {
		all = append(all, remembered(o))
		s.Opponents = append(s.Opponents, o.Name)
	}
	positions, err := standardPositions(ctx, start)
	if err != nil {
		return Standard{}, err
	}
	s.Positions = count(positions)
	for _, one := range all {
		var row []Result
		for _, other := range all {
			if err := ctx.Err(); err != nil {
				return Standard{}, err
			}
			row = append(row, exact(start, one, other))
		}
		s.Games = append(s.Games, row)
		s.Best = append(s.Best, [2]Result{exact(start, one, nil), exact(start, nil, one).Reverse()})
		s.MissRates = append(s.MissRates, overlooked(positions, one))
		s.Losses = append(s.Losses, [2]Loss{shortestLoss(start, one, engine.X), shortestLoss(start, one, engine.O)})
	}
	return s, nil
}

// Loss is a game that an opponent can lose.
type Loss struct {
	// Possible reports whether there is one.
	Possible bool
	// Moves are the moves of both sides; the last one wins for the other side.
	Moves []engine.Cell
}

// shortestLoss returns the shortest game that the opponent can lose on the side
// given, whatever the other side does for it: the first one in the order of
// cells.
func shortestLoss(start engine.Game, by odds, side engine.Mark) Loss {
	type step struct {
		from engine.Game
		cell engine.Cell
	}
	came := map[engine.Game]step{}
	queue := []engine.Game{start}
	for len(queue) > 0 {
		g := queue[0]
		queue = queue[1:]
		if g.Outcome() == engine.Won(side.Other()) {
			moves := make([]engine.Cell, g.Ply())
			for g != start {
				s := came[g]
				moves[g.Ply()-1] = s.cell
				g = s.from
			}
			return Loss{Possible: true, Moves: moves}
		}
		for cell, child := range g.Children() {
			may := g.SideToMove() != side || slices.ContainsFunc(by(g), func(c strategy.Chance) bool { return c.Cell == cell })
			if _, known := came[child]; !may || known {
				continue
			}
			came[child] = step{from: g, cell: cell}
			queue = append(queue, child)
		}
	}
	return Loss{}
}
