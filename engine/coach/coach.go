// Package coach says what the moves of a game were worth. It knows no opinions: each
// verdict follows from the exact values of package solver, so it is never wrong. It
// chooses no words.
//
// [Judge] takes as long as [solver.Keeping] and at worst a little more: below a
// millisecond on most boards, some 50 ms for hard positions of the 5,5,4-game. All
// functions may be called by any number of goroutines.
package coach

import (
	"cmp"
	"context"
	"slices"

	"tictactoe/engine"
	"tictactoe/engine/solver"
)

// Kind says what a move did to what its side had.
type Kind uint8

// The kinds of verdicts. What a side has is never more after its move than before.
const (
	KeptWin    Kind = iota + 1 // won before and after
	KeptDraw                   // drawn before and after
	GaveWin                    // won before, and drawn or lost after
	GaveDraw                   // drawn before and lost after
	Resisted                   // lost before, and no move lasts longer
	LostSooner                 // lost before, and another move lasts longer
)

// Mistake reports whether the move gave away a win or a draw.
func (k Kind) Mistake() bool { return k == GaveWin || k == GaveDraw }

// Standing is how a position ends under best play by both.
type Standing struct {
	Winner engine.Mark // None for a draw
	// Plies is the number of single moves to the win, 0 once it is on the board. It says
	// nothing of a draw.
	Plies int
}

// Verdict is what one move was worth.
type Verdict struct {
	Kind   Kind
	Before Standing // of the position in which the move was chosen
	After  Standing // of the position that it led to
	// Better are the moves that would have been better, the best ones first: those that
	// keep what was given away, or that win sooner or resist longer. It is empty where no
	// move is.
	Better []engine.Cell
}

// Judge says what the move was worth in the position. A move that cannot be played gets
// the error of [engine.Game.Play], and a context that ends before the answer is found
// gives its error.
func Judge(ctx context.Context, g engine.Game, c engine.Cell) (Verdict, error) {
	after, err := g.Play(c)
	if err != nil {
		return Verdict{}, err
	}
	keeping, err := solver.Keeping(ctx, g)
	if err != nil {
		return Verdict{}, err
	}
	side, had := g.SideToMove(), keeping[0].Value
	slices.SortStableFunc(keeping, func(a, b solver.MoveValue) int {
		if had == solver.Win {
			return cmp.Compare(a.Plies, b.Plies)
		}
		return cmp.Compare(b.Plies, a.Plies) // alike where all are draws
	})
	best := keeping[0]
	v := Verdict{Before: standing(had, best.Plies, side)}
	i := slices.IndexFunc(keeping, func(m solver.MoveValue) bool { return m.Cell == c })
	if i < 0 {
		v.Kind, v.Better = GaveDraw, cells(keeping)
		if had == solver.Win {
			v.Kind = GaveWin
		}
		left, err := Best(ctx, after)
		v.After = left.Standing
		return v, err
	}
	v.After = standing(had, keeping[i].Plies-1, side)
	switch had {
	case solver.Win:
		v.Kind = KeptWin
	case solver.Draw:
		v.Kind = KeptDraw
	default:
		v.Kind = Resisted
		if keeping[i].Plies < best.Plies {
			v.Kind = LostSooner
		}
	}
	if had != solver.Draw {
		v.Better = cells(slices.DeleteFunc(keeping[:i:i], func(m solver.MoveValue) bool { return m.Plies != best.Plies || m.Plies == keeping[i].Plies }))
	}
	return v, nil
}

// Move is a move, and how the position in which it is made ends.
type Move struct {
	Cell     engine.Cell
	Standing Standing
}

// Best returns a move that keeps everything that its side has: one that wins soonest, or
// resists longest. Errors are those of [solver.Solve]. A game that is over has no move, and
// stands as it ended.
func Best(ctx context.Context, g engine.Game) (Move, error) {
	if g.Over() {
		return Move{Standing: Standing{Winner: g.Outcome().Winner()}}, nil
	}
	r, err := solver.Solve(ctx, g)
	if err != nil {
		return Move{}, err
	}
	return Move{Cell: r.Best, Standing: standing(r.Value, r.Plies, g.SideToMove())}, nil
}

// standing is what a value for the side means.
func standing(v solver.Value, plies int, side engine.Mark) Standing {
	switch v {
	case solver.Win:
		return Standing{Winner: side, Plies: plies}
	case solver.Loss:
		return Standing{Winner: side.Other(), Plies: plies}
	default:
		return Standing{}
	}
}

func cells(moves []solver.MoveValue) []engine.Cell {
	var all []engine.Cell
	for _, m := range moves {
		all = append(all, m.Cell)
	}
	return all
}

// Game judges the moves of a game, one after the other. known are the verdicts on its
// first moves, which are not asked for again. Where an error ends it, what has been judged
// until then is returned with it: moves that are not legal get that of
// [engine.Replay], and a context that has ended or ends meanwhile gives its own.
func Game(ctx context.Context, r engine.Rules, moves []engine.Cell, known []Verdict) ([]Verdict, error) {
	g, err := engine.Replay(r, moves[:min(len(known), len(moves))])
	if err != nil {
		return nil, err
	}
	verdicts := slices.Clip(known)
	for n := len(known); n < len(moves); n++ {
		v, err := Judge(ctx, g, moves[n])
		if err != nil {
			return verdicts, err
		}
		verdicts = append(verdicts, v)
		if g, err = g.Play(moves[n]); err != nil {
			return verdicts, err
		}
	}
	return verdicts, nil
}

// Mistakes returns which moves of a game gave away a win or a draw, counted from 0.
func Mistakes(verdicts []Verdict) (plies []int) {
	for n, v := range verdicts {
		if v.Kind.Mistake() {
			plies = append(plies, n)
		}
	}
	return plies
}
