package page

import (
	"slices"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// Furnish makes the people and channels of a playground: enough to play in two
// languages, in a thread, in a channel that not everybody sees, in a guild where
// the bot may not post, and in direct messages. Eva moderates and manages the guild. Ada has
// the application herself, and can take it along to where its bot is not: to direct messages
// with Ben, to a group, and to another guild. What exists already is kept, so
// that it may be called again.
//
// Ada comes first; the page opens as her unless its address says otherwise.
func Furnish(srv *sandbox.Server) {
	guild := srv.Guild()
	ada := srv.User("Ada")
	ben := srv.User("Ben")
	srv.User("Chiyo", sandbox.Locale("ja"))
	srv.User("Deniz", sandbox.Locale("tr"))
	eva := srv.User("Eva", sandbox.Locale("de"), sandbox.Permissions(permission.ManageMessages|permission.ManageGuild))
	srv.User("Quizmaster", sandbox.AsBot)

	general := guild.Channel("general")
	guild.Channel("games")
	guild.Channel("rainy-day-cup", sandbox.Thread(general))
	guild.Channel("back-room", sandbox.Visible(ada, ben, eva))
	guild.Channel("read-only-for-the-app", sandbox.NoBotPosts)
	for _, u := range srv.World().Users() {
		if !u.IsBot() {
			u.DM()
		}
	}
	if slices.ContainsFunc(srv.World().Guilds(), func(g *sandbox.Guild) bool { return g.Name() == elsewhere }) {
		return
	}
	ada.Set(sandbox.Installed(true))
	srv.World().PrivateChannel(ada, ben)
	srv.World().PrivateChannel(ada, ben, eva)
	withoutBot := func(name, channel string) *sandbox.Guild {
		g := srv.World().AddGuild(name)
		g.RemoveBot()
		for _, u := range []*sandbox.User{ada, ben, eva} {
			u.Join(g)
		}
		g.Channel(channel)
		return g
	}
	withoutBot(elsewhere, "chat")
	withoutBot("Next door", "commands").InstallCommands()
}

// elsewhere is the name of the guild without the bot.
const elsewhere = "Elsewhere"
