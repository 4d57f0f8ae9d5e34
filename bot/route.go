package bot

import (
	"context"

	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
)

// newRoutes joins the routes of all rooms.
func newRoutes(b *Bot) (kit.Routes, error) {
	return dispatch.Join(append(b.games.Routes(), b.puzzles.Routes(), b.people.Routes(), b.guilds.Routes(), kit.Routes{
		kit.Command("help"): {Handle: b.help},
	})...)
}

// help says how to begin, and where to ask.
func (b *Bot) help(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.kit.ViewFor(in).Help(!in.AloneWithBot(), in.MemberOf() != "" && in.Settings.Leaderboard.Or(true), b.opts.SupportURL)), nil
}
