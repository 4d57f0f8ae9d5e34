package engine

import (
	"fmt"
	"iter"
)

// Game is a position under rules. It is comparable and immutable; copies are
// independent. The zero Game has no rules: nothing can be played in it. Make one
// with [New], [Replay] or [Parse].
//
// Under [Vanishing] it also holds the moves that led to it, since they decide when a
// repetition ends the game. So == tells games apart that reached one position in
// different ways; compare what [Game.Position] returns to leave that aside.
type Game struct {
	rules Rules
	x, o  Bitboard
	past  past
}

// New returns the empty position under the rules, or an error that wraps
// [ErrRules].
func New(r Rules) (Game, error) {
	if err := r.Validate(); err != nil {
		return Game{}, err
	}
	return Game{rules: r}, nil
}

// Replay returns the position after the moves, played in order from the empty
// board. The first one that is not legal gets the error of [Game.Play] with its
// ply.
func Replay(r Rules, moves []Cell) (Game, error) {
	g, err := New(r)
	if err != nil {
		return Game{}, err
	}
	return g.After(moves)
}

// After is [Replay] from the position on.
func (g Game) After(moves []Cell) (Game, error) {
	for _, c := range moves {
		next, err := g.Play(c)
		if err != nil {
			return Game{}, fmt.Errorf("ply %d: %w", g.Ply(), err)
		}
		g = next
	}
	return g, nil
}

// Rules returns the rules.
func (g Game) Rules() Rules { return g.rules }

// Ply returns the number of moves played.
func (g Game) Ply() int {
	if g.rules.Limit != 0 {
		return int(g.past.plies)
	}
	return (g.x | g.o).Count()
}

// SideToMove returns the mark whose turn it is: X on even plies, O on odd ones.
// After the end it is the mark that would have come next.
func (g Game) SideToMove() Mark {
	if g.Ply()%2 == 0 {
		return X
	}
	return O
}

// Marks returns the cells that hold the mark; for None, the empty cells.
func (g Game) Marks(m Mark) Bitboard {
	switch m {
	case X:
		return g.x
	case O:
		return g.o
	default:
		return g.rules.Board() &^ (g.x | g.o)
	}
}

// At returns the mark in the cell, None where it is empty or off the board.
func (g Game) At(c Cell) Mark {
	bit := g.rules.Bit(c)
	switch {
	case g.x&bit != 0:
		return X
	case g.o&bit != 0:
		return O
	default:
		return None
	}
}

// Play returns the position after the side to move has marked the cell. A move
// that is not legal gets an error that wraps [ErrOffBoard], [ErrGameOver] or
// [ErrOccupied], tested in that order, and the zero Game; g itself never
// changes.
func (g Game) Play(c Cell) (Game, error) {
	if !g.rules.Contains(c) {
		return Game{}, fmt.Errorf("%w: cell %d on %v", ErrOffBoard, c, g.rules)
	}
	if g.Over() {
		return Game{}, ErrGameOver
	}
	bit := g.rules.Bit(c)
	if (g.x|g.o)&bit != 0 {
		return Game{}, fmt.Errorf("%w: %s", ErrOccupied, g.rules.CellName(c))
	}
	return g.with(c), nil
}

// with marks the empty cell for the side to move.
func (g Game) with(c Cell) Game {
	side := g.mover()
	*side |= g.rules.Bit(c)
	if g.rules.Limit != 0 {
		g.advance(c, side)
	}
	return g
}

// mover returns the marks of the side to move.
func (g *Game) mover() *Bitboard {
	if g.SideToMove() == X {
		return &g.x
	}
	return &g.o
}

// Moves yields the legal moves in ascending order, none after the end.
func (g Game) Moves() iter.Seq[Cell] {
	if g.Over() {
		return func(func(Cell) bool) {}
	}
	return g.rules.CellsOf(g.Marks(None))
}

// Children yields every legal move with the position it leads to.
func (g Game) Children() iter.Seq2[Cell, Game] {
	return func(yield func(Cell, Game) bool) {
		for c := range g.Moves() {
			if !yield(c, g.with(c)) {
				return
			}
		}
	}
}
