package rest

import (
	"context"
	"net/http"
)

// CreateMessage posts to a channel with the bot token. Give the body a nonce and
// enforce_nonce: a try without a known outcome is repeated, and with these
// Discord returns the first message instead of posting a second; without a
// nonce in the body such a try is not repeated.
func (c *Client) CreateMessage(ctx context.Context, channelID string, body any) (*Message, error) {
	raw, err := encode(body)
	if err != nil {
		return nil, err
	}
	m := new(Message)
	err = c.botRoute(ctx, request{
		method: http.MethodPost,
		route:  "/channels/{channel}/messages",
		ids:    []string{channelID},
		repeat: enforcesNonce(raw),
	}, raw, m)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// CreateThread begins a public thread in a channel, without a message to begin from.
// A try without a known outcome is not repeated: it would begin a second one.
func (c *Client) CreateThread(ctx context.Context, channelID string, t NewThread) (*Channel, error) {
	ch := new(Channel)
	err := c.botRoute(ctx, request{
		method: http.MethodPost,
		route:  "/channels/{channel}/threads",
		ids:    []string{channelID},
	}, t, ch)
	if err != nil {
		return nil, err
	}
	return ch, nil
}

// Channel fetches a channel or a thread.
func (c *Client) Channel(ctx context.Context, channelID string) (*Channel, error) {
	ch := new(Channel)
	err := c.botRoute(ctx, request{
		method: http.MethodGet, route: channelRoute, ids: []string{channelID}, repeat: true,
	}, nil, ch)
	if err != nil {
		return nil, err
	}
	return ch, nil
}

// OpenThread opens a thread that was archived. One that is locked takes the right to manage
// threads.
func (c *Client) OpenThread(ctx context.Context, threadID string) error {
	return c.botRoute(ctx, request{
		method: http.MethodPatch, route: channelRoute, ids: []string{threadID}, repeat: true,
	}, map[string]bool{"archived": false}, nil)
}

const channelRoute = "/channels/{channel}"

// EditMessage edits a message of the bot with the bot token. Fields that body
// leaves out stay as they are.
func (c *Client) EditMessage(ctx context.Context, channelID, messageID string, body any) (*Message, error) {
	m := new(Message)
	err := c.botRoute(ctx, request{
		method: http.MethodPatch,
		route:  "/channels/{channel}/messages/{message}",
		ids:    []string{channelID, messageID},
		repeat: true,
	}, body, m)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// DeleteMessage deletes a message with the bot token.
func (c *Client) DeleteMessage(ctx context.Context, channelID, messageID string) error {
	return c.botRoute(ctx, request{
		method: http.MethodDelete,
		route:  "/channels/{channel}/messages/{message}",
		ids:    []string{channelID, messageID},
		repeat: true,
	}, nil, nil)
}
