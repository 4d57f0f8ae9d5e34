package page

import (
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// Furnish makes the people and channels of a playground: enough to play in two
// languages, in a thread, in a channel that not everybody sees, in a guild where
// the bot may not post, and in direct messages. Eva moderates and manages the guild. What exists already is kept, so
// that it may be called again.
//
// Ada comes first; the page opens as her unless its address says otherwise.
func Furnish(srv *sandbox.Server) {
	guild := srv.Guild()
	ada := srv.User("Ada")
	ben := srv.User("Ben")
	srv.User("Chiyo", sandbox.Locale("ja"))
	srv.User("Deniz", sandbox.Locale("tr"))
	eva := srv.User("Eva", sandbox.Locale("de"), sandbox.Permissions(sandbox.PermissionManageMessages|permission.ManageGuild))
	srv.User("Quizmaster", sandbox.AsBot)

	general := guild.Channel("general")
	guild.Channel("games")
	guild.Channel("rainy-day-cup", sandbox.Thread(general))
	guild.Channel("back-room", sandbox.Visible(ada, ben, eva))
	guild.Channel("read-only-for-the-app", sandbox.NoBotPosts)
	for _, u := range srv.Users() {
		if !u.IsBot() {
			u.DM()
		}
	}
}
