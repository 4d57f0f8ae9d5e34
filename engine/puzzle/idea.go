package puzzle

import (
	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// Idea is why the solution of a puzzle works.
type Idea uint8

// The ideas.
const (
	// Fork: the move makes two threats at once, and only one can be stopped.
	Fork Idea = iota + 1
	// ForkAhead: the move threatens to complete a line, and after the forced answer the
	// next one makes two threats at once.
	ForkAhead
	// QuietMove: the move threatens nothing yet, and no answer stops what it prepares.
	QuietMove
	// Counter: the move holds by a threat that has to be answered.
	Counter
	// TakesKey: the move holds by taking a cell that the other side needs for two threats
	// at once.
	TakesKey
	// Holds: the move is the only one after which no plan of the other side works.
	Holds
)

// ideaOf returns the idea of the solution.
func ideaOf(p Puzzle) Idea {
	side := p.Side()
	next, _ := p.Start.Play(p.Solution) // the solution is a legal move
	threats := next.Threats(side).Count()
	switch {
	case p.Goal.Value == solver.Win && threats > 1:
		return Fork
	case p.Goal.Value == solver.Win && threats == 1:
		return ForkAhead
	case p.Goal.Value == solver.Win:
		return QuietMove
	case threats > 0:
		return Counter
	case forksAt(p.Start, side.Other(), p.Solution):
		return TakesKey
	default:
		return Holds
	}
}

// forksAt reports whether the side would make two threats at once by a mark in the empty
// cell, if it were to move.
func forksAt(g engine.Game, side engine.Mark, c engine.Cell) bool {
	bit := g.Rules().Bit(c)
	return g.Rules().Completing(g.Marks(side)|bit, g.Marks(engine.None)&^bit).Count() > 1
}
