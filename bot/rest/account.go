package rest

import (
	"context"
	"encoding/json"
	"net/http"
)

// Application fetches the application that the token belongs to, and remembers
// its id for the routes that need one.
func (c *Client) Application(ctx context.Context) (*Application, error) {
	app := new(Application)
	err := c.botRoute(ctx, request{method: http.MethodGet, route: "/oauth2/applications/@me", repeat: true}, nil, app)
	if err != nil {
		return nil, err
	}
	c.SetApplicationID(app.ID)
	return app, nil
}

// GatewayBot asks where to connect and how many sessions may still be started.
// The answer must not be kept for long.
func (c *Client) GatewayBot(ctx context.Context) (*GatewayInfo, error) {
	info := new(GatewayInfo)
	err := c.botRoute(ctx, request{method: http.MethodGet, route: "/gateway/bot", repeat: true}, nil, info)
	if err != nil {
		return nil, err
	}
	return info, nil
}

// Guild asks whether the bot is in the guild: [ErrUnknownGuild] or [ErrMissingAccess] say that
// it is not.
func (c *Client) Guild(ctx context.Context, guildID string) error {
	return c.botRoute(ctx, request{method: http.MethodGet, route: "/guilds/{guild}", ids: []string{guildID}, repeat: true}, nil, nil)
}

// Commands fetches the registered application commands, of one guild or, with
// guildID "", the global ones, with all their localizations.
func (c *Client) Commands(ctx context.Context, guildID string) ([]json.RawMessage, error) {
	r, err := c.commandsRoute(http.MethodGet, guildID)
	if err != nil {
		return nil, err
	}
	r.query = "?with_localizations=true"
	var out []json.RawMessage
	err = c.botRoute(ctx, r, nil, &out)
	return out, err
}

// OverwriteCommands replaces all commands of a guild, or with guildID "" all
// global ones, by commands (a list; encoded as JSON unless it is a
// json.RawMessage), and returns them as registered.
func (c *Client) OverwriteCommands(ctx context.Context, guildID string, commands any) ([]json.RawMessage, error) {
	r, err := c.commandsRoute(http.MethodPut, guildID)
	if err != nil {
		return nil, err
	}
	var out []json.RawMessage
	err = c.botRoute(ctx, r, commands, &out)
	return out, err
}

func (c *Client) commandsRoute(method, guildID string) (request, error) {
	app, err := c.applicationID()
	if err != nil {
		return request{}, err
	}
	if guildID == "" {
		return request{method: method, route: "/applications/{application}/commands", ids: []string{app}, repeat: true}, nil
	}
	return request{
		method: method, route: "/applications/{application}/guilds/{guild}/commands", ids: []string{app, guildID},
		major: 1, repeat: true,
	}, nil
}
