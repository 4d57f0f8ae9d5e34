package bot

import (
	"context"
	"errors"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
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
	v := b.kit.View(in.Language())
	if !in.AppMay(need) {
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	}
	msg := b.kit.View(in.GuildLanguage()).Settings().Lobby()
	msg.Nonce = in.ID // however often this is delivered
	sent, err := b.kit.API.CreateMessage(ctx, string(in.ChannelID), msg.Create())
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	case err != nil:
		return kit.Response{}, err
	}
	b.kit.Log.Info("lobby posted", "guild", in.GuildID, "channel", in.ChannelID, "by", in.UserID)
	return kit.Reply(v.Settings().LobbyPosted(discord.MessageLink(in.GuildID, in.ChannelID, store.MessageID(sent.ID)))), nil
}

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
