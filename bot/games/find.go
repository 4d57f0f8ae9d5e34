package games

import (
	"context"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/coach"
)

// try is a cell of the board that [reviews.find] shows. One that was tried before is no other try.
func (b reviews) try(ctx context.Context, in *kit.Request, f view.Find) (kit.Response, error) {
	f.Cell, f.Tries = in.Button.Cell, in.Button.Tries+1
	if in.Button.Action == customid.ReviewTryNext && in.Button.Wrong != f.Cell {
		f.Tries++
	}
	after, err := engine.Replay(f.Match.Rules, append(slices.Clip(f.Match.Moves[:f.Ply]), f.Cell))
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrTaken, Match: f.Match, Cell: f.Cell}
	}
	if f.Right = slices.Contains(f.Verdict().Better, f.Cell); !f.Right {
		answer, err := kit.Judging(ctx, b.kit.Think, f.Match.Rules, func() (coach.Move, error) { return coach.Best(ctx, after) })
		if err != nil {
			return kit.Response{}, b.stillJudging(in, f.Match, err)
		}
		f.Answer, f.After = answer.Cell, answer.Standing
	}
	return b.find(ctx, in, f)
}

// find shows the position before a mistake as a board to press, with what came of the last try, or
// behind that the review, which tells all.
func (b reviews) find(_ context.Context, in *kit.Request, f view.Find) (kit.Response, error) {
	if f.Done() {
		return b.moment(in, in.InPlace, view.Review{Match: f.Match, Verdicts: f.Verdicts, Ply: f.Ply + 1, Told: true, Tried: &f})
	}
	msg, err := b.kit.View(in.Language()).Reviews().Find(f)
	return in.InPlace(msg), err
}

// mistake returns the position before the mistake that the clicked button is about.
func (b reviews) mistake(ctx context.Context, in *kit.Request) (view.Find, error) {
	r, err := b.load(ctx, in)
	if err == nil && (r.Ply >= len(r.Verdicts) || !r.Verdicts[r.Ply].Kind.Mistake() || !r.Match.Rules.Contains(in.Button.Cell)) {
		err = match.ErrUnknownRecord // made up
	}
	return view.Find{Match: r.Match, Ply: r.Ply, Verdicts: r.Verdicts}, err
}
