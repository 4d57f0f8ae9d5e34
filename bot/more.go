package bot

import (
	"context"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// more is the button that leads to the ways on from a match that its message has no room
// for.
func (b boards) more(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	switch {
	case err != nil:
		return response{}, err
	case m.Seat(in.user) == engine.None && (m.Private() || m.Guild == "" || m.Guild != in.guild):
		return response{}, match.ErrUnknownRecord // made up: no button of ours leaves its guild
	case m.State != store.Ended:
		return response{}, &refusal{reason: match.ErrNotOver, match: m}
	}
	leaderboard := in.guild != "" && in.settings.Leaderboard.Or(true)
	return reply(b.kit.view(in.locale()).Board().More(m, in.user, leaderboard)), nil
}
