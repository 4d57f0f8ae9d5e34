package sandbox

import (
	"net/http"
	"slices"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// longestTimeout is how long a member can be timed out.
const longestTimeout = 28 * 24 * time.Hour

// botAbove reports whether the bot stands above a member, so that it may change them.
func botAbove(g *Guild, u *User) bool {
	return u == g.world.app.user || u != g.world.owner && g.height(u) < g.height(g.world.app.user)
}

// listMembers is for applications with the privileged intent for members.
func listMembers(w *World, x *exchange) (int, any, error) {
	g := x.guild
	if w.app.intents&gateway.IntentGuildMembers == 0 {
		return 0, nil, rules.ErrMissingAccess
	}
	limit, after, err := x.Part(1, 1000)
	if err != nil {
		return 0, nil, err
	}
	out := []any{}
	for _, u := range g.everybody() {
		if len(out) < limit && (after == "" || rules.OlderID(after, u.id)) {
			out = append(out, g.memberJSON(u, nil, true))
		}
	}
	return http.StatusOK, out, nil
}

func searchMembers(w *World, x *exchange) (int, any, error) {
	g := x.guild
	limit, err := x.Limit(1, 1000)
	if err != nil {
		return 0, nil, err
	}
	if x.Query.Get("query") == "" {
		f := rules.NewForm("query")
		f.Missing()
		return 0, nil, f.Err()
	}
	out := []any{}
	for _, u := range g.called(x.Query.Get("query"), limit) {
		out = append(out, g.memberJSON(u, nil, true))
	}
	return http.StatusOK, out, nil
}

// editMember changes the nickname, the roles and the time-out of a member.
func editMember(w *World, x *exchange) (int, any, error) {
	return changeMember(w, x, x.guild, x.user)
}

// newRoles are the roles that a member shall have.
func newRoles(g *Guild, f rules.Form, o map[string]any, u *User) ([]*Role, error) {
	list, _ := f.List(o, "roles", 0, 250)
	var roles []*Role
	for i, v := range list {
		id, ok := f.At("roles").At(i).Snowflake(v)
		if !ok {
			continue
		}
		r := g.roleByID(id)
		if r == nil {
			return nil, rules.ErrUnknownRole
		}
		if r != g.everyone() && !slices.Contains(roles, r) {
			roles = append(roles, r)
		}
	}
	for _, r := range g.roles[1:] {
		if slices.Contains(roles, r) != slices.Contains(u.in[g].roles, r) && !botManages(g, r) {
			return nil, rules.ErrMissingPermissions
		}
	}
	return roles, nil
}

func kick(w *World, x *exchange) (int, any, error) {
	g, u := x.guild, x.user
	switch {
	case !g.botMay(permission.KickMembers) || u == w.app.user || !botAbove(g, u):
		return 0, nil, rules.ErrMissingPermissions
	}
	u.leaveLocked(g)
	w.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	return http.StatusNoContent, nil, nil
}

func getBan(w *World, x *exchange) (int, any, error) {
	g, u := x.guild, x.user
	switch {
	case banOf(g, u) == nil:
		return 0, nil, rules.ErrUnknownBan
	}
	return http.StatusOK, map[string]any{"user": u.json(), "reason": nil}, nil
}

func putBan(w *World, x *exchange) (int, any, error) {
	g, u := x.guild, x.user
	switch {
	case u == w.app.user || !botAbove(g, u):
		return 0, nil, rules.ErrMissingPermissions
	case banOf(g, u) != nil:
		return http.StatusNoContent, nil, nil
	}
	g.banned = append(g.banned, u)
	u.leaveLocked(g)
	w.tellAppsLocked("GUILD_BAN_ADD", map[string]any{"guild_id": g.id, "user": u.json()}, g, gateway.IntentGuildModeration)
	w.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
	return http.StatusNoContent, nil, nil
}

func deleteBan(w *World, x *exchange) (int, any, error) {
	g, u := x.guild, x.user
	switch {
	case banOf(g, u) == nil:
		return 0, nil, rules.ErrUnknownBan
	}
	g.banned = slices.DeleteFunc(g.banned, func(x *User) bool { return x == u })
	w.tellAppsLocked("GUILD_BAN_REMOVE", map[string]any{"guild_id": g.id, "user": u.json()}, g, gateway.IntentGuildModeration)
	return http.StatusNoContent, nil, nil
}
