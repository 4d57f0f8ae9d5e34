package rest

import (
	"cmp"
	"context"
	"net/http"
)

// Member is a member of a guild, as far as one is shown.
type Member struct {
	Nick string `json:"nick"`
	User struct {
		GlobalName string `json:"global_name"`
		Username   string `json:"username"`
	} `json:"user"`
}

// DisplayName returns the name under which Discord shows the member in the guild.
func (m Member) DisplayName() string { return cmp.Or(m.Nick, m.User.GlobalName, m.User.Username) }

// Member fetches a member of a guild that the bot is in. Whoever is not a member any more
// gets [ErrUnknownMember].
func (c *Client) Member(ctx context.Context, guildID, userID string) (*Member, error) {
	return filled[Member](ctx, c.botRoute, to(http.MethodGet, "/guilds/{guild}/members/{user}", guildID, userID), nil)
}
