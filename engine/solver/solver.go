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

// Options bound a [Solver]. The zero value means the defaults.
type Options struct {
	// TableBytes is how much memory the transposition table may take, rounded
	// down to a power of two. Zero and less mean 256 KiB, less than 1 KiB is
	// taken as 1 KiB and more than 1 GiB as 1 GiB. More than the default makes
	// little difference.
	TableBytes int
}

const (
	defaultTableBytes = 256 << 10
	minTableBytes     = 1 << 10
	maxTableBytes     = 1 << 30
)

// Solver solves positions one after the other. It keeps what it has found in a
// table of fixed size, which speeds up what is asked next under the same rules
// and never changes an answer. It is for one goroutine at a time; the functions
// of the package are for any number.
type Solver struct {
	search search
}

// New returns a solver.
func New(o Options) *Solver {
	bytes := o.TableBytes
	if bytes <= 0 {
		bytes = defaultTableBytes
	}
	bytes = min(max(bytes, minTableBytes), maxTableBytes)
	return &Solver{search: search{table: newTable(bytes)}}
}

// pool holds the solvers behind the functions of the package.
var pool = sync.Pool{New: func() any { return New(Options{}) }}

// borrow takes a solver from the pool; give it back with pool.Put.
func borrow() *Solver { return pool.Get().(*Solver) }

// Solve returns the value of the position, the distance to the end and a best
// move. A game that is over gets an error that wraps [ErrOver], the zero Game
// one that wraps [engine.ErrRules], and a context that has ended or ends before
// the answer is found its error; what comes with an error means nothing. Any number of
// goroutines may call it.
func Solve(ctx context.Context, g engine.Game) (Result, error) {
	s := borrow()
	defer pool.Put(s)
	return s.Solve(ctx, g)
}

// Moves returns every legal move with its value and distance, in ascending
// order of cells. Errors are those of [Solve]. Any number of goroutines may call
// it.
func Moves(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	s := borrow()
	defer pool.Put(s)
	return s.Moves(ctx, g)
}

// Keeping returns the moves that keep the value of the position, each with its
// distance, in ascending order of cells: all that win where the side to move can
// win, all that hold the draw, all moves where everything loses. It is never
// empty, and it is cheaper than [Moves]. Errors are those of [Solve]. Any number
// of goroutines may call it.
func Keeping(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	s := borrow()
	defer pool.Put(s)
	return s.Keeping(ctx, g)
}

// Solve is the package's [Solve] with this solver's table.
func (s *Solver) Solve(ctx context.Context, g engine.Game) (Result, error) {
	if err := check(ctx, g); err != nil {
		return Result{}, err
	}
	if g.Rules() == engine.Vanishing {
		return solveByMoves(ctx, g)
	}
	r := newRoot(ctx, &s.search, g).solve()
	return r, s.search.end()
}

// Moves is the package's [Moves] with this solver's table.
func (s *Solver) Moves(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	return s.moves(ctx, g, false)
}

// Keeping is the package's [Keeping] with this solver's table.
func (s *Solver) Keeping(ctx context.Context, g engine.Game) ([]MoveValue, error) {
	return s.moves(ctx, g, true)
}

func (s *Solver) moves(ctx context.Context, g engine.Game, keeping bool) ([]MoveValue, error) {
	if err := check(ctx, g); err != nil {
		return nil, err
	}
	if g.Rules() == engine.Vanishing {
		return vanishingMoves(ctx, g, keeping)
	}
	moves := newRoot(ctx, &s.search, g).moves(keeping)
	return moves, s.search.end()
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
