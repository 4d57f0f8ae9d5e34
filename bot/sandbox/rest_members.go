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

func getMember(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.memberJSON(x.user, nil, true), nil
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

func editMyMember(w *World, x *exchange) (int, any, error) {
	return changeMember(w, x, x.guild, w.app.user)
}

func changeMember(w *World, x *exchange, g *Guild, u *User) (int, any, error) {
	o := x.fields
	f := rules.NewForm()
	m := u.in[g]
	nick, roles, timeout := u.nick, m.roles, m.timeout
	if _, given := o["nick"]; given {
		need := permission.ManageNicknames
		if u == w.app.user {
			need = permission.ChangeNickname
		}
		if !g.botMay(need) || !botAbove(g, u) {
			return 0, nil, rules.ErrMissingPermissions
		}
		nick, _ = f.Text(o, "nick", 0, 32)
	}
	if o["roles"] != nil {
		var err error
		if roles, err = newRoles(g, f, o, u); err != nil {
			return 0, nil, err
		}
	}
	if until, given := o["communication_disabled_until"]; given {
		admin := g.basePermissions(u)&permission.Administrator != 0
		if !g.botMay(permission.ModerateMembers) || !botAbove(g, u) || admin {
			return 0, nil, rules.ErrMissingPermissions
		}
		timeout = f.Until(until, "communication_disabled_until", w.clock.Now(), longestTimeout)
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	u.nick, m.roles, m.timeout = nick, roles, timeout
	u.changedIn(g)
	return http.StatusOK, g.memberJSON(u, nil, true), nil
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

// botManages reports whether the bot may change or give a role.
func botManages(g *Guild, r *Role) bool {
	return g.botMay(permission.ManageRoles) && slices.Index(g.roles, r) < g.height(g.world.app.user)
}

// setMemberRole gives the route's member its role, or takes it.
func setMemberRole(change func(*User, *Role)) func(*World, *exchange) (int, any, error) {
	return func(_ *World, x *exchange) (int, any, error) {
		if x.role.managed || x.role == x.guild.everyone() || !botManages(x.guild, x.role) {
			return 0, nil, rules.ErrMissingPermissions
		}
		change(x.user, x.role)
		return http.StatusNoContent, nil, nil
	}
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

func banOf(g *Guild, u *User) *User {
	if i := slices.Index(g.banned, u); i >= 0 {
		return g.banned[i]
	}
	return nil
}

func listBans(w *World, x *exchange) (int, any, error) {
	out := []any{}
	for _, u := range x.guild.banned {
		out = append(out, map[string]any{"user": u.json(), "reason": nil})
	}
	return http.StatusOK, out, nil
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

func listRoles(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.rolesJSON(), nil
}

func getRole(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.role.json(), nil
}

// roleDraft is what a request wants a role to be.
func roleDraft(g *Guild, x *exchange, r Role) (Role, error) {
	o, err := x.Object()
	if err != nil {
		return r, err
	}
	f := rules.NewForm()
	if name, ok := f.Text(o, "name", 1, 100); ok {
		r.name = name
	}
	if o["permissions"] != nil {
		r.permissions = f.Permissions(o, "permissions")
	}
	if n, ok := f.Integer(o, "color", 0, 0xFFFFFF); ok {
		r.color = int(n)
	}
	if colors, ok := o["colors"].(map[string]any); ok {
		if n, ok := f.At("colors").Integer(colors, "primary_color", 0, 0xFFFFFF); ok && n != 0 {
			r.color = int(n)
		}
	}
	if yes, ok := f.Boolean(o, "hoist"); ok {
		r.hoist = yes
	}
	if yes, ok := f.Boolean(o, "mentionable"); ok {
		r.mentionable = yes
	}
	if err := f.Err(); err != nil {
		return r, err
	}
	// Nobody gives what they do not have.
	if r.permissions&^g.basePermissions(g.world.app.user) != 0 {
		return r, rules.ErrMissingPermissions
	}
	return r, nil
}

func createRole(w *World, x *exchange) (int, any, error) {
	g := x.guild
	may := g.basePermissions(w.app.user)
	d, err := roleDraft(g, x, Role{name: "new role", permissions: g.everyone().permissions & may})
	if err != nil {
		return 0, nil, err
	}
	r := g.newRole(d.name)
	r.permissions, r.color, r.hoist, r.mentionable = d.permissions, d.color, d.hoist, d.mentionable
	w.roleEventLocked("GUILD_ROLE_CREATE", r)
	return http.StatusOK, r.json(), nil
}

func editRole(w *World, x *exchange) (int, any, error) {
	g, r := x.guild, x.role
	switch {
	case !botManages(g, r):
		return 0, nil, rules.ErrMissingPermissions
	}
	before := *r
	d, err := roleDraft(g, x, before)
	if err != nil {
		return 0, nil, err
	}
	*r = d
	w.roleEventLocked("GUILD_ROLE_UPDATE", r)
	return http.StatusOK, r.json(), nil
}

// moveRoles puts roles at other positions.
func moveRoles(w *World, x *exchange) (int, any, error) {
	g := x.guild
	list, _ := x.Body.([]any)
	f := rules.NewForm()
	for i, v := range list {
		o, ok := f.At(i).Object(v)
		if !ok {
			continue
		}
		id, _ := f.At(i).At("id").Snowflake(o["id"])
		to, ok := f.At(i).Integer(o, "position", 1, int64(len(g.roles)-1))
		r := g.roleByID(id)
		if err := f.Err(); err != nil {
			return 0, nil, err
		}
		top := g.height(w.app.user)
		switch {
		case r == nil || r == g.everyone():
			return 0, nil, rules.ErrUnknownRole
		case !ok:
			continue
		case !botManages(g, r) || int(to) >= top:
			return 0, nil, rules.ErrMissingPermissions
		}
		g.roles = slices.Insert(slices.DeleteFunc(g.roles, func(x *Role) bool { return x == r }), int(to), r)
		w.roleEventLocked("GUILD_ROLE_UPDATE", r)
	}
	return http.StatusOK, g.rolesJSON(), nil
}

func deleteRole(w *World, x *exchange) (int, any, error) {
	g, r := x.guild, x.role
	switch {
	case r.managed || r == g.everyone():
		return 0, nil, rules.ErrInvalidRole
	case !botManages(g, r):
		return 0, nil, rules.ErrMissingPermissions
	}
	r.deleteLocked()
	return http.StatusNoContent, nil, nil
}
