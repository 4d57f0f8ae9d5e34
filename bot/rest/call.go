package rest

import (
	"context"
	"net/http"
)

// Call makes a request with the bot token that no other method makes, within the same limits:
// by its method and the template of its route, whose {parts} stand for the ids. out, if not
// nil, is filled from the answer. A POST is not repeated.
func (c *Client) Call(ctx context.Context, method, route string, ids []string, body, out any) error {
	return c.botRoute(ctx, request{method: method, route: route, ids: ids, repeat: method != http.MethodPost}, body, out)
}
