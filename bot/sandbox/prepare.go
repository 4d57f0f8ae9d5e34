package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// commandsFor lists what the person's client offers in the channel.
func (s *Server) commandsFor(u *User, ch *Channel) []*Command {
	var out []*Command
	offer := func(c *Command, global bool) {
		if global && c.Contexts != nil && !slices.Contains(c.Contexts, ch.context()) {
			return
		}
		if global && ch.installedByUser() && !slices.Contains(c.IntegrationTypes, 1) {
			return
		}
		if p := c.DefaultMemberPermissions; p != nil && ch.guild != nil && u.permissions&PermissionAdministrator == 0 {
			need, _ := strconv.ParseInt(*p, 10, 64)
			if need == 0 || ch.permissionsOf(u)&need != need {
				return
			}
		}
		out = append(out, c)
	}
	if ch.guild != nil && ch.guild.botIn {
		for _, c := range s.commands.scopes[ch.guild.id] {
			offer(c, false)
		}
	}
	for _, c := range s.commands.scopes[""] {
		offer(c, true)
	}
	return out
}

// offered finds a command that the person's client offers in the channel.
func (s *Server) offered(u *User, ch *Channel, kind int, name string) (*Command, error) {
	switch {
	case ch == nil:
		return nil, fmt.Errorf("%w: no channel", ErrNotVisible)
	case ch.deleted:
		return nil, fmt.Errorf("%w: #%s", ErrGone, ch.name)
	case !ch.visibleTo(u):
		return nil, fmt.Errorf("%w: #%s", ErrNotVisible, ch.name)
	}
	for _, c := range s.commandsFor(u, ch) {
		if c.Type == kind && c.Name == name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknownCommand, name)
}

// commandData is the part of an interaction's data that all commands have.
func commandData(c *Command) map[string]any {
	data := map[string]any{"id": c.ID, "name": c.Name, "type": c.Type}
	if c.GuildID != "" {
		data["guild_id"] = c.GuildID
	}
	return data
}

func (a SlashCommand) prepare(s *Server, u *User) (*Call, error) {
	_, data, err := s.slash(u, a.Channel, a.Path, a.Args, "")
	if err != nil {
		return nil, err
	}
	call := s.newCall(u, a.Channel, InteractionCommand, "")
	call.path, call.payload = strings.Join(strings.Fields(a.Path), " "), map[string]any{"data": data}
	return call, nil
}

func (a AutocompleteQuery) prepare(s *Server, u *User) (*Call, error) {
	op, data, err := s.slash(u, a.Channel, a.Path, a.Args, a.Focused)
	if err != nil {
		return nil, err
	}
	call := s.newCall(u, a.Channel, InteractionAutocomplete, "")
	call.path, call.focus, call.payload = a.Path, op.Type, map[string]any{"data": data}
	return call, nil
}

// slash checks a slash command and makes its data. With focused it is an
// autocomplete of that option, which is returned, and options may be missing.
func (s *Server) slash(u *User, ch *Channel, path string, args []Arg, focused string) (*CommandOption, map[string]any, error) {
	words := strings.Fields(path)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("%w: empty name", ErrUnknownCommand)
	}
	c, err := s.offered(u, ch, CommandSlash, words[0])
	if err != nil {
		return nil, nil, err
	}
	data := commandData(c)
	options, level := c.Options, data
	for _, word := range words[1:] {
		i := slices.IndexFunc(options, func(o CommandOption) bool {
			return o.Name == word && (o.Type == OptionSubcommand || o.Type == OptionGroup)
		})
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: %q", ErrUnknownCommand, path)
		}
		next := map[string]any{"name": word, "type": options[i].Type}
		level["options"] = []any{next}
		options, level = options[i].Options, next
	}
	if len(options) > 0 && (options[0].Type == OptionSubcommand || options[0].Type == OptionGroup) {
		return nil, nil, fmt.Errorf("%w: %q needs a subcommand", ErrUnknownCommand, path)
	}
	var focus *CommandOption
	values, resolved := []any{}, newResolved(ch)
	for _, arg := range args {
		i := slices.IndexFunc(options, func(o CommandOption) bool { return o.Name == arg.Name })
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: unknown option %q", ErrBadOption, arg.Name)
		}
		if slices.ContainsFunc(values, func(v any) bool { return v.(map[string]any)["name"] == arg.Name }) {
			return nil, nil, fmt.Errorf("%w: option %q given twice", ErrBadOption, arg.Name)
		}
		op := &options[i]
		value := map[string]any{"name": op.Name, "type": op.Type}
		if focused == arg.Name {
			focus = op
			value["focused"], value["value"] = true, arg.Value
		} else if value["value"], err = optionValue(op, arg.Value, resolved); err != nil {
			return nil, nil, err
		}
		values = append(values, value)
	}
	if focused != "" && focus == nil {
		i := slices.IndexFunc(options, func(o CommandOption) bool { return o.Name == focused })
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: unknown option %q", ErrBadOption, focused)
		}
		focus = &options[i]
		values = append(values, map[string]any{"name": focused, "type": focus.Type, "focused": true, "value": ""})
	}
	if focused != "" && !focus.Autocomplete {
		return nil, nil, fmt.Errorf("%w: option %q has no autocomplete", ErrBadOption, focused)
	}
	for _, op := range options {
		given := slices.ContainsFunc(args, func(a Arg) bool { return a.Name == op.Name })
		if op.Required && !given && focused == "" {
			return nil, nil, fmt.Errorf("%w: option %q is required", ErrBadOption, op.Name)
		}
	}
	if len(values) > 0 || len(words) > 1 {
		level["options"] = values
	}
	resolved.into(data)
	return focus, data, nil
}

// optionValue checks a value as the person's client would and returns it as the
// interaction carries it.
func optionValue(op *CommandOption, v any, r *resolved) (any, error) {
	bad := func(why string) error { return fmt.Errorf("%w: option %q: %s", ErrBadOption, op.Name, why) }
	switch op.Type {
	case OptionString:
		text, ok := v.(string)
		if !ok {
			return nil, bad("not a string")
		}
		n := utf8.RuneCountInString(text)
		if n == 0 || op.MinLength != nil && n < *op.MinLength || op.MaxLength != nil && n > *op.MaxLength || n > maxOptionLength {
			return nil, bad("too short or too long")
		}
		return text, op.chosen(text)
	case OptionBoolean:
		if _, ok := v.(bool); !ok {
			return nil, bad("not true or false")
		}
		return v, nil
	case OptionInteger, OptionNumber:
		x, whole, ok := number(v)
		if !ok || op.Type == OptionInteger && (!whole || x > maxOptionInteger || x < -maxOptionInteger) {
			return nil, bad("not such a number")
		}
		if op.MinValue != nil && x < *op.MinValue || op.MaxValue != nil && x > *op.MaxValue {
			return nil, bad("out of range")
		}
		return v, op.chosen(v)
	case OptionUser, OptionMentionable:
		u, ok := v.(*User)
		if !ok || u == nil {
			return nil, bad("not a person")
		}
		r.user(u)
		return u.id, nil
	case OptionChannel:
		ch, ok := v.(*Channel)
		if !ok || ch == nil {
			return nil, bad("not a channel")
		}
		if len(op.ChannelTypes) > 0 && !slices.Contains(op.ChannelTypes, ch.kind()) {
			return nil, bad("not such a channel")
		}
		r.channel(ch)
		return ch.id, nil
	}
	return nil, bad("of a type that has no values here")
}

// chosen refuses a value that is none of the option's choices.
func (op *CommandOption) chosen(v any) error {
	if len(op.Choices) == 0 {
		return nil
	}
	want, _ := json.Marshal(v)
	for _, c := range op.Choices {
		if string(c.Value) == string(want) {
			return nil
		}
	}
	return fmt.Errorf("%w: option %q has no choice %v", ErrBadOption, op.Name, v)
}

func number(v any) (x float64, whole, ok bool) {
	switch n := v.(type) {
	case int:
		return float64(n), true, true
	case int64:
		return float64(n), true, true
	case float64:
		return n, n == float64(int64(n)), true
	}
	return 0, false, false
}

// resolved gathers the objects that a command's values name.
type resolved struct {
	at                       *Channel
	users, members, channels map[string]any
	messages, attachments    map[string]any
}

func newResolved(at *Channel) *resolved {
	return &resolved{at, map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}, map[string]any{}}
}

func (r *resolved) user(u *User) {
	r.users[u.id] = u.json()
	if g := r.at.guild; g != nil && (g.hasMember(u) || u == g.srv.bot && g.botIn) {
		r.members[u.id] = g.memberJSON(u, r.at, false)
	}
}

func (r *resolved) channel(c *Channel) {
	o := map[string]any{"id": c.id, "type": c.kind(), "name": c.name, "permissions": strconv.FormatInt(memberPermissions, 10)}
	if c.parent != nil {
		o["parent_id"], o["thread_metadata"] = c.parent.id, c.json()["thread_metadata"]
	}
	r.channels[c.id] = o
}

func (r *resolved) into(data map[string]any) {
	out := map[string]any{}
	for key, m := range map[string]map[string]any{"users": r.users, "members": r.members, "channels": r.channels, "messages": r.messages, "attachments": r.attachments} {
		if len(m) > 0 {
			out[key] = m
		}
	}
	if len(out) > 0 {
		data["resolved"] = out
	}
}

func (a UserCommand) prepare(s *Server, u *User) (*Call, error) {
	c, err := s.offered(u, a.Channel, CommandUser, a.Name)
	if err != nil {
		return nil, err
	}
	if a.Target == nil {
		return nil, fmt.Errorf("%w: no person", ErrBadOption)
	}
	data, r := commandData(c), newResolved(a.Channel)
	r.user(a.Target)
	data["target_id"] = a.Target.id
	r.into(data)
	call := s.newCall(u, a.Channel, InteractionCommand, "")
	call.path, call.payload = a.Name, map[string]any{"data": data}
	return call, nil
}

func (a MessageCommand) prepare(s *Server, u *User) (*Call, error) {
	if a.Target == nil || a.Target.deleted {
		return nil, fmt.Errorf("%w: the message", ErrGone)
	}
	if !a.Target.visibleTo(u) {
		return nil, fmt.Errorf("%w: the message", ErrNotVisible)
	}
	ch := a.Target.channel
	c, err := s.offered(u, ch, CommandMessage, a.Name)
	if err != nil {
		return nil, err
	}
	data, r := commandData(c), newResolved(ch)
	r.messages[a.Target.id] = a.Target.json()
	data["target_id"] = a.Target.id
	r.into(data)
	call := s.newCall(u, ch, InteractionCommand, "")
	call.path, call.payload = a.Name, map[string]any{"data": data}
	return call, nil
}
