package api

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/permission"
)

// bits reads permission bits, which are text as in Discord's API.
func (w *world) bits(field, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n&^permission.All != 0 {
		w.note(badField(field, field+" must be permission bits, as a number in text."))
	}
	return n
}

// fixed reports whether a role is one that Discord itself keeps.
func fixed(g *sandbox.Guild, r *sandbox.Role) bool { return r.Info().Managed || r.ID() == g.ID() }

// roleChange is what a role is to become; what is left out stays.
type roleChange struct {
	Name        string `json:"name,omitempty"`
	Permissions string `json:"permissions,omitempty"`
	Mentionable *bool  `json:"mentionable,omitempty"`
}

func (w *world) changeRole(r *http.Request, in roleChange) (any, error) {
	role, opts := known(w, w.guild.Roles(), "role", r.PathValue("role")), in.options(w)
	if w.err != nil {
		return nil, w.err
	}
	if in.Name != "" && in.Name != role.Name() {
		if fixed(w.guild, role) {
			return nil, badField("name", "This role keeps its name.")
		}
		if find(w.guild.Roles(), in.Name) != nil {
			return nil, badField("name", fmt.Sprintf("There is a role %q already.", in.Name))
		}
		opts = append(opts, sandbox.RoleName(in.Name))
	}
	role.Set(opts...)
	return role.Info(), nil
}

// options reads all but the name.
func (in roleChange) options(w *world) (opts []sandbox.RoleOption) {
	if len([]rune(in.Name)) > 100 {
		w.note(badField("name", "A role's name has at most 100 characters."))
	}
	if in.Permissions != "" {
		opts = append(opts, sandbox.RolePermissions(w.bits("permissions", in.Permissions)))
	}
	return append(opts, given(in.Mentionable, sandbox.Mentionable)...)
}

func (w *world) deleteRole(r *http.Request) (any, error) {
	role := known(w, w.guild.Roles(), "role", r.PathValue("role"))
	if w.err != nil {
		return nil, w.err
	}
	if fixed(w.guild, role) {
		return nil, refuse(http.StatusConflict, "fixed_role", "This role cannot be deleted.")
	}
	role.Delete()
	return struct{}{}, nil
}

// setRole gives the route's person its role, or takes it.
func setRole(change func(*sandbox.User, *sandbox.Role)) func(*world, *http.Request) (any, error) {
	return func(w *world, r *http.Request) (any, error) {
		role := known(w, w.guild.Roles(), "role", r.PathValue("role"))
		u := known(w, w.guild.Members(), "person", r.PathValue("person"))
		if w.err != nil {
			return nil, w.err
		}
		if fixed(w.guild, role) {
			return nil, refuse(http.StatusConflict, "fixed_role", "This role is nobody's to give.")
		}
		change(u, role)
		return w.personOf(u), nil
	}
}

// overwriteChange is what the target is given and denied in a channel from now on.
type overwriteChange struct {
	Allow string `json:"allow"`
	Deny  string `json:"deny"`
}

// setOverwrite sets what a role, a person or the bot is given and denied in a channel.
func (w *world) setOverwrite(r *http.Request, in overwriteChange) (any, error) {
	c := known(w, w.guild.Channels(), "channel", r.PathValue("channel"))
	if c != nil && c.Parent() != nil {
		w.note(refuse(http.StatusConflict, "thread", "A thread has the permissions of its channel."))
	}
	o := w.target(r.PathValue("target"))
	o.Allow, o.Deny = w.bits("allow", in.Allow), w.bits("deny", in.Deny)
	if o.Allow&o.Deny != 0 {
		w.note(badField("deny", "Nothing can be given and denied at once."))
	}
	if w.err != nil {
		return nil, w.err
	}
	c.Set(sandbox.SetOverwrite(o))
	return channelOf(c), nil
}

func (w *world) target(name string) permission.Overwrite {
	if r := find(w.guild.Roles(), name); r != nil {
		return permission.Overwrite{ID: r.ID()}
	}
	if u := find(w.guild.Members(), name); u != nil {
		return permission.Overwrite{ID: u.ID(), Member: true}
	}
	if !slices.ContainsFunc(w.srv.World().Apps(), func(a *sandbox.App) bool { return a.ID() == name }) {
		w.note(refuse(http.StatusNotFound, "unknown_target", fmt.Sprintf("There is no role and no person %q in this world.", name)))
	}
	return permission.Overwrite{ID: name, Member: true}
}
