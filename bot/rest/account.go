package rest

import (
	"context"
	"encoding/json"
	"net/http"
)

// Application fetches the application that the token belongs to, and remembers
// its id for the routes that need one.
func (c *Client) Application(ctx context.Context) (*Application, error) {
	app, err := filled[Application](ctx, c.botRoute, to(http.MethodGet, "/oauth2/applications/@me"), nil)
	if err == nil {
		c.SetApplicationID(app.ID)
	}
	return app, err
}

// GatewayBot asks where to connect and how many sessions may still be started.
// The answer must not be kept for long.
func (c *Client) GatewayBot(ctx context.Context) (*GatewayInfo, error) {
	return filled[GatewayInfo](ctx, c.botRoute, to(http.MethodGet, "/gateway/bot"), nil)
}

// Guild asks whether the bot is in the guild: [ErrUnknownGuild] or [ErrMissingAccess] say that
// it is not.
func (c *Client) Guild(ctx context.Context, guildID string) error {
	return c.botRoute(ctx, to(http.MethodGet, "/guilds/{guild}", guildID), nil, nil)
}

// Commands fetches the registered application commands, of one guild or, with
// guildID "", the global ones, with all their localizations.
func (c *Client) Commands(ctx context.Context, guildID string) (out []json.RawMessage, err error) {
	r := commandsRoute(http.MethodGet, guildID)
	r.query = "?with_localizations=true"
	err = c.botRoute(ctx, r, nil, &out)
	return out, err
}

// OverwriteCommands replaces all commands of a guild, or with guildID "" all
// global ones, by commands (a list; encoded as JSON unless it is a
// json.RawMessage), and returns them as registered.
func (c *Client) OverwriteCommands(ctx context.Context, guildID string, commands any) (out []json.RawMessage, err error) {
	err = c.botRoute(ctx, commandsRoute(http.MethodPut, guildID), commands, &out)
	return out, err
}

func commandsRoute(method, guildID string) request {
	if guildID == "" {
		return to(method, "/applications/{application}/commands")
	}
	return to(method, "/applications/{application}/guilds/{guild}/commands", guildID)
}
