package sandbox

import (
	"net/http"
	"slices"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

func getMember(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.memberJSON(x.user, nil, true), nil
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

func listRoles(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.guild.rolesJSON(), nil
}

func getRole(w *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.role.json(), nil
}
