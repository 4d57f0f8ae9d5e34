package sandbox

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/kept"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// Role is a role of a guild.
type Role struct {
	guild   *Guild
	is      kept.Role
	deleted bool
}

// member is somebody's membership of one guild.
type member struct {
	joined  string    // an ISO 8601 time
	roles   []*Role   // without @everyone
	timeout time.Time // until when they can only look; zero for not at all
}

// RoleOption changes a role; see Guild.Role and Role.Set.
type RoleOption func(*Role)

// RolePermissions sets the permission bits of the role.
func RolePermissions(bits int64) RoleOption { return func(r *Role) { r.is.Permissions = bits } }

// Mentionable says whether everybody may mention the role.
func Mentionable(yes bool) RoleOption { return func(r *Role) { r.is.Mentionable = yes } }

// RoleName renames the role.
func RoleName(name string) RoleOption { return func(r *Role) { r.is.Name = name } }

// Role returns the guild's role of that name, made if there is none, and applies
// the options to it. A new role is the lowest but for @everyone, which is found by
// that name.
func (g *Guild) Role(name string, opts ...RoleOption) *Role {
	defer g.world.hold()()
	r := first(g.roles, func(r *Role) bool { return r.is.Name == name })
	if r == nil {
		return g.newRole(kept.Role{Name: name}).set("GUILD_ROLE_CREATE", opts)
	}
	return r.set("GUILD_ROLE_UPDATE", opts)
}

// Roles lists the guild's roles, @everyone first and the highest last.
func (g *Guild) Roles() []*Role { return listOf(g.world, &g.roles) }

// BotRole is the role that the application brought along, nil where its bot is not.
func (g *Guild) BotRole() *Role {
	defer g.world.hold()()
	return first(g.roles, func(r *Role) bool { return r.is.Managed })
}

// roleByID returns the guild's role of that id, or nil; there is none outside of guilds.
func (g *Guild) roleByID(id string) *Role {
	if g == nil {
		return nil
	}
	return first(g.roles, func(r *Role) bool { return r.is.ID == id })
}

func (g *Guild) everyone() *Role { return g.roles[0] }

// newRole makes the lowest role above @everyone.
func (g *Guild) newRole(is kept.Role) *Role {
	is.ID = g.world.newID()
	r := &Role{guild: g, is: is}
	g.roles = slices.Insert(g.roles, min(1, len(g.roles)), r)
	return r
}

// Set applies options to the role.
func (r *Role) Set(opts ...RoleOption) {
	defer r.guild.world.hold()()
	r.set("GUILD_ROLE_UPDATE", opts)
}

// set applies options, and tells of them.
func (r *Role) set(event string, opts []RoleOption) *Role {
	for _, o := range opts {
		o(r)
	}
	if len(opts) > 0 || event == "GUILD_ROLE_CREATE" {
		r.event(event)
	}
	return r
}

// Delete takes the role from everybody and away. @everyone and the application's
// own cannot be deleted.
func (r *Role) Delete() {
	defer r.guild.world.hold()()
	r.deleteLocked()
}

func (r *Role) deleteLocked() {
	g := r.guild
	if r.deleted || r.is.Managed || r == g.everyone() {
		return
	}
	for _, u := range g.everybody() {
		u.setRole(r, false)
	}
	r.deleted = true
	g.roles = without(g.roles, r)
	r.event("GUILD_ROLE_DELETE")
}

// ID is the role's snowflake; @everyone has the guild's.
func (r *Role) ID() string { return r.is.ID }

// Mention is how a message mentions the role.
func (r *Role) Mention() string { return "<@&" + r.is.ID + ">" }

// Name is the role's name.
func (r *Role) Name() string { return read(r.guild.world, &r.is.Name) }

// Info describes the role.
func (r *Role) Info() RoleInfo { return held(r.guild.world, r.info) }

func (r *Role) info() RoleInfo {
	return RoleInfo{r.is.ID, r.is.Name, r.is.Permissions, r.is.Mentionable, r.is.Managed}
}

// Roles lists the person's roles in g without @everyone, the lowest first; nil for
// who is not a member.
func (u *User) Roles(g *Guild) []*Role {
	defer u.world.hold()()
	return g.rolesOf(u)
}

func (g *Guild) rolesOf(u *User) []*Role {
	m := u.in[g]
	if m == nil {
		return nil
	}
	roles := slices.Clone(m.roles)
	slices.SortFunc(roles, func(a, b *Role) int { return slices.Index(g.roles, a) - slices.Index(g.roles, b) })
	return roles
}

// Give gives the person a role. It does nothing to who is not a member of the
// role's guild, or has it.
func (u *User) Give(r *Role) {
	defer u.world.hold()()
	u.setRole(r, true)
}

// Take takes a role from the person.
func (u *User) Take(r *Role) {
	defer u.world.hold()()
	u.setRole(r, false)
}

// setRole gives the person a role that can be had, or takes it, and tells of that.
func (u *User) setRole(r *Role, has bool) {
	m := u.in[r.guild]
	if m == nil || r.deleted || r == r.guild.everyone() || slices.Contains(m.roles, r) == has {
		return
	}
	m.roles = without(m.roles, r)
	if has {
		m.roles = append(m.roles, r)
	}
	u.changedIn(r.guild)
}

// changedIn tells those of some guilds that the person is in that they have changed.
func (u *User) changedIn(guilds ...*Guild) {
	for _, g := range guilds {
		if g.hasMember(u) {
			g.memberEvent("GUILD_MEMBER_UPDATE", u)
		}
	}
	u.world.publishLocked(Event{Kind: EventUsersChanged, UserID: u.id})
}

// Timeout keeps the person from doing anything in g until then but to look; a zero
// time ends that.
func (u *User) Timeout(g *Guild, until time.Time) {
	defer u.world.hold()()
	if m := u.in[g]; m != nil {
		m.timeout = until
		u.changedIn(g)
	}
}

// deriveRoles gives the person, wherever they are a member, the role that stands for
// what Permissions and Moderator gave them, and takes those that no longer do.
func (u *User) deriveRoles() {
	for g, m := range u.in {
		want := u.is.Permissions
		m.roles = but(m.roles, func(r *Role) bool { return r.is.Derived && r.is.Permissions != want })
		if want == 0 || slices.ContainsFunc(m.roles, func(r *Role) bool { return r.is.Derived }) {
			continue
		}
		r := first(g.roles, func(r *Role) bool { return r.is.Derived && r.is.Permissions == want })
		if r == nil {
			r = g.newRole(kept.Role{Name: derivedName(want), Permissions: want, Derived: true})
			r.event("GUILD_ROLE_CREATE")
		}
		m.roles = append(m.roles, r)
	}
}

func derivedName(bits int64) string {
	switch {
	case bits&permission.Administrator != 0:
		return "Administrator"
	case bits&^(permission.ManageMessages|permission.ManageGuild) == 0:
		return "Moderator"
	default:
		return fmt.Sprintf("Permissions %d", bits)
	}
}

// basePermissions are those of a member in the guild as a whole; somebody who is no
// member has what everyone has.
func (g *Guild) basePermissions(u *User) int64 { return g.asMember(u).In(nil) }

func (g *Guild) asMember(u *User) permission.Member {
	out := permission.Member{ID: u.id, Owner: u == g.world.owner, Everyone: g.id, Base: g.everyone().is.Permissions}
	if m := u.in[g]; m != nil {
		for _, r := range m.roles {
			out.Base |= r.is.Permissions
			out.Roles = append(out.Roles, r.is.ID)
		}
		out.TimedOut = m.timeout.After(g.world.clock.Now())
	}
	return out
}

// height is how high a member's highest role is.
func (g *Guild) height(u *User) int {
	roles := append([]*Role{g.everyone()}, g.rolesOf(u)...)
	return slices.Index(g.roles, roles[len(roles)-1])
}

func (r *Role) json() map[string]any {
	o := map[string]any{
		"id": r.is.ID, "name": r.is.Name, "permissions": strconv.FormatInt(r.is.Permissions, 10), "position": slices.Index(r.guild.roles, r),
		"color": r.is.Color, "hoist": r.is.Hoist, "managed": r.is.Managed, "mentionable": r.is.Mentionable, "flags": 0, "icon": nil, "unicode_emoji": nil,
		"colors": map[string]any{"primary_color": r.is.Color, "secondary_color": nil, "tertiary_color": nil},
	}
	if r.is.Managed {
		of := first(r.guild.world.apps, func(a *App) bool { return slices.Contains(r.guild.rolesOf(a.user), r) })
		o["tags"] = map[string]any{"bot_id": idOf(of)}
	}
	return o
}

func (r *Role) event(event string) {
	w := r.guild.world
	o := map[string]any{"guild_id": r.guild.id}
	if event == "GUILD_ROLE_DELETE" {
		o["role_id"] = r.is.ID
	} else {
		o["role"] = r.json()
	}
	r.guild.tell(event, o, gateway.IntentGuilds)
	w.publishLocked(Event{Kind: EventGuildsChanged})
}

// memberEvent tells of a member. Of the bot itself sessions without the
// privileged intent hear, too.
func (g *Guild) memberEvent(event string, u *User) {
	o := g.memberJSON(u, nil, true)
	if event == "GUILD_MEMBER_REMOVE" {
		o = map[string]any{"user": u.json()}
	}
	o["guild_id"] = g.id
	g.world.tell(event, o, g, func(bot *User) (int, bool) {
		if bot == u {
			return 0, g.hasMember(bot)
		}
		return gateway.IntentGuildMembers, g.hasMember(bot)
	})
}

// everybody lists all members by age: people, the owner and the bot.
func (g *Guild) everybody() []*User {
	all := but(slices.Collect(maps.Values(g.world.users)), func(u *User) bool { return !g.hasMember(u) })
	rules.SortByID(all, (*User).ID)
	return all
}

// botManages reports whether the bot may change or give a role.
func botManages(g *Guild, r *Role) bool {
	return g.botMay(permission.ManageRoles) && slices.Index(g.roles, r) < g.height(g.world.app.user)
}

// setMemberRole gives the route's member its role, or takes it.
func setMemberRole(_ *World, x *exchange) (any, error) {
	if x.role.is.Managed || x.role == x.guild.everyone() || !botManages(x.guild, x.role) {
		return nil, rules.ErrMissingPermissions
	}
	x.user.setRole(x.role, x.Route.Method == http.MethodPut)
	return nil, nil
}

// roleDraft is what a request wants a role to be.
func roleDraft(g *Guild, x *exchange, r kept.Role) (kept.Role, error) {
	o := x.fields
	take(&r.Name)(x.Form.Text(o, "name", 1, 100))
	if o["permissions"] != nil {
		r.Permissions = x.Form.Permissions(o, "permissions")
	}
	if n, ok := x.Form.Integer(o, "color", 0, 0xFFFFFF); ok {
		r.Color = int(n)
	}
	if colors, ok := o["colors"].(map[string]any); ok {
		if n, ok := x.Form.At("colors").Integer(colors, "primary_color", 0, 0xFFFFFF); ok && n != 0 {
			r.Color = int(n)
		}
	}
	take(&r.Hoist)(x.Form.Boolean(o, "hoist"))
	take(&r.Mentionable)(x.Form.Boolean(o, "mentionable"))
	if err := x.Form.Err(); err != nil {
		return r, err
	}
	// Nobody gives what they do not have.
	if r.Permissions&^g.basePermissions(g.world.app.user) != 0 {
		return r, rules.ErrMissingPermissions
	}
	return r, nil
}

func createRole(w *World, x *exchange) (any, error) {
	g := x.guild
	d, err := roleDraft(g, x, kept.Role{Name: "new role", Permissions: g.everyone().is.Permissions & g.basePermissions(w.app.user)})
	if err != nil {
		return nil, err
	}
	r := g.newRole(d)
	r.event("GUILD_ROLE_CREATE")
	return r.json(), nil
}

func editRole(w *World, x *exchange) (any, error) {
	g, r := x.guild, x.role
	if !botManages(g, r) {
		return nil, rules.ErrMissingPermissions
	}
	d, err := roleDraft(g, x, r.is)
	if err != nil {
		return nil, err
	}
	r.is = d
	r.event("GUILD_ROLE_UPDATE")
	return r.json(), nil
}

// moveRoles puts roles at other positions: all that a request names, or none.
func moveRoles(w *World, x *exchange) (any, error) {
	g := x.guild
	list, ok := x.Body.([]any)
	if !ok {
		x.Form.Fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
	}
	order, moved := g.roles, []*Role(nil)
	for at, o := range x.Form.Each(list) {
		id, known := at.At("id").Snowflake(o["id"])
		to, moves := at.Integer(o, "position", 1, int64(len(order)-1))
		r := g.roleByID(id)
		switch {
		case !known:
		case r == nil || r == g.everyone():
			return nil, rules.ErrUnknownRole
		case !moves:
		case !botManages(g, r) || int(to) >= g.height(w.app.user):
			return nil, rules.ErrMissingPermissions
		default:
			order, moved = slices.Insert(without(order, r), int(to), r), append(moved, r)
		}
	}
	if err := x.Form.Err(); err != nil {
		return nil, err
	}
	g.roles = order
	for _, r := range moved {
		r.event("GUILD_ROLE_UPDATE")
	}
	return objects(g.roles), nil
}

func deleteRole(w *World, x *exchange) (any, error) {
	g, r := x.guild, x.role
	switch {
	case r.is.Managed || r == g.everyone():
		return nil, rules.ErrInvalidRole
	case !botManages(g, r):
		return nil, rules.ErrMissingPermissions
	}
	r.deleteLocked()
	return nil, nil
}
