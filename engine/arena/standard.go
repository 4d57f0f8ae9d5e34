package arena

import (
	"context"

	"tictactoe/engine"
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
	// Misses holds what every opponent overlooks in the positions that can arise,
	// each counted once.
	Misses []Misses
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

// index returns where the opponent of that name stands.
func (s Standard) index(name string) int { return indexOf(s.Opponents, name) }

func playStandard(ctx context.Context) (Standard, error) {
	start, err := engine.New(engine.Standard)
	if err != nil {
		return Standard{}, err
	}
	var s Standard
	var books []*book
	for _, o := range players(engine.Standard) {
		books = append(books, newBook(o))
		s.Opponents = append(s.Opponents, o.Name)
	}
	positions := standardPositions(start)
	s.Positions = count(positions)
	for _, b := range books {
		var row []Result
		for _, other := range books {
			if err := ctx.Err(); err != nil {
				return Standard{}, err
			}
			row = append(row, exact(start, b, other))
		}
		s.Games = append(s.Games, row)
		s.Best = append(s.Best, [2]Result{
			bestResponse(start, b, engine.X), bestResponse(start, b, engine.O).Reverse(),
		})
		s.Misses = append(s.Misses, overlooked(positions, b.at))
		s.Losses = append(s.Losses, [2]Loss{
			shortestLoss(start, b, engine.X), shortestLoss(start, b, engine.O),
		})
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
func shortestLoss(start engine.Game, b *book, side engine.Mark) Loss {
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
		for _, c := range candidates(g, b, side) {
			child, err := g.Play(c)
			if _, known := came[child]; err != nil || known {
				continue
			}
			came[child] = step{from: g, cell: c}
			queue = append(queue, child)
		}
	}
	return Loss{}
}

// candidates returns the moves that the opponent may make where it is to move, and all
// moves where it is not.
func candidates(g engine.Game, b *book, side engine.Mark) []engine.Cell {
	var cells []engine.Cell
	if g.Over() {
		return nil
	}
	if g.SideToMove() == side {
		for _, chance := range b.at(g) {
			cells = append(cells, chance.Cell)
		}
		return cells
	}
	for c := range g.Moves() {
		cells = append(cells, c)
	}
	return cells
}
