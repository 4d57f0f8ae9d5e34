package rest

import (
	"context"
	"encoding/base64"
	"net/http"
)

// Emoji is an emoji of the application, which its messages can show everywhere.
type Emoji struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Emojis fetches the emojis of the application: all there are, since Discord does not page
// them (documentation, List Application Emojis).
func (c *Client) Emojis(ctx context.Context) ([]Emoji, error) {
	var out struct {
		Items []Emoji `json:"items"`
	}
	err := c.botRoute(ctx, to(http.MethodGet, emojisRoute), nil, &out)
	return out.Items, err
}

const emojisRoute = "/applications/{application}/emojis"

// CreateEmoji uploads a PNG of at most 256 KB as an emoji of the application. The name has
// 2 to 32 letters, digits or underscores; Discord refuses one that is taken as an invalid
// form. It is not repeated, so that one whose answer is lost may be there.
func (c *Client) CreateEmoji(ctx context.Context, name string, png []byte) (*Emoji, error) {
	body := map[string]string{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)}
	return filled[Emoji](ctx, c.botRoute, to(http.MethodPost, emojisRoute), body)
}
