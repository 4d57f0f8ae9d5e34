package sandbox

import (
	"encoding/hex"
	"net/http"
	"strings"
)

func (s *Server) getMe(*exchange) (int, any, error) {
	me := s.bot.json()
	me["mfa_enabled"], me["locale"], me["verified"], me["email"] = false, "en-US", true, nil
	return http.StatusOK, me, nil
}

func (s *Server) getApplication(*exchange) (int, any, error) {
	owner := map[string]any{
		"id": s.appID, "username": "owner", "discriminator": "0", "global_name": nil, "avatar": nil,
		"public_flags": 0, "flags": 0, "primary_guild": nil,
	}
	kinds := map[string]any{"0": map[string]any{}}
	if s.opt.UserInstallOnly {
		kinds = map[string]any{"1": map[string]any{}}
	}
	return http.StatusOK, map[string]any{
		"id": s.appID, "name": s.bot.globalName, "icon": nil, "description": "", "type": nil, "bot": s.bot.json(),
		"bot_public": true, "bot_require_code_grant": false, "flags": 0, "flags_new": "0",
		"verify_key":              hex.EncodeToString([]byte(strings.Repeat("k", 32))),
		"owner":                   owner,
		"team":                    nil,
		"approximate_guild_count": len(s.guilds), "approximate_user_install_count": 0,
		"approximate_user_authorization_count": 0, "redirect_uris": []any{}, "interactions_endpoint_url": nil,
		"role_connections_verification_url": nil, "explicit_content_filter": 0, "eligible_oauth2_scopes": []any{},
		"integration_types_config": kinds,
	}, nil
}

func (s *Server) getUser(x *exchange) (int, any, error) {
	if u := s.users[x.params["user_id"]]; u != nil {
		return http.StatusOK, u.json(), nil
	}
	return 0, nil, errUnknownUser
}

func (s *Server) getMyGuilds(*exchange) (int, any, error) {
	out := []any{}
	for _, g := range s.guilds {
		if g.botIn {
			out = append(out, map[string]any{
				"id": g.id, "name": g.name, "icon": nil, "banner": nil, "owner": false,
				"permissions": "0", "features": []any{},
			})
		}
	}
	return http.StatusOK, out, nil
}

// createDM opens the direct messages with a person; with one that shares no
// guild Discord refuses later, at the message.
func (s *Server) createDM(x *exchange) (int, any, error) {
	o, err := x.object()
	if err != nil {
		return 0, nil, err
	}
	f := newForm()
	if o["recipient_id"] == nil {
		f.at("recipient_id").missing()
		return 0, nil, f.err()
	}
	id, ok := f.at("recipient_id").snowflake(o["recipient_id"])
	if !ok {
		return 0, nil, f.err()
	}
	u := s.users[id]
	switch {
	case u == nil:
		return 0, nil, errUnknownUser
	case u.isBot:
		return 0, nil, errClosedDMs
	}
	return http.StatusOK, u.dmLocked().json(), nil
}

// openGuild finds the route's guild if the bot is in it.
func (s *Server) openGuild(x *exchange) (*Guild, error) {
	for _, g := range s.guilds {
		if g.id == x.params["guild_id"] && !g.deleted {
			if !g.botIn {
				return nil, errMissingAccess
			}
			return g, nil
		}
	}
	return nil, errUnknownGuild
}

func (s *Server) getGuild(x *exchange) (int, any, error) {
	g, err := s.openGuild(x)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, g.json(), nil
}

func (s *Server) getGuildChannels(x *exchange) (int, any, error) {
	g, err := s.openGuild(x)
	if err != nil {
		return 0, nil, err
	}
	out := []any{}
	for _, c := range g.channels {
		if !c.deleted && c.parent == nil {
			out = append(out, c.json())
		}
	}
	return http.StatusOK, out, nil
}

func (s *Server) getMember(x *exchange) (int, any, error) {
	g, err := s.openGuild(x)
	if err != nil {
		return 0, nil, err
	}
	u := s.users[x.params["user_id"]]
	switch {
	case u == nil:
		return 0, nil, errUnknownUser
	case u != s.bot && !g.hasMember(u):
		return 0, nil, errUnknownMember
	}
	return http.StatusOK, g.memberJSON(u, nil, true), nil
}
