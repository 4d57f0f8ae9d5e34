package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/rules"
)

// commandData is the part of an interaction's data that all commands have.
func commandData(c *rules.Command) map[string]any {
	data := map[string]any{"id": c.ID, "name": c.Name, "type": c.Type}
	if c.GuildID != "" {
		data["guild_id"] = c.GuildID
	}
	return data
}

func (a SlashCommand) prepare(w *World, u *User) (*Call, error) {
	_, data, err := w.slash(u, a, "")
	if err != nil {
		return nil, err
	}
	call := w.newCall(u, a.Channel, InteractionCommand, "")
	call.path, call.payload = strings.Join(strings.Fields(a.Path), " "), map[string]any{"data": data}
	return call, nil
}

func (a AutocompleteQuery) prepare(w *World, u *User) (*Call, error) {
	op, data, err := w.slash(u, SlashCommand{Channel: a.Channel, Path: a.Path, Args: a.Args, App: a.App}, a.Focused)
	if err != nil {
		return nil, err
	}
	call := w.newCall(u, a.Channel, InteractionAutocomplete, "")
	call.path, call.focus, call.payload = a.Path, op.Type, map[string]any{"data": data}
	return call, nil
}

// resolved gathers the objects that a command's values name.
type resolved struct {
	by *User
	at *Channel
	// The objects by kind and id.
	objects map[string]map[string]any
}

func newResolved(by *User, at *Channel) *resolved {
	return &resolved{by, at, map[string]map[string]any{}}
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

func (r *resolved) role(role *Role) { r.put("roles", role.id, role.json()) }

// file resolves what a person uploads with an interaction, and returns its id.
func (r *resolved) file(f File) (id string) {
	w := r.by.world
	stored := files.New(w.newID(), f.Name, f.Content)
	w.files.Add(stored)
	r.put("attachments", stored.ID, stored.Attachment(w.opt.CDN+"/ephemeral-attachments/"+w.app.id))
	return stored.ID
}

func (r *resolved) into(data map[string]any) {
	if len(r.objects) > 0 {
		data["resolved"] = r.objects
	}
}

func (a UserCommand) prepare(w *World, u *User) (*Call, error) {
	c, err := w.offered(u, a.Channel, a.App, rules.CommandUser, a.Name, false)
	if err != nil {
		return nil, err
	}
	if a.Target == nil {
		return nil, fmt.Errorf("%w: no person", ErrBadOption)
	}
	data, r := commandData(c), newResolved(u, a.Channel)
	r.user(a.Target)
	data["target_id"] = a.Target.id
	r.into(data)
	call := w.newCall(u, a.Channel, InteractionCommand, "")
	call.path, call.payload = a.Name, map[string]any{"data": data}
	return call, nil
}

func (a MessageCommand) prepare(w *World, u *User) (*Call, error) {
	if a.Target == nil || a.Target.deleted {
		return nil, fmt.Errorf("%w: the message", ErrGone)
	}
	if !a.Target.visibleTo(u) {
		return nil, fmt.Errorf("%w: the message", ErrNotVisible)
	}
	ch := a.Target.channel
	c, err := w.offered(u, ch, a.App, rules.CommandMessage, a.Name, false)
	if err != nil {
		return nil, err
	}
	data, r := commandData(c), newResolved(u, ch)
	r.put("messages", a.Target.id, a.Target.json())
	data["target_id"] = a.Target.id
	r.into(data)
	call := w.newCall(u, ch, InteractionCommand, "")
	call.path, call.payload = a.Name, map[string]any{"data": data}
	return call, nil
}

// CommandsFor lists the commands that the person's client offers in the channel,
// guild ones before global ones: those whose contexts include it and whose
// default_member_permissions the person has.
func (w *World) CommandsFor(u *User, ch *Channel) []rules.Command {
	defer w.hold()()
	var out []rules.Command
	for _, c := range w.commandsFor(u, ch, false) {
		out = append(out, *c)
	}
	return out
}

func (a ModalSubmission) prepare(w *World, u *User) (*Call, error) {
	from := a.Call
	if from == nil || from.modal == nil || from.user != u {
		return nil, ErrNoModal
	}
	p := &submission{filled: map[string][]string{}, known: map[string]bool{}, resolved: newResolved(u, from.channel), files: a.Files}
	for id, v := range a.Values {
		p.filled[id] = []string{v}
	}
	for id, v := range a.Lists {
		p.filled[id] = v
	}
	list, err := p.all(from.modal.Components)
	if err != nil {
		return nil, err
	}
	for id := range p.filled {
		if !p.known[id] {
			return nil, fmt.Errorf("%w: the modal has no input %q", ErrNoComponent, id)
		}
	}
	call := w.newCall(u, from.channel, InteractionModal, "")
	call.message, call.app, call.trigger = from.message, from.app, from.metadata()
	data := map[string]any{"custom_id": from.modal.CustomID, "components": list}
	p.resolved.into(data)
	call.payload = map[string]any{"data": data}
	return call, nil
}

func listCommands(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	full := x.Query.Get("with_localizations") == "true"
	out := []any{}
	for _, c := range w.app.commands.scopes[scope] {
		o := rules.AsMap[map[string]any](c)
		if !full {
			localize(o, x.Request.Header.Get("X-Discord-Locale"))
		}
		out = append(out, o)
	}
	return http.StatusOK, out, nil
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

func createCommand(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	o := x.fields
	f := rules.NewForm()
	c := w.application().CheckCommand(f, o, scope)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	list := slices.Clone(w.app.commands.scopes[scope])
	at := slices.IndexFunc(list, func(old *rules.Command) bool { return old.Name == c.Name && old.Type == c.Type })
	status := http.StatusOK
	if at >= 0 {
		replaceCommand(w, list[at], c)
		list[at] = c
	} else {
		status = http.StatusCreated
		list = append(list, c)
		if err := rules.CommandQuota(list); err != nil {
			return 0, nil, err
		}
		if err := countCreates(w, x, scope, 1); err != nil {
			return 0, nil, err
		}
		numberCommand(w, c)
	}
	setCommands(w, scope, list)
	return status, c, nil
}

func editCommand(w *World, x *exchange) (int, any, error) {
	scope, old := x.scope, x.command
	change := x.fields
	merged := rules.AsMap[map[string]any](old)
	for k, v := range change {
		if k != "type" && k != "id" {
			merged[k] = v
		}
	}
	f := rules.NewForm()
	c := w.application().CheckCommand(f, merged, scope)
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	list := slices.Clone(w.app.commands.scopes[scope])
	for i, other := range list {
		if other == old {
			list[i] = c
		} else if other.Name == c.Name && other.Type == c.Type {
			f.At("name").Fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			return 0, nil, f.Err()
		}
	}
	replaceCommand(w, old, c)
	setCommands(w, scope, list)
	return http.StatusOK, c, nil
}

func deleteCommand(w *World, x *exchange) (int, any, error) {
	scope, old := x.scope, x.command
	setCommands(w, scope, slices.DeleteFunc(slices.Clone(w.app.commands.scopes[scope]), func(c *rules.Command) bool { return c == old }))
	return http.StatusNoContent, nil, nil
}

// overwriteCommands replaces all commands of a scope by the list that is given;
// those whose name and type were there keep their id and count as no creation.
func overwriteCommands(w *World, x *exchange) (int, any, error) {
	scope := x.scope
	f := rules.NewForm()
	in, ok := x.Body.([]any)
	if !ok && x.Body != nil {
		f.Fail("LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return 0, nil, f.Err()
	}
	f.Length(len(in), 0, rules.MaxBulkCommands)
	list := []*rules.Command{}
	for i, v := range in {
		g := f.At(i)
		o, ok := g.Object(v)
		if !ok {
			continue
		}
		c := w.application().CheckCommand(g, o, scope)
		if c == nil {
			continue
		}
		for _, other := range list {
			if other.Name == c.Name && other.Type == c.Type {
				g.At("name").Fail("APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
			}
		}
		list = append(list, c)
	}
	if err := f.Err(); err != nil {
		return 0, nil, err
	}
	if err := rules.CommandQuota(list); err != nil {
		return 0, nil, err
	}
	before, fresh := w.app.commands.scopes[scope], 0
	known := func(c *rules.Command) *rules.Command {
		for _, old := range before {
			if old.Name == c.Name && old.Type == c.Type {
				return old
			}
		}
		return nil
	}
	for _, c := range list {
		if known(c) == nil {
			fresh++
		}
	}
	if err := countCreates(w, x, scope, fresh); err != nil {
		return 0, nil, err
	}
	for _, c := range list {
		if old := known(c); old != nil {
			replaceCommand(w, old, c)
		} else {
			numberCommand(w, c)
		}
	}
	setCommands(w, scope, list)
	return http.StatusOK, list, nil
}
