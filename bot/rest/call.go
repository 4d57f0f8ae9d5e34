package rest

import (
	"context"
	"net/http"
)

// Call makes a request with the bot token that no other method makes, within the same limits:
// by its method and the template of its route, whose {parts} stand for the ids, {application}
// for the client's own. out, if not nil, is filled from the answer. A POST is not repeated.
func (c *Client) Call(ctx context.Context, method, route string, ids []string, body, out any) error {
	return c.botRoute(ctx, to(method, route, ids...), body, out)
}

// to is a request on a route. One that makes something is not repeated.
func to(method, route string, ids ...string) request {
	return request{method: method, route: route, ids: ids, repeat: method != http.MethodPost}
}

// filled is what a call returns, by one of the client's two kinds.
func filled[T any](ctx context.Context, call func(context.Context, request, any, any) error, r request, body any) (*T, error) {
	out := new(T)
	if err := call(ctx, r, body, out); err != nil {
		return nil, err
	}
	return out, nil
}
