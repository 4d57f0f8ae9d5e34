package games

import (
	"context"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// tellStop posts that a moderator has stopped something, where the guild wants to be told
// so. It notifies nobody, and a process that ends before it leaves the log alone. Where the
// bot may not post it is turned off, and the settings say why.
// People are called by name: where nobody is notified, a client shows a mention of somebody
// whom it does not know as "@unknown-user".
func (b resignations) tellStop(in *kit.Request, say func(view.View) discord.Message, people ...store.UserID) func(context.Context) {
	channel, guild, nonce, v := in.Settings.Stops.Channel, in.GuildID, in.ID, b.kit.View(in.GuildLanguage())
	if channel == "" {
		return nil
	}
	return func(ctx context.Context) {
		v.Names = b.kit.NamesIn(ctx, guild, people...)
		msg := say(v)
		msg.Nonce = nonce
		_, err := b.kit.Post(ctx, channel, msg)
		why := store.ChannelGone
		switch {
		case err == nil:
			return
		case rest.Forbidden(err):
			why = store.ChannelNotPermitted
		case !rest.Gone(err):
			b.kit.Log.Warn("nobody was told of a stop", "guild", guild, "error", err)
			return
		}
		b.change.EndPosts(ctx, guild, func(now *store.GuildSettings) (set bool) {
			if set = now.Stops.Channel == channel; set {
				now.Stops = store.StopPosts{Fault: why}
			}
			return set
		})
	}
}
