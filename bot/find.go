package bot

import (
	"context"
	"slices"

	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/coach"
)

// find is the button that shows the position before a mistake as a board to press.
func (b reviews) find(ctx context.Context, in *request) (response, error) {
	f, _, err := b.mistake(ctx, in)
	if err != nil {
		return response{}, err
	}
	return b.found(in, f)
}

// try is a cell of that board.
func (b reviews) try(ctx context.Context, in *request) (response, error) {
	f, g, err := b.mistake(ctx, in)
	if err != nil {
		return response{}, err
	}
	f.Cell, f.Tries = in.button.Cell, in.button.Tries+1
	if g.At(f.Cell) != engine.None {
		return response{}, &refusal{reason: match.ErrTaken, match: f.Match, cell: f.Cell}
	}
	if f.Right = slices.Contains(f.Verdict.Better, f.Cell); f.Right {
		return b.found(in, f)
	}
	done, err := b.think.mayThink(ctx, f.Match.Rules)
	if err != nil {
		return response{}, b.stillJudging(in, f.Match, err)
	}
	defer done()
	f.Answer, f.After, f.Answered, err = coach.Refute(ctx, g, f.Cell)
	if err != nil && ctx.Err() != nil {
		err = b.stillJudging(in, f.Match, match.ErrStillJudging)
	}
	if err != nil {
		return response{}, err
	}
	return b.found(in, f)
}

func (b reviews) found(in *request, f view.Find) (response, error) {
	msg, err := b.kit.view(in.locale()).Reviews().Find(f)
	if err != nil {
		return response{}, err
	}
	return in.inPlace(msg), nil
}

// mistake returns the position before the mistake that the clicked button is about.
func (b reviews) mistake(ctx context.Context, in *request) (f view.Find, g engine.Game, err error) {
	m, verdicts, err := b.load(ctx, in)
	if err != nil {
		return f, g, err
	}
	ply := in.button.Ply
	if ply >= len(verdicts) || !verdicts[ply].Kind.Mistake() || !m.Rules.Contains(in.button.Cell) {
		return f, g, match.ErrUnknownRecord // made up
	}
	g, err = engine.Replay(m.Rules, m.Moves[:ply])
	return view.Find{Match: m, Ply: ply, Verdict: verdicts[ply]}, g, err
}
