package sandbox

// Furnish makes the people and channels of a playground: enough to play in two
// languages, in a thread, in a channel that not everybody sees, in a guild where
// the bot may not post, and in direct messages. What exists already is kept, so
// that it may be called again.
//
// Ada comes first; the page opens as her unless its address says otherwise.
func Furnish(srv *Server) {
	guild := srv.Guild()
	ada := srv.User("Ada")
	ben := srv.User("Ben")
	srv.User("Chiyo", Locale("ja"))
	srv.User("Deniz", Locale("tr"))
	eva := srv.User("Eva", Locale("de"), Moderator)
	srv.User("Quizmaster", AsBot)

	general := guild.Channel("general")
	guild.Channel("games")
	guild.Channel("rainy-day-cup", Thread(general))
	guild.Channel("back-room", Visible(ada, ben, eva))
	guild.Channel("read-only-for-the-app", NoBotPosts)
	for _, u := range srv.Users() {
		if !u.IsBot() {
			u.DM()
		}
	}
}
