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

// find is the button that shows the position before a mistake as a board to press.
func (b reviews) find(ctx context.Context, in *kit.Request) (kit.Response, error) {
	f, verdicts, _, err := b.mistake(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	return b.found(in, f, verdicts)
}

// try is a cell of that board. One that was tried before is no other try.
func (b reviews) try(ctx context.Context, in *kit.Request) (kit.Response, error) {
	f, verdicts, g, err := b.mistake(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	f.Cell, f.Tries = in.Button.Cell, in.Button.Tries+1
	if in.Button.Action == customid.ReviewTryNext && in.Button.Wrong != f.Cell {
		f.Tries++
	}
	after, err := g.Play(f.Cell)
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrTaken, Match: f.Match, Cell: f.Cell}
	}
	if f.Right = slices.Contains(f.Verdict.Better, f.Cell); f.Right {
		return b.found(in, f, verdicts)
	}
	answer, err := kit.Judging(ctx, b.kit.Think, f.Match.Rules, func() (coach.Move, error) { return coach.Best(ctx, after) })
	if err != nil {
		return kit.Response{}, b.stillJudging(in, f.Match, err)
	}
	f.Answer, f.After = answer.Cell, answer.Standing
	return b.found(in, f, verdicts)
}

// found shows what came of the last try: the position again, or the review, which tells all.
func (b reviews) found(in *kit.Request, f view.Find, verdicts []coach.Verdict) (kit.Response, error) {
	if f.Done() {
		return b.moment(in, in.InPlace, view.Review{Match: f.Match, Verdicts: verdicts, Ply: f.Ply + 1, Told: true, Tried: &f})
	}
	msg, err := b.kit.View(in.Language()).Reviews().Find(f)
	return in.InPlace(msg), err
}

// mistake returns the position before the mistake that the clicked button is about.
func (b reviews) mistake(ctx context.Context, in *kit.Request) (f view.Find, verdicts []coach.Verdict, g engine.Game, err error) {
	r, err := b.load(ctx, in)
	if err != nil {
		return f, nil, g, err
	}
	m, ply, verdicts := r.Match, r.Ply, r.Verdicts
	if ply >= len(verdicts) || !verdicts[ply].Kind.Mistake() || !m.Rules.Contains(in.Button.Cell) {
		return f, nil, g, match.ErrUnknownRecord // made up
	}
	g, err = engine.Replay(m.Rules, m.Moves[:ply])
	return view.Find{Match: m, Ply: ply, Verdict: verdicts[ply]}, verdicts, g, err
}
