package games

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// more is the button that leads to the ways on from a match that its message has no room
// for.
func (b boards) more(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.change.LoadMatch(ctx, in.Button.Match)
	switch {
	case err != nil:
		return kit.Response{}, err
	case m.Seat(in.UserID) == engine.None && (m.Private() || m.Guild == "" || m.Guild != in.GuildID):
		return kit.Response{}, match.ErrUnknownRecord // made up: no button of ours leaves its guild
	case m.State != store.Ended:
		return kit.Response{}, &kit.Refusal{Reason: match.ErrNotOver, Match: m}
	}
	leaderboard := in.GuildID != "" && in.Settings.Leaderboard.Or(true)
	return kit.Reply(b.kit.View(in.Language()).Board().More(m, in.UserID, leaderboard)), nil
}
