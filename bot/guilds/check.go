package guilds

import (
	"context"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/quirks"
	"tictactoe/bot/view"
)

// check is the command, and the button of the panel, that tells who manages a guild what the bot may do in the channel,
// and how it fares. The store is asked to save something for it, as for /readyz.
func (b admins) check(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch {
	case in.GuildID == "":
		return kit.Response{}, match.ErrDirectMessage
	case !in.May(discord.PermissionManageGuild):
		return kit.Response{}, match.ErrNotManager
	}
	c := view.Check{
		May: in.AppMay, Thread: in.Parent != "", Text: in.TextChannel,
		Connected: b.Kit.Served().Has(in.GuildID.Domain()), Saves: b.Store.Check(ctx) == nil, InContainer: b.InContainer,
	}
	c.Dots, c.Captions = b.Kit.Quirks.Has(quirks.BlankLabels), b.Kit.Quirks.Has(quirks.ChangedNumbers)
	if in.CommandsOnly() {
		c.Invite = kit.InviteLink(in.Application)
	}
	c.Failed, c.Incident = b.LastIncident(in.GuildID, b.Kit.Now())
	return kit.Reply(b.Kit.View(in.Language()).Settings().Check(c)), nil
}
