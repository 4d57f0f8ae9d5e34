package games

import (
	"context"
	"errors"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// mores are the ways on from a match that its message has no room for.
type mores struct{ *Games }

// open is the button that leads to them.
func (b mores) open(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.over(ctx, in)
	switch {
	case errors.Is(err, match.ErrNotOver):
		return b.moves.ways(in, m)
	case err != nil:
		return kit.Response{}, err
	}
	v := b.kit.View(in.Language())
	said := v.Board().More(m, in.UserID, match.Another(m, in.UserID))
	if match.BetweenGames(m) && m.Seat(in.UserID) != engine.None {
		said = v.Games().EndQuestion(in.UserID, view.Endable{Mine: m})
	}
	if in.Message.Ephemeral() || b.kit.Tracker.UpToDate(kit.MatchRef(m.ID), in.ClickedID, m.Version, m.Drawn, false) {
		return kit.Reply(said), nil
	}
	r, err := b.kit.ShowMatch(m, kit.Update) // where the bot may not edit, clicks alone do
	return b.kit.AlsoSay(in, r, said), err
}

// over returns the match that was clicked, if whoever clicked can go on from it.
func (b mores) over(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.clicked(ctx, in)
	played := m.Seat(in.UserID) != engine.None
	switch {
	case err != nil:
		return m, err
	case m.State != store.Ended:
		return m, &kit.Refusal{Reason: match.ErrNotOver, Match: m}
	case played && m.Next != 0:
		return m, &kit.Refusal{Reason: match.ErrNoRematch, Match: m}
	case !played && !view.WinnerPlays(m):
		return m, &kit.Refusal{Reason: match.ErrNotYourGame, Match: m}
	}
	return m, nil
}

// choose is one of the selects behind it: the opponent, the board, who begins, or how many games
// it is.
func (b mores) choose(_ context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	c, err := chosenFor(in, m)
	if err == nil && m.Seat(in.UserID) == engine.None {
		err = match.ErrBadOption
	}
	if err != nil {
		return kit.Response{}, err
	}
	return in.InPlace(b.kit.View(in.Language()).Board().More(m, in.UserID, c)), nil
}

// play plays what was chosen.
func (b mores) play(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	c := in.Button.Choice
	if err := match.Fits(m, c); err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Choice: c}
	}
	if match.AgainstProgram(m) {
		c = b.decided(c)
	}
	return rematches(b).another(ctx, in, m, c)
}

// challenge asks the other person of a match to play another one.
func (b rematches) challenge(ctx context.Context, in *kit.Request, m store.Match, chosen match.Choice) (kit.Response, error) {
	if !in.IsAt(m.Guild, m.Where()) {
		return kit.Response{}, match.ErrUnknownRecord // made up: no button of ours leaves its guild
	}
	c, err := match.NextChallenge(m, in.UserID, chosen)
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: m, Stale: errors.Is(err, match.ErrNoRematch)}
	}
	return b.challenges.post(ctx, in, c) // which accepts where the other one has pressed it already
}
