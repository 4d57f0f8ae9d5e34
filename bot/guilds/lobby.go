package guilds

import (
	"context"
	"errors"

	"tictactoe/bot/change"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// lobby is the command, and the button of the panel, that posts a message to pin, for games
// without typing. It is the bot's own, in the guild's language, and not an answer to whoever
// asked for it. Where games are elsewhere it is posted there.
func (b admins) lobby(ctx context.Context, in *kit.Request) (kit.Response, error) {
	need := in.ToSend() | discord.PermissionViewChannel
	v, channel := b.Kit.View(in.Language()), in.Near(in.Settings.Games)
	if channel == in.ChannelID && !in.AppMay(need) {
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	}
	l := store.Lobby{Channel: channel, Guild: in.GuildID, Locale: in.GuildLocale, Drawn: b.Kit.Now()}
	msg, shows, err := b.lobbyOf(ctx, l, true)
	if err != nil {
		return kit.Response{}, err
	}
	l.Shows, msg.Nonce = shows, in.ID // however often this is delivered
	l.Message, err = b.Kit.Post(ctx, channel, msg)
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	case rest.Gone(err) && channel == in.Settings.Games:
		b.Change.EndPosts(ctx, in.GuildID, change.NoGamesIn(channel))
		in.Settings.Games = ""
		return b.lobby(ctx, in)
	case err != nil:
		return kit.Response{}, err
	}
	if err := b.Store.SetLobby(ctx, store.Lobby{}, l); err != nil {
		b.Kit.Log.Warn("a lobby stays as it was posted", "channel", channel, "error", err)
	}
	b.Kit.Log.Info("lobby posted", "guild", in.GuildID, "channel", channel, "by", in.UserID)
	return kit.Reply(v.Settings().LobbyPosted(discord.MessageLink(in.GuildID, channel, l.Message))), nil
}
