package discord

import (
	"regexp"
	"strconv"
	"strings"
)

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

// ParseMessageLink reads an address of a message as people copy it, from whichever of
// Discord's clients, or the message's id alone, or its channel's and its own with a hyphen
// between them. What the text does not name is empty, and so is the guild of a direct
// message. ok is false for every other text.
func ParseMessageLink(text string) (guild, channel, message string, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), "<>")
	if address := messageAddress.FindStringSubmatch(text); address != nil {
		guild, channel, message = strings.TrimPrefix(address[1], "@me"), address[2], address[3]
	} else if before, after, both := strings.Cut(text, "-"); both && before != "" {
		channel, message = before, after
	} else {
		message = text
	}
	for _, id := range [...]string{guild, channel} {
		if id != "" && !isSnowflake(id) {
			return "", "", "", false
		}
	}
	if !isSnowflake(message) {
		return "", "", "", false
	}
	return guild, channel, message, true
}

// messageAddress is an address of a message. The clients of releases to come have domains
// of their own, and the one of before still leads to Discord.
var messageAddress = regexp.MustCompile(`^https?://(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com/channels/([^/]+)/([^/]+)/([^/?#]+)/?(?:[?#].*)?$`)

// isSnowflake reports whether the text is one of Discord's ids.
func isSnowflake(s string) bool {
	_, err := strconv.ParseUint(s, 10, 63)
	return err == nil && s[0] != '0'
}
