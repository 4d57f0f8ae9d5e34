package solver

import (
	"context"

	"tictactoe/engine"
)

// Mistake is a move that gave away what its side had.
type Mistake struct {
	// Ply is the move's place in the game, counted from 0.
	Ply int
	// Had is what the position before the move was worth to the side that made
	// it: [Win] if the move threw away the win, [Draw] if it threw away the draw.
	Had Value
	// Left is what the position after the last move of the game is worth to that
	// side: [Loss] or [Draw], and always less than Had.
	Left Value
	// Cell is a move that would have kept Had: one that wins fastest where there
	// was a win.
	Cell engine.Cell
	// Plies is the number of single moves to the end of the game with Cell, that
	// move included: 1 if it would have won at once. It counts as [Result.Plies]
	// does.
	Plies int
}

// LastMistake returns the move of the side that decided the game against it: its
// last one before which the position was worth more to it than the position
// after all moves is. In a game that it lost, this is the move that lost it, from
// a win or from a draw; in a drawn one, the move that threw away the win. The
// game need not be over: then it ends with the value that its last position has
// under best play.
//
// It reports false when there is no such move: the position at the end is won for
// the side, or the side never had more than it got. Moves that are not legal get
// the error of [engine.Replay], and a context that has ended or ends before the
// answer is found gives its error. Any number of goroutines may call it.
func LastMistake(ctx context.Context, r engine.Rules, moves []engine.Cell, side engine.Mark) (m Mistake, ok bool, err error) {
	g, err := engine.New(r)
	if err != nil {
		return Mistake{}, false, err
	}
	before := make([]engine.Game, len(moves)) // the position before each move
	for n, c := range moves {
		before[n] = g
		if g, err = g.Play(c); err != nil {
			_, err = engine.Replay(r, moves) // names the ply
			return Mistake{}, false, err
		}
	}
	if side == engine.None {
		return Mistake{}, false, nil
	}
	s := borrow()
	defer pool.Put(s)
	result, err := s.resultFor(ctx, g, side)
	if err != nil {
		return Mistake{}, false, err
	}
	left := result.Value
	// Moves of the other side never lower the value for this one, so only the
	// positions before this side's own moves are looked at.
	for n := len(moves) - 1; n >= 0; n-- {
		if before[n].SideToMove() != side || left == Win {
			continue
		}
		result, err := s.resultFor(ctx, before[n], side)
		if err != nil {
			return Mistake{}, false, err
		}
		if had := result.Value; had > left {
			return Mistake{Ply: n, Had: had, Left: left, Cell: result.Best, Plies: result.Plies}, true, nil
		}
	}
	return Mistake{}, false, nil
}

// resultFor returns the solution of the position with the value for the side,
// whoever is to move. Of a game that is over it holds the value alone.
func (s *Solver) resultFor(ctx context.Context, g engine.Game, side engine.Mark) (Result, error) {
	if g.Over() {
		switch g.Outcome().Winner() {
		case side:
			return Result{Value: Win}, nil
		case side.Other():
			return Result{Value: Loss}, nil
		default:
			return Result{Value: Draw}, nil
		}
	}
	r, err := s.Solve(ctx, g)
	if g.SideToMove() != side {
		r.Value = -r.Value
	}
	return r, err
}
