package sandbox

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/client"
	"tictactoe/bot/sandbox/internal/command"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// commandsFor lists what the person's client offers in the channel, and with all also what
// it would if they had every permission.
func commandsFor(w *World, u *User, ch *Channel, all bool) (out []*rules.Command) {
	kept := func(c *rules.Command) bool { // from the person
		p := c.DefaultMemberPermissions
		if p == nil || all || ch.guild == nil || ch.guild.basePermissions(u)&permission.Administrator != 0 {
			return false
		}
		need, _ := strconv.ParseInt(*p, 10, 64)
		return need == 0 || ch.permissionsOf(u)&need != need
	}
	w.eachApp(func() {
		if ch.form == channelForum || ch.guild == nil && ch.party == nil && ch.app != w.app {
			return // there is nowhere to type, or these are the direct messages with another bot
		}
		offers := but(w.app.commands.In(""), func(c *rules.Command) bool {
			return !c.Works(ch.context()) || !brings(ch, u, c.IntegrationTypes)
		})
		if ch.guild != nil && ch.guild.installed() {
			offers = slices.Concat(w.app.commands.In(ch.guild.id), offers)
		}
		out = append(out, but(offers, kept)...)
	})
	return out
}

// offered finds a command that the person's client offers in the channel.
func offered(u *User, ch *Channel, a *App, kind int, name string, all bool) (*rules.Command, error) {
	switch {
	case ch == nil:
		return nil, fmt.Errorf("%w: no channel", ErrNotVisible)
	case ch.deleted:
		return nil, fmt.Errorf("%w: #%s", ErrGone, ch.name)
	case !ch.visibleTo(u):
		return nil, fmt.Errorf("%w: #%s", ErrNotVisible, ch.name)
	}
	meant := func(c *rules.Command) bool {
		return c.Type == kind && c.Name == name && (a == nil || c.ApplicationID == a.id)
	}
	if c := first(commandsFor(u.world, u, ch, all), meant); c != nil {
		return c, nil
	}
	if c := first(commandsFor(u.world, u, ch, true), meant); c != nil {
		need, _ := strconv.ParseInt(*c.DefaultMemberPermissions, 10, 64)
		asked := permission.NamesOf(cmp.Or(need, permission.Administrator))
		return nil, fmt.Errorf("%w: %s may not use %q, which asks for %s", ErrForbidden, u.is.Name, name, strings.Join(asked, ", "))
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknownCommand, name)
}

// using is the part of an interaction's data that all commands have, and what its values name.
func using(u *User, c *rules.Command, at *Channel) (data map[string]any, r *resolved) {
	data = map[string]any{"id": c.ID, "name": c.Name, "type": c.Type}
	if c.GuildID != "" {
		data["guild_id"] = c.GuildID
	}
	return data, newResolved(u, at, first(u.world.apps, func(a *App) bool { return a.id == c.ApplicationID }))
}

func (a SlashCommand) prepare(u *User) (*Call, error) {
	call, _, err := slash(u, a, InteractionCommand, "")
	return call, err
}

func (a AutocompleteQuery) prepare(u *User) (*Call, error) {
	call, op, err := slash(u, a.SlashCommand, InteractionAutocomplete, a.Focused)
	if err == nil && op == nil {
		err = fmt.Errorf("%w: none has the focus", ErrBadOption)
	}
	if err != nil {
		return nil, err
	}
	call.focus = op.Type
	return call, nil
}

// slash checks a slash command and makes its interaction. With focused it is an
// autocomplete of that option, which is returned, and options may be missing.
func slash(u *User, a SlashCommand, kind int, focused string) (*Call, *rules.CommandOption, error) {
	words := strings.Fields(a.Path)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("%w: empty name", ErrUnknownCommand)
	}
	c, err := offered(u, a.Channel, a.App, rules.CommandSlash, words[0], a.Forced)
	if err != nil {
		return nil, nil, err
	}
	data, r := using(u, c, a.Channel)
	focus, err := client.Typed{Path: a.Path, Args: a.Args, Focused: focused, Forced: a.Forced}.Fill(data, c, r)
	if err != nil {
		return nil, nil, err
	}
	return r.call(kind, strings.Join(words, " "), data), focus, nil
}

// resolved gathers the objects that a command's values name.
type resolved struct {
	by  *User
	at  *Channel
	app *App // that is told of them
	// The objects by kind and id.
	objects map[string]map[string]any
	uploads []File // of a modal
}

func newResolved(by *User, at *Channel, app *App) *resolved {
	return &resolved{by: by, at: at, app: app, objects: map[string]map[string]any{}}
}

func (r *resolved) put(kind, id string, object any) {
	if r.objects[kind] == nil {
		r.objects[kind] = map[string]any{}
	}
	r.objects[kind][id] = object
}

func (r *resolved) user(u *User) {
	r.put("users", u.id, u.json())
	if g := r.at.guild; g != nil && g.hasMember(u) {
		r.put("members", u.id, g.memberJSON(u, r.at, false))
	}
}

func (r *resolved) channel(c *Channel) {
	o := map[string]any{"id": c.id, "type": c.kind(), "name": c.name, "permissions": strconv.FormatInt(c.permissionsOf(r.by), 10)}
	if c.parent != nil {
		o["parent_id"], o["thread_metadata"] = c.parent.id, c.json()["thread_metadata"]
	}
	r.put("channels", c.id, o)
}

func (r *resolved) role(role *Role) { r.put("roles", role.is.ID, role.json()) }

// Option is part of client.Resolver.
func (r *resolved) Option(op *rules.CommandOption, v any) (sent any, problem string) {
	switch op.Type {
	case rules.OptionRole:
		role, ok := v.(*Role)
		if !ok || role == nil || role.deleted || role.guild != r.at.guild {
			return nil, "not a role of this guild"
		}
		r.role(role)
		return role.is.ID, ""
	case rules.OptionAttachment:
		f, ok := v.(File)
		if !ok || f.Name == "" || len(f.Content) > rules.MaxFileBytes {
			return nil, "not a file that can be sent"
		}
		return r.file(f), ""
	case rules.OptionUser, rules.OptionMentionable:
		if role, ok := v.(*Role); ok && op.Type == rules.OptionMentionable && role != nil && role.guild == r.at.guild {
			r.role(role)
			return role.is.ID, ""
		}
		u, ok := v.(*User)
		if !ok || u == nil {
			return nil, "not a person"
		}
		r.user(u)
		return u.id, ""
	case rules.OptionChannel:
		ch, ok := v.(*Channel)
		if !ok || ch == nil || ch.deleted {
			return nil, "not a channel"
		}
		if len(op.ChannelTypes) > 0 && !slices.Contains(op.ChannelTypes, ch.kind()) {
			return nil, "not such a channel"
		}
		r.channel(ch)
		return ch.id, ""
	}
	return nil, "of a type that has no values here"
}

// Pick is part of client.Resolver.
func (r *resolved) Pick(selectType int, id string, kinds []int) error {
	w, role := r.by.world, r.at.guild.roleByID(id)
	switch selectType {
	case rules.TypeRoleSelect, rules.TypeMentionableSelect, rules.TypeUserSelect:
		switch who := w.users[id]; {
		case role != nil && selectType != rules.TypeUserSelect:
			r.role(role)
		case selectType == rules.TypeRoleSelect:
			return fmt.Errorf("%w: no role %q", ErrBadOption, id)
		case who == nil:
			return fmt.Errorf("%w: no person %q", ErrBadOption, id)
		default:
			r.user(who)
		}
	case rules.TypeChannelSelect:
		ch := w.channels[id]
		if ch == nil || len(kinds) > 0 && !slices.Contains(kinds, ch.kind()) {
			return fmt.Errorf("%w: no channel %q", ErrBadOption, id)
		}
		r.channel(ch)
	}
	return nil
}

// file resolves what a person uploads with an interaction, and returns its id.
func (r *resolved) file(f File) (id string) {
	w := r.by.world
	stored := files.New(w.newID(), f.Name, f.Content)
	w.files.Add(stored)
	r.put("attachments", stored.ID, stored.Attachment(w.public+"/ephemeral-attachments/"+r.app.id))
	return stored.ID
}

// File is part of client.Resolver; a name that nobody has given a file for is an empty one.
func (r *resolved) File(name string) (id string) {
	i := slices.IndexFunc(r.uploads, func(f File) bool { return f.Name == name })
	if i < 0 {
		return r.file(File{Name: name})
	}
	return r.file(r.uploads[i])
}

// call makes an interaction that is not sent yet, with its data and the objects that they name.
func (r *resolved) call(kind int, path string, data map[string]any) *Call {
	if len(r.objects) > 0 {
		data["resolved"] = r.objects
	}
	return &Call{world: r.by.world, app: r.app, kind: kind, path: path, user: r.by, channel: r.at, data: data, payload: map[string]any{"data": data}, is: Outcome{State: CallPrepared}}
}

func (a UserCommand) prepare(u *User) (*Call, error) {
	if a.Target == nil {
		return nil, fmt.Errorf("%w: no person", ErrBadOption)
	}
	return menuEntry(u, a.Channel, a.App, rules.CommandUser, a.Name, a.Target.id, func(r *resolved) { r.user(a.Target) })
}

func (a MessageCommand) prepare(u *User) (*Call, error) {
	if a.Target == nil || a.Target.deleted {
		return nil, fmt.Errorf("%w: the message", ErrGone)
	}
	if !a.Target.visibleTo(u) {
		return nil, fmt.Errorf("%w: the message", ErrNotVisible)
	}
	return menuEntry(u, a.Target.channel, a.App, rules.CommandMessage, a.Name, a.Target.id, func(r *resolved) {
		r.put("messages", a.Target.id, a.Target.json())
	})
}

// menuEntry makes the interaction of a context menu's entry, for a target that is resolved.
func menuEntry(u *User, at *Channel, a *App, kind int, name, target string, resolve func(*resolved)) (*Call, error) {
	c, err := offered(u, at, a, kind, name, false)
	if err != nil {
		return nil, err
	}
	data, r := using(u, c, at)
	resolve(r)
	data["target_id"] = target
	return r.call(InteractionCommand, name, data), nil
}

// Offered lists the commands that the person's client offers in the channel,
// guild ones before global ones: those whose contexts include it and whose
// default_member_permissions the person has.
func Offered(u *User, ch *Channel) []rules.Command {
	defer u.world.hold()()
	return each(commandsFor(u.world, u, ch, false), func(c *rules.Command) rules.Command { return *c })
}

func (a ModalSubmission) prepare(u *User) (*Call, error) {
	from := a.Call
	if from == nil || from.is.Modal == nil || from.user != u {
		return nil, ErrNoModal
	}
	filled := map[string][]string{}
	for id, v := range a.Values {
		filled[id] = []string{v}
	}
	maps.Copy(filled, a.Lists)
	r := newResolved(u, from.channel, from.app)
	r.uploads = a.Files
	list, err := client.FillIn(from.is.Modal, filled, r)
	if err != nil {
		return nil, err
	}
	call := r.call(InteractionModal, "", map[string]any{"custom_id": from.is.Modal.CustomID, "components": list})
	call.message, call.trigger = from.message, from.metadata()
	return call, nil
}

func listCommands(w *World, x *exchange) (any, error) {
	full := x.Query.Get("with_localizations") == "true"
	return each(w.app.commands.In(x.scope), func(c *rules.Command) any {
		o := rules.AsMap(c)
		if !full {
			localize(o, x.Request.Header.Get("X-Discord-Locale"))
		}
		return o
	}), nil
}

// localize replaces the dictionaries of translations by the one for locale, in
// the object and all below it.
func localize(o map[string]any, locale string) {
	for _, key := range []string{"name", "description"} {
		all, _ := o[key+"_localizations"].(map[string]any)
		delete(o, key+"_localizations")
		if t, ok := all[locale]; ok {
			o[key+"_localized"] = t
		}
	}
	for _, key := range []string{"options", "choices"} {
		list, _ := o[key].([]any)
		for _, v := range list {
			if child, ok := v.(map[string]any); ok {
				localize(child, locale)
			}
		}
	}
}

// commandChange is a request's change of the commands that it is about.
func commandChange(w *World, x *exchange) command.Change {
	return command.Change{App: w.application(), Form: x.Form, Scope: x.scope, Now: w.clock.Now(), Most: w.rest.Options().CommandCreates}
}

// changedCommands tells of a change unless it was refused, and answers.
func changedCommands(w *World, body any, err error) (any, error) {
	if err == nil {
		w.publishLocked(Event{Kind: EventCommandsChanged})
	}
	return body, err
}

func createCommand(w *World, x *exchange) (any, error) {
	c, made, err := w.app.commands.Create(commandChange(w, x), x.fields)
	if made {
		return changedCommands(w, rest.Created{Body: c}, err)
	}
	return changedCommands(w, c, err)
}

func editCommand(w *World, x *exchange) (any, error) {
	c, err := w.app.commands.Edit(commandChange(w, x), x.command, x.fields)
	return changedCommands(w, c, err)
}

func deleteCommand(w *World, x *exchange) (any, error) {
	w.app.commands.Delete(x.scope, x.command)
	return changedCommands(w, nil, nil)
}

func overwriteCommands(w *World, x *exchange) (any, error) {
	list, err := w.app.commands.Overwrite(commandChange(w, x), x.Body)
	return changedCommands(w, list, err)
}
