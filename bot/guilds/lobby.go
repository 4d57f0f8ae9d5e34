package guilds

import (
	"context"
	"errors"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// lobby is the command, and the button of the panel, that posts a message to pin, for games without typing. It is the
// bot's own, in the guild's language, and not an answer to whoever asked for it. Where games are
// elsewhere it is posted there.
func (b admins) lobby(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if err := manages(in); err != nil {
		return kit.Response{}, err
	}
	need := uint64(discord.PermissionViewChannel | discord.PermissionSendMessages)
	if in.Parent != "" {
		need = discord.PermissionViewChannel | discord.PermissionSendInThreads
	}
	v, channel := b.Kit.View(in.Language()), in.Near(in.Settings.Games)
	if channel == in.ChannelID && !in.AppMay(need) {
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	}
	msg := b.Kit.View(in.GuildLanguage()).Settings().Lobby()
	msg.Nonce = in.ID // however often this is delivered
	sent, err := b.Kit.API.CreateMessage(ctx, string(channel), msg.Create())
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	case err != nil:
		return kit.Response{}, err
	}
	b.Kit.Log.Info("lobby posted", "guild", in.GuildID, "channel", channel, "by", in.UserID)
	return kit.Reply(v.Settings().LobbyPosted(discord.MessageLink(in.GuildID, channel, store.MessageID(sent.ID)))), nil
}
