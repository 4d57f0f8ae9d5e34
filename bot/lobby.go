package bot

import (
	"context"
	"errors"

	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// lobby is the command that posts a message to pin, for games without typing. It is the
// bot's own, in the guild's language, and not an answer to whoever asked for it.
func (b admins) lobby(ctx context.Context, in *request) (response, error) {
	switch {
	case in.guild == "":
		return response{}, match.ErrDirectMessage
	case !in.May(discord.PermissionManageGuild):
		return response{}, match.ErrNotManager
	case in.CommandsOnly():
		return response{}, match.ErrAbsent
	}
	need := uint64(discord.PermissionViewChannel | discord.PermissionSendMessages)
	if in.Parent != "" {
		need = discord.PermissionViewChannel | discord.PermissionSendInThreads
	}
	v := b.kit.view(in.locale())
	if !in.AppMay(need) {
		return reply(v.Settings().LobbyRefused(lacking(in, need))), nil
	}
	msg := b.kit.view(in.guildLocale()).Settings().Lobby()
	msg.Nonce = in.ID // however often this is delivered
	sent, err := b.kit.api.CreateMessage(ctx, string(in.channel), msg.Create())
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return reply(v.Settings().LobbyRefused(lacking(in, need))), nil
	case err != nil:
		return response{}, err
	}
	b.kit.log.Info("lobby posted", "guild", in.guild, "channel", in.channel, "by", in.user)
	return reply(v.Settings().LobbyPosted(discord.MessageLink(in.guild, in.channel, store.MessageID(sent.ID)))), nil
}

// choose is the lobby's button that leads to a match against the program.
func (b plays) choose(_ context.Context, in *request) (response, error) {
	return reply(b.kit.view(in.locale()).Games().Choose(in.usualChoice())), nil
}

// chooseLevel is the select of an opponent behind it.
func (b plays) chooseLevel(_ context.Context, in *request) (response, error) {
	return b.chosen(in, view.WithOpponent)
}

// chooseBoard is the select of a board.
func (b plays) chooseBoard(_ context.Context, in *request) (response, error) {
	return b.chosen(in, view.WithBoard)
}

func (b plays) chosen(in *request, with func(match.Choice, string) (match.Choice, bool)) (response, error) {
	if len(in.Values) != 1 {
		return response{}, match.ErrBadOption
	}
	c, ok := with(in.button.Choice, in.Values[0])
	if !ok {
		return response{}, match.ErrBadOption
	}
	return in.inPlace(b.kit.view(in.locale()).Games().Choose(c)), nil
}
