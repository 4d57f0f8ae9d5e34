package solver

import (
	"context"
	"fmt"
	"sync"

	"tictactoe/engine"
)

// Value is what a position or a move is worth to the side named by the context
// under best play by both.
type Value int8

// The values.
const (
	Loss Value = -1
	Draw Value = 0
	Win  Value = 1
)

// String returns "loss", "draw" or "win".
func (v Value) String() string {
	switch v {
	case Loss:
		return "loss"
	case Draw:
		return "draw"
	case Win:
		return "win"
	default:
		return "unknown value"
	}
}

// Result is the solution of a position.
type Result struct {
	// Value is the value for the side to move.
	Value Value
	// Plies is the number of single moves to the end when the winner goes for
	// the fastest win and the loser for the longest resistance. For a draw it is
	// the most moves that the game can still have: the number of empty cells, or
	// under [engine.Vanishing] what is left of [engine.MaxPlies].
	Plies int
	// Best is a move that keeps Value and Plies.
	Best engine.Cell
}

// MoveValue is a legal move and what it is worth.
type MoveValue struct {
	Cell engine.Cell
	// Value is the value of the position after the move for the side that plays
	// it.
	Value Value
	// Plies is the number of single moves to the end, this one included: 1 for a
	// move that wins at once. It counts as [Result.Plies] does.
	Plies int
}

// tableBytes is how much memory the table of a search takes. More makes little difference.
const tableBytes = 256 << 10

// pool holds searches with what they have found, which speeds up what is asked next under the
// same rules and never changes an answer.
var pool = sync.Pool{New: func() any { return &search{table: newTable(tableBytes)} }}

// Solve returns the value of the position, the distance to the end and a best
// move. A game that is over gets an error that wraps [ErrOver], the zero Game
// one that wraps [engine.ErrRules], and a context that has ended or ends before
// the answer is found its error; what comes with an error means nothing. Any number of
// goroutines may call it.
func Solve(ctx context.Context, g engine.Game) (Result, error) {
	if err := check(ctx, g); err != nil {
		return Result{}, err
	}
	if g.Rules() == engine.Vanishing {
		return solveByMoves(ctx, g)
	}
	s := pool.Get().(*search)
	defer pool.Put(s)
	r := newRoot(ctx, s, g).solve()
	return r, s.end()
}

// Moves returns every legal move with its value and distance, in ascending
// order of cells. Errors are those of [Solve]. Any number of goroutines may call
// it.
func Moves(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	return moves(ctx, g, false)
}

// Keeping returns the moves that keep the value of the position, each with its
// distance, in ascending order of cells: all that win where the side to move can
// win, all that hold the draw, all moves where everything loses. It is never
// empty, and it is cheaper than [Moves]. Errors are those of [Solve]. Any number
// of goroutines may call it.
func Keeping(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	return moves(ctx, g, true)
}

func moves(ctx context.Context, g engine.Game, keeping bool) ([]MoveValue, error) {
	if err := check(ctx, g); err != nil {
		return nil, err
	}
	if g.Rules() == engine.Vanishing {
		return vanishingMoves(ctx, g, keeping)
	}
	s := pool.Get().(*search)
	defer pool.Put(s)
	all := newRoot(ctx, s, g).moves(keeping)
	return all, s.end()
}

// check returns why there is nothing to solve.
func check(ctx context.Context, g engine.Game) error {
	if err := g.Rules().Validate(); err != nil {
		return err
	}
	if g.Over() {
		return fmt.Errorf("%w: %v", ErrOver, g)
	}
	return ctx.Err()
}
