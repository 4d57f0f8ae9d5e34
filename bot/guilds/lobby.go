package guilds

import (
	"context"
	"errors"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// lobby is the command that posts a message to pin, for games without typing. It is the
// bot's own, in the guild's language, and not an answer to whoever asked for it.
func (b admins) lobby(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch {
	case in.GuildID == "":
		return kit.Response{}, match.ErrDirectMessage
	case !in.May(discord.PermissionManageGuild):
		return kit.Response{}, match.ErrNotManager
	case in.CommandsOnly():
		return kit.Response{}, match.ErrAbsent
	}
	need := uint64(discord.PermissionViewChannel | discord.PermissionSendMessages)
	if in.Parent != "" {
		need = discord.PermissionViewChannel | discord.PermissionSendInThreads
	}
	v := b.Kit.View(in.Language())
	if !in.AppMay(need) {
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	}
	msg := b.Kit.View(in.GuildLanguage()).Settings().Lobby()
	msg.Nonce = in.ID // however often this is delivered
	sent, err := b.Kit.API.CreateMessage(ctx, string(in.ChannelID), msg.Create())
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	case err != nil:
		return kit.Response{}, err
	}
	b.Kit.Log.Info("lobby posted", "guild", in.GuildID, "channel", in.ChannelID, "by", in.UserID)
	return kit.Reply(v.Settings().LobbyPosted(discord.MessageLink(in.GuildID, in.ChannelID, store.MessageID(sent.ID)))), nil
}
