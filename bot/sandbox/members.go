package sandbox

import (
	"cmp"
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
func listMembers(w *World, x *exchange) (any, error) {
	g := x.guild
	if w.app.intents&gateway.IntentGuildMembers == 0 {
		return nil, rules.ErrMissingAccess
	}
	return part(x, 1, 1000, g.everybody(), func(u *User) any { return g.memberJSON(u, nil, true) })
}

// part answers with the part of some users, sorted by id, that a request asks for.
func part(x *exchange, standard, highest int, users []*User, object func(*User) any) (any, error) {
	asked := window{limit: x.Limit(standard, highest), after: cmp.Or(x.Anchor("after"), beginning)}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	users = slices.Clone(users)
	rules.SortByID(users, (*User).ID)
	return each(cut(users, (*User).ID, asked), object), nil
}

func searchMembers(w *World, x *exchange) (any, error) {
	g := x.guild
	begin, limit := x.Query.Get("query"), x.Limit(1, 1000)
	if begin == "" {
		x.Form.At("query").Missing()
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	return each(called(g, begin, limit), func(u *User) any { return g.memberJSON(u, nil, true) }), nil
}

// editMember changes the nickname, the roles and the time-out of a member.
func editMember(w *World, x *exchange) (any, error) {
	g, u, f, o := x.guild, x.user, x.Form, x.fields
	m := u.in[g]
	nick, roles, timeout := u.is.Nick, m.roles, m.timeout
	if _, given := o["nick"]; given {
		need := permission.ManageNicknames
		if u == w.app.user {
			need = permission.ChangeNickname
		}
		if !g.botMay(need) || !botAbove(g, u) {
			return nil, rules.ErrMissingPermissions
		}
		nick, _ = f.Text(o, "nick", 0, 32)
	}
	if o["roles"] != nil {
		var err error
		if roles, err = newRoles(g, f, o, u); err != nil {
			return nil, err
		}
	}
	if until, given := o["communication_disabled_until"]; given {
		admin := g.basePermissions(u)&permission.Administrator != 0
		if !g.botMay(permission.ModerateMembers) || !botAbove(g, u) || admin {
			return nil, rules.ErrMissingPermissions
		}
		timeout = f.Until(until, "communication_disabled_until", w.clock.Now(), longestTimeout)
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	u.is.Nick, m.roles, m.timeout = nick, roles, timeout
	u.changedIn(g)
	return g.memberJSON(u, nil, true), nil
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

func kick(_ *World, x *exchange) (any, error) {
	x.user.leaveLocked(x.guild)
	return nil, nil
}

func banJSON(u *User) any { return map[string]any{"user": u.json(), "reason": nil} }

func putBan(_ *World, x *exchange) (any, error) {
	g, u := x.guild, x.user
	if slices.Contains(g.banned, u) {
		return nil, nil
	}
	g.banned = append(g.banned, u)
	u.leaveLocked(g)
	g.tell("GUILD_BAN_ADD", map[string]any{"guild_id": g.id, "user": u.json()}, gateway.IntentGuildModeration)
	return nil, nil
}

func deleteBan(_ *World, x *exchange) (any, error) {
	g, u := x.guild, x.user
	g.banned = without(g.banned, u)
	g.tell("GUILD_BAN_REMOVE", map[string]any{"guild_id": g.id, "user": u.json()}, gateway.IntentGuildModeration)
	return nil, nil
}
