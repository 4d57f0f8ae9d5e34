package sandbox

import (
	"net/http"
	"strconv"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/rules"
)

func getGateway(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, map[string]any{"url": gateway.At(x.Request.Host)}, nil
}

func getGatewayBot(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.rest.gateway.Bot(x.Request.Host), nil
}

func getMe(w *World, _ *exchange) (int, any, error) { return http.StatusOK, w.app.me(), nil }

// me is the bot user as it alone is told of: with what its account has.
func (a *App) me() map[string]any {
	o := a.user.json()
	o["mfa_enabled"], o["locale"], o["verified"], o["email"] = false, "en-US", true, nil
	return o
}

func getApplication(w *World, x *exchange) (int, any, error) {
	kinds := map[string]any{"0": map[string]any{}, "1": map[string]any{}}
	if w.opt.UserInstallOnly {
		delete(kinds, "0")
	}
	if w.opt.GuildInstallOnly {
		delete(kinds, "1")
	}
	return http.StatusOK, map[string]any{
		"id": w.app.id, "name": w.app.user.globalName, "icon": nil, "description": "", "type": nil, "bot": w.app.user.json(),
		"bot_public": true, "bot_require_code_grant": false, "flags": 0, "flags_new": "0",
		"verify_key":              w.app.PublicKey(),
		"owner":                   w.owner.json(),
		"team":                    nil,
		"approximate_guild_count": len(w.guilds), "approximate_user_install_count": 0,
		"approximate_user_authorization_count": 0, "redirect_uris": []any{}, "interactions_endpoint_url": orNull(w.app.endpoint),
		"role_connections_verification_url": nil, "explicit_content_filter": 0, "eligible_oauth2_scopes": []any{},
		"integration_types_config": kinds,
	}, nil
}

// orNull is the text, or null for none.
func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func getUser(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.user.json(), nil
}

// mostGuilds is how many guilds a page of them has at most, and where nobody asks for fewer.
const mostGuilds = 200

// getMyGuilds lists the guilds that the bot is in by id: the first ones, those behind an id,
// which need not be one of them, or the last ones before it.
func getMyGuilds(w *World, x *exchange) (int, any, error) {
	limit, err := x.Limit(mostGuilds, mostGuilds)
	if err != nil {
		return 0, nil, err
	}
	before, err := x.Anchor("before")
	if err != nil {
		return 0, nil, err
	}
	after, err := x.Anchor("after")
	if err != nil {
		return 0, nil, err
	}
	var mine []*Guild
	for _, g := range w.guilds {
		if g.botIn() && (before == "" || rules.OlderID(g.id, before)) && (after == "" || rules.OlderID(after, g.id)) {
			mine = append(mine, g)
		}
	}
	rules.SortByID(mine, func(g *Guild) string { return g.id })
	if len(mine) > limit {
		if before != "" && after == "" {
			mine = mine[len(mine)-limit:]
		}
		mine = mine[:limit]
	}
	out := []any{}
	for _, g := range mine {
		one := map[string]any{
			"id": g.id, "name": g.name, "icon": nil, "banner": nil, "owner": false,
			"permissions": strconv.FormatInt(g.basePermissions(w.app.user), 10), "features": []any{},
		}
		if x.Query.Get("with_counts") == "true" {
			one["approximate_member_count"], one["approximate_presence_count"] = len(g.everybody()), 0
		}
		out = append(out, one)
	}
	return http.StatusOK, out, nil
}

// createDM opens the direct messages with a person; with one that shares no
// guild Discord refuses later, at the message.
func createDM(w *World, x *exchange) (int, any, error) {
	o := x.fields
	f := rules.NewForm()
	if o["recipient_id"] == nil {
		f.At("recipient_id").Missing()
		return 0, nil, f.Err()
	}
	id, ok := f.At("recipient_id").Snowflake(o["recipient_id"])
	if !ok {
		return 0, nil, f.Err()
	}
	u := w.users[id]
	switch {
	case u == nil:
		return 0, nil, rules.ErrUnknownUser
	case u.isBot:
		return 0, nil, rules.ErrClosedDMs
	}
	return http.StatusOK, u.dmLocked().json(), nil
}

func getGuild(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.json(), nil
}

func getGuildChannels(w *World, x *exchange) (int, any, error) {
	out := []any{}
	for _, c := range x.guild.channels {
		if !c.deleted && c.parent == nil {
			out = append(out, c.json())
		}
	}
	return http.StatusOK, out, nil
}

// editMe renames the bot.
func editMe(w *World, x *exchange) (int, any, error) {
	o := x.fields
	f := rules.NewForm()
	name, named := f.Text(o, "username", 2, 32)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	if named {
		w.app.user.username, w.app.user.globalName = name, name
		w.wire.Send("USER_UPDATE", w.app.me(), "", 0)
		w.publishLocked(Event{Kind: EventUsersChanged, UserID: w.app.user.id})
	}
	return getMe(w, x)
}

// emptyList answers what many applications ask when they start, and of which there
// is nothing here.
func emptyList(*World, *exchange) (int, any, error) { return http.StatusOK, []any{}, nil }
