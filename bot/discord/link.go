package discord

// MessageLink returns the address of a message, or of the channel where there is
// none.
func MessageLink[G, C, M ~string](guild G, channel C, message M) string {
	g := string(guild)
	if g == "" {
		g = "@me"
	}
	link := "https://discord.com/channels/" + g + "/" + string(channel)
	if message != "" {
		link += "/" + string(message)
	}
	return link
}
