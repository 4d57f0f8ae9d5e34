package puzzle

import (
	"context"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// Verdict is what a move in a puzzle came to.
type Verdict uint8

// The verdicts.
const (
	GoesOn Verdict = iota + 1 // right, and the other side has answered
	Solved
	Wrong
)

// Step is what became of a move.
type Step struct {
	Verdict Verdict
	// Moves are all since the start, with this one and the answer to it, if there is one:
	// the best defence, or the refutation of a wrong move.
	Moves []engine.Cell
	// Reply is the answer, where there is one.
	Reply engine.Cell
	// Left is what a wrong move has left to the side, under best play by both. It is
	// [solver.Win] where the win comes later than asked.
	Left solver.Value
}

// Play judges a move of the side after right moves and their answers since the start.
//
// In a puzzle that is to be won a move is wrong if the side cannot win any more in as many
// moves as were asked, be it later. In one that is to be held a move is wrong if the other
// side wins from then on; it is solved when no line is left that the other side could
// complete.
//
// A move that is not legal gets the error of [engine.Game.Play], a context that ends its
// own.
func (p Puzzle) Play(ctx context.Context, moves []engine.Cell, c engine.Cell) (Step, error) {
	g, err := p.Start.After(moves)
	if err != nil {
		return Step{}, err
	}
	if g, err = g.Play(c); err != nil {
		return Step{}, err
	}
	step := Step{Verdict: GoesOn, Moves: append(slices.Clip(moves), c)}
	switch {
	case g.Outcome().Winner() == p.Side(), p.held(g):
		step.Verdict = Solved
		return step, nil
	case g.Over(): // drawn, where a win was asked
		step.Verdict = Wrong
		return step, nil
	}
	result, err := solver.Solve(ctx, g)
	if err != nil {
		return Step{}, err
	}
	step.Left, step.Reply = -result.Value, result.Best
	late := p.Goal.Moves > 0 && len(step.Moves)+result.Plies > p.Goal.plies()
	if step.Left < p.Goal.Value || late {
		step.Verdict = Wrong
	} else if p.Goal.Value == solver.Draw {
		if step.Reply, err = hardest(ctx, g); err != nil {
			return Step{}, err
		}
	}
	step.Moves = append(step.Moves, step.Reply)
	if g, err = g.Play(step.Reply); err == nil && step.Verdict == GoesOn && p.held(g) {
		step.Verdict = Solved
	}
	return step, err
}

// held reports whether a draw that was to be held cannot be lost any more.
func (p Puzzle) held(g engine.Game) bool {
	return p.Goal.Value == solver.Draw && (g.Outcome() == engine.Drawn || !g.Over() && !openLines(g, p.Side().Other()))
}

// hardest returns the move of the side to move, which cannot win, after which the fewest
// moves of the other hold the draw; the first of them in the order of cells.
func hardest(ctx context.Context, g engine.Game) (best engine.Cell, err error) {
	keeping, err := solver.Keeping(ctx, g)
	if err != nil {
		return 0, err
	}
	fewest := engine.MaxCells + 1
	for _, m := range keeping {
		next, err := g.Play(m.Cell)
		if err != nil {
			return 0, err
		}
		holding := engine.MaxCells // where the game ends, or the other side wins
		if !next.Over() {
			answers, err := solver.Keeping(ctx, next)
			if err != nil {
				return 0, err
			}
			if answers[0].Value == solver.Draw {
				holding = len(answers)
			}
		}
		if holding < fewest {
			best, fewest = m.Cell, holding
		}
	}
	return best, nil
}

// Line returns moves that solve the puzzle, with the best defence to each.
func (p Puzzle) Line(ctx context.Context) ([]engine.Cell, error) {
	step := Step{}
	for c := p.Solution; ; {
		var err error
		if step, err = p.Play(ctx, step.Moves, c); err != nil || step.Verdict != GoesOn {
			return step.Moves, err
		}
		g, err := p.Start.After(step.Moves)
		if err != nil {
			return nil, err
		}
		best, err := solver.Solve(ctx, g)
		if err != nil {
			return nil, err
		}
		c = best.Best
	}
}
