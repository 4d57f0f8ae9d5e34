package puzzle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// FewestWrong is how many first moves of a puzzle are wrong at least.
const FewestWrong = 5

// Puzzle is the puzzle of a day.
type Puzzle struct {
	// Day is the day since 1970, in UTC.
	Day   int64
	Start engine.Game
	Goal  Goal
	// Solution is the only first move that reaches the goal.
	Solution engine.Cell
	Idea     Idea
}

// Number is the number of the day's puzzle: the first is that of Monday, 5 January 2026.
func Number(day int64) int64 { return day - firstDay + 1 }

// firstDay is the day of the first puzzle.
const firstDay = 20458

// Side is the side to move, whose part somebody plays.
func (p Puzzle) Side() engine.Mark { return p.Start.SideToMove() }

// ErrNone: no puzzle was found for the day. A test keeps this from happening in the years
// that it looks at; for others the extra seeds in seeds.go can be continued.
var ErrNone = errors.New("puzzle: none found")

// candidates bounds the search of a day. It takes some 1,000 on most.
const candidates = 1_000_000

// Of returns the puzzle of the day, counted from 1970 in UTC; days before that are
// negative. The same day has the same puzzle everywhere and always. It fails with the
// error of a context that ends, and with [ErrNone].
func Of(ctx context.Context, day int64) (Puzzle, error) {
	asked, number := on(day)
	class, dice := floorMod(number, weeks), newDice(day, seeds[day])
	for range candidates {
		g, ok := draw(asked, &dice)
		if !ok || classOf(g) != class {
			continue
		}
		p, ok, err := judge(ctx, g, asked.goal)
		if err != nil {
			return Puzzle{}, err
		}
		if ok {
			p.Day = day
			return p, nil
		}
	}
	return Puzzle{}, fmt.Errorf("%w: day %d", ErrNone, day)
}

// judge makes a puzzle of the position if exactly one move reaches the goal, no other
// keeps the value even later, and the right one is not plain to see: the side neither can
// win at once nor must stop the other from doing so.
func judge(ctx context.Context, g engine.Game, goal Goal) (p Puzzle, ok bool, err error) {
	side := g.SideToMove()
	if g.Marks(engine.None).Count() <= FewestWrong {
		return Puzzle{}, false, nil
	}
	if g.Threats(side)|g.Threats(side.Other()) != 0 {
		return Puzzle{}, false, nil
	}
	result, err := solver.Solve(ctx, g)
	if err != nil || result.Value != goal.Value || goal.Moves > 0 && result.Plies != goal.plies() {
		return Puzzle{}, false, err
	}
	keeping, err := solver.Keeping(ctx, g)
	if err != nil || len(keeping) != 1 {
		return Puzzle{}, false, err
	}
	p = Puzzle{Start: g, Goal: goal, Solution: keeping[0].Cell}
	p.Idea = ideaOf(p)
	return p, true, nil
}

// openLines reports whether the side could still complete a line if the other did not
// move any more.
func openLines(g engine.Game, side engine.Mark) bool {
	other := g.Marks(side.Other())
	return slices.ContainsFunc(g.Rules().Lines(), func(line engine.Bitboard) bool { return line&other == 0 })
}
