package bot

import (
	"context"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// tellStop posts that a moderator has stopped something, where the guild wants to be told
// so. It notifies nobody, and a process that ends before it leaves the log alone. Where the
// bot may not post it is turned off, and the settings say why.
func (b resignations) tellStop(in *request, msg discord.Message) func(context.Context) {
	channel, guild := in.settings.Stops.Channel, in.guild
	if channel == "" {
		return nil
	}
	msg.Nonce = in.ID
	return func(ctx context.Context) {
		_, err := b.api.CreateMessage(ctx, string(channel), msg.Create())
		why := store.ChannelGone
		switch {
		case err == nil:
			return
		case rest.Forbidden(err):
			why = store.ChannelNotPermitted
		case !rest.Gone(err):
			b.log.Warn("nobody was told of a stop", "guild", guild, "error", err)
			return
		}
		b.endPosts(ctx, guild, func(now *store.GuildSettings) (set bool) {
			if set = now.Stops.Channel == channel; set {
				now.Stops = store.StopPosts{Fault: why}
			}
			return set
		})
	}
}
