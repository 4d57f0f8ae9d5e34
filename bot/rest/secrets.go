package rest

import (
	"net/url"
	"strings"
)

const (
	hidden = "[redacted]"
	// leastSecret is how long a token is at least that is hidden: one of a few
	// characters opens nothing and stands in half of all words.
	leastSecret = 4
)

// secrets returns what an error about r must not quote although the server may have:
// the token in its path and the bot's own, as they are and as they stand in a URL.
func (r request) secrets(botToken string) (all []string) {
	for _, s := range []string{botToken, r.token} {
		all = append(all, s, url.PathEscape(s), url.QueryEscape(s))
	}
	return all
}

// hide returns the text without the secrets.
func hide(text string, secrets []string) string {
	for _, s := range secrets {
		if len(s) >= leastSecret {
			text = strings.ReplaceAll(text, s, hidden)
		}
	}
	return text
}

// token returns the bot token by itself.
func (c *Client) token() string { return strings.TrimPrefix(c.auth[0], "Bot ") }
