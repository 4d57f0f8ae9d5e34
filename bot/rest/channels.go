package rest

import (
	"context"
	"encoding/json"
	"net/http"
)

const channelRoute = "/channels/{channel}"

// CreateMessage posts to a channel with the bot token. Give the body a nonce and
// enforce_nonce: a try without a known outcome is repeated, and with these
// Discord returns the first message instead of posting a second; without a
// nonce in the body such a try is not repeated.
func (c *Client) CreateMessage(ctx context.Context, channelID string, body any) (*Message, error) {
	raw, _, err := encode(body)
	if err != nil {
		return nil, err
	}
	r := to(http.MethodPost, channelRoute+"/messages", channelID)
	r.repeat = enforcesNonce(raw)
	return filled[Message](ctx, c.botRoute, r, json.RawMessage(raw))
}

// CreateThread begins a public thread with a name of 1 to 100 characters in a channel, without a
// message to begin from (Discord's documentation, Start Thread without Message). It is archived
// as late as Discord lets one be, after a week: moves are edits, which are no activity. A try
// without a known outcome is not repeated: it would begin a second one.
func (c *Client) CreateThread(ctx context.Context, channelID, name string) (*Channel, error) {
	const publicThread = 11
	thread := map[string]any{"name": name, "type": publicThread, "auto_archive_duration": 7 * 24 * 60}
	return filled[Channel](ctx, c.botRoute, to(http.MethodPost, channelRoute+"/threads", channelID), thread)
}

// Channel fetches a channel or a thread.
func (c *Client) Channel(ctx context.Context, channelID string) (*Channel, error) {
	return filled[Channel](ctx, c.botRoute, to(http.MethodGet, channelRoute, channelID), nil)
}

// OpenThread opens a thread that was archived. One that is locked takes the right to manage
// threads.
func (c *Client) OpenThread(ctx context.Context, threadID string) error {
	return c.botRoute(ctx, to(http.MethodPatch, channelRoute, threadID), map[string]bool{"archived": false}, nil)
}

// EditMessage edits a message of the bot with the bot token. Fields that body
// leaves out stay as they are.
func (c *Client) EditMessage(ctx context.Context, channelID, messageID string, body any) (*Message, error) {
	return filled[Message](ctx, c.botRoute, to(http.MethodPatch, channelRoute+messageRoute, channelID, messageID), body)
}

// DeleteMessage deletes a message with the bot token.
func (c *Client) DeleteMessage(ctx context.Context, channelID, messageID string) error {
	return c.botRoute(ctx, to(http.MethodDelete, channelRoute+messageRoute, channelID, messageID), nil, nil)
}
