package games

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
)

// choose is the lobby's button that leads to a match against the program.
func (b plays) choose(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.kit.View(in.Language()).Games().Choose(in.UsualChoice())), nil
}

// chooseLevel is the select of an opponent behind it.
func (b plays) chooseLevel(_ context.Context, in *kit.Request) (kit.Response, error) {
	return b.chosen(in, view.WithOpponent)
}

// chooseBoard is the select of a board.
func (b plays) chooseBoard(_ context.Context, in *kit.Request) (kit.Response, error) {
	return b.chosen(in, view.WithBoard)
}

func (b plays) chosen(in *kit.Request, with func(match.Choice, string) (match.Choice, bool)) (kit.Response, error) {
	if len(in.Values) != 1 {
		return kit.Response{}, match.ErrBadOption
	}
	c, ok := with(in.Button.Choice, in.Values[0])
	if !ok {
		return kit.Response{}, match.ErrBadOption
	}
	return in.InPlace(b.kit.View(in.Language()).Games().Choose(c)), nil
}
