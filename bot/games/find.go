package games

import (
	"context"
	"slices"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/coach"
)

// find is the button that shows the position before a mistake as a board to press.
func (b reviews) find(ctx context.Context, in *kit.Request) (kit.Response, error) {
	f, _, err := b.mistake(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	return b.found(in, f)
}

// try is a cell of that board.
func (b reviews) try(ctx context.Context, in *kit.Request) (kit.Response, error) {
	f, g, err := b.mistake(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	f.Cell, f.Tries = in.Button.Cell, in.Button.Tries+1
	if g.At(f.Cell) != engine.None {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrTaken, Match: f.Match, Cell: f.Cell}
	}
	if f.Right = slices.Contains(f.Verdict.Better, f.Cell); f.Right {
		return b.found(in, f)
	}
	done, err := b.think.MayThink(ctx, f.Match.Rules)
	if err != nil {
		return kit.Response{}, b.stillJudging(in, f.Match, err)
	}
	defer done()
	f.Answer, f.After, f.Answered, err = coach.Refute(ctx, g, f.Cell)
	if err != nil && ctx.Err() != nil {
		err = b.stillJudging(in, f.Match, match.ErrStillJudging)
	}
	if err != nil {
		return kit.Response{}, err
	}
	return b.found(in, f)
}

func (b reviews) found(in *kit.Request, f view.Find) (kit.Response, error) {
	msg, err := b.kit.View(in.Language()).Reviews().Find(f)
	if err != nil {
		return kit.Response{}, err
	}
	return in.InPlace(msg), nil
}

// mistake returns the position before the mistake that the clicked button is about.
func (b reviews) mistake(ctx context.Context, in *kit.Request) (f view.Find, g engine.Game, err error) {
	m, verdicts, err := b.load(ctx, in)
	if err != nil {
		return f, g, err
	}
	ply := in.Button.Ply
	if ply >= len(verdicts) || !verdicts[ply].Kind.Mistake() || !m.Rules.Contains(in.Button.Cell) {
		return f, g, match.ErrUnknownRecord // made up
	}
	g, err = engine.Replay(m.Rules, m.Moves[:ply])
	return view.Find{Match: m, Ply: ply, Verdict: verdicts[ply]}, g, err
}
