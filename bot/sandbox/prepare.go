package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tictactoe/bot/sandbox/permission"
	"tictactoe/bot/sandbox/rules"
)

// commandsFor lists what the person's client offers in the channel, and with all also what
// it would if they had every permission.
func (w *World) commandsFor(u *User, ch *Channel, all bool) []*rules.Command {
	var out []*rules.Command
	offer := func(c *rules.Command, global bool) {
		if global && c.Contexts != nil && !slices.Contains(c.Contexts, ch.context()) {
			return
		}
		if global && !ch.brings(u, c.IntegrationTypes) {
			return
		}
		if p := c.DefaultMemberPermissions; p != nil && !all && ch.guild != nil && ch.guild.basePermissions(u)&PermissionAdministrator == 0 {
			need, _ := strconv.ParseInt(*p, 10, 64)
			if need == 0 || ch.permissionsOf(u)&need != need {
				return
			}
		}
		out = append(out, c)
	}
	w.eachAppLocked(func() {
		if ch.guild == nil && ch.party == nil && ch.app != w.app {
			return // the direct messages with another bot
		}
		if ch.form == channelForum {
			return // there is nowhere to type
		}
		if ch.guild != nil && ch.guild.installed() {
			for _, c := range w.app.commands.scopes[ch.guild.id] {
				offer(c, false)
			}
		}
		for _, c := range w.app.commands.scopes[""] {
			offer(c, true)
		}
	})
	return out
}

// offered finds a command that the person's client offers in the channel.
func (w *World) offered(u *User, ch *Channel, a *App, kind int, name string, all bool) (*rules.Command, error) {
	switch {
	case ch == nil:
		return nil, fmt.Errorf("%w: no channel", ErrNotVisible)
	case ch.deleted:
		return nil, fmt.Errorf("%w: #%s", ErrGone, ch.name)
	case !ch.visibleTo(u):
		return nil, fmt.Errorf("%w: #%s", ErrNotVisible, ch.name)
	}
	for _, c := range w.commandsFor(u, ch, all) {
		if c.Type == kind && c.Name == name && (a == nil || a.has(c.ID)) {
			return c, nil
		}
	}
	for _, c := range w.commandsFor(u, ch, true) {
		if c.Type == kind && c.Name == name && (a == nil || a.has(c.ID)) {
			need, _ := strconv.ParseInt(*c.DefaultMemberPermissions, 10, 64)
			asked := permission.NamesOf(cmp.Or(need, permission.Administrator))
			return nil, fmt.Errorf("%w: %s may not use %q, which asks for %s", ErrForbidden, u.globalName, name, strings.Join(asked, ", "))
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrUnknownCommand, name)
}

// slash checks a slash command and makes its data. With focused it is an
// autocomplete of that option, which is returned, and options may be missing.
func (w *World) slash(u *User, a SlashCommand, focused string) (*rules.CommandOption, map[string]any, error) {
	ch, words := a.Channel, strings.Fields(a.Path)
	if len(words) == 0 {
		return nil, nil, fmt.Errorf("%w: empty name", ErrUnknownCommand)
	}
	c, err := w.offered(u, ch, a.App, rules.CommandSlash, words[0], a.Forced)
	if err != nil {
		return nil, nil, err
	}
	data := commandData(c)
	options, level := c.Options, data
	for _, word := range words[1:] {
		i := slices.IndexFunc(options, func(o rules.CommandOption) bool {
			return o.Name == word && (o.Type == rules.OptionSubcommand || o.Type == rules.OptionGroup)
		})
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: %q", ErrUnknownCommand, a.Path)
		}
		next := map[string]any{"name": word, "type": options[i].Type}
		level["options"] = []any{next}
		options, level = options[i].Options, next
	}
	if len(options) > 0 && (options[0].Type == rules.OptionSubcommand || options[0].Type == rules.OptionGroup) {
		return nil, nil, fmt.Errorf("%w: %q needs a subcommand", ErrUnknownCommand, a.Path)
	}
	var focus *rules.CommandOption
	values, resolved := []any{}, newResolved(u, ch)
	for _, arg := range a.Args {
		i := slices.IndexFunc(options, func(o rules.CommandOption) bool { return o.Name == arg.Name })
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: unknown option %q", ErrBadOption, arg.Name)
		}
		if slices.ContainsFunc(values, func(v any) bool { return v.(map[string]any)["name"] == arg.Name }) {
			return nil, nil, fmt.Errorf("%w: option %q given twice", ErrBadOption, arg.Name)
		}
		op := &options[i]
		if a.Forced {
			free := options[i]
			free.Choices, op = nil, &free
		}
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
		i := slices.IndexFunc(options, func(o rules.CommandOption) bool { return o.Name == focused })
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
		given := slices.ContainsFunc(a.Args, func(a Arg) bool { return a.Name == op.Name })
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
func optionValue(op *rules.CommandOption, v any, r *resolved) (any, error) {
	bad := func(why string) error { return fmt.Errorf("%w: option %q: %s", ErrBadOption, op.Name, why) }
	switch op.Type {
	case rules.OptionString:
		text, ok := v.(string)
		if !ok {
			return nil, bad("not a string")
		}
		n := utf8.RuneCountInString(text)
		if n == 0 || op.MinLength != nil && n < *op.MinLength || op.MaxLength != nil && n > *op.MaxLength || n > rules.MaxOptionLength {
			return nil, bad("too short or too long")
		}
		return text, chosen(op, text)
	case rules.OptionBoolean:
		if _, ok := v.(bool); !ok {
			return nil, bad("not true or false")
		}
		return v, nil
	case rules.OptionInteger, rules.OptionNumber:
		x, whole, ok := number(v)
		if !ok || op.Type == rules.OptionInteger && (!whole || x > rules.MaxOptionInteger || x < -rules.MaxOptionInteger) {
			return nil, bad("not such a number")
		}
		if op.MinValue != nil && x < *op.MinValue || op.MaxValue != nil && x > *op.MaxValue {
			return nil, bad("out of range")
		}
		return v, chosen(op, v)
	case rules.OptionRole:
		role, ok := v.(*Role)
		if !ok || role == nil || role.deleted || role.guild != r.at.guild {
			return nil, bad("not a role of this guild")
		}
		r.role(role)
		return role.id, nil
	case rules.OptionAttachment:
		f, ok := v.(File)
		if !ok || f.Name == "" || len(f.Content) > rules.MaxFileBytes {
			return nil, bad("not a file that can be sent")
		}
		return r.file(f), nil
	case rules.OptionUser, rules.OptionMentionable:
		if role, ok := v.(*Role); ok && op.Type == rules.OptionMentionable && role != nil && role.guild == r.at.guild {
			r.role(role)
			return role.id, nil
		}
		u, ok := v.(*User)
		if !ok || u == nil {
			return nil, bad("not a person")
		}
		r.user(u)
		return u.id, nil
	case rules.OptionChannel:
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
func chosen(op *rules.CommandOption, v any) error {
	want, _ := json.Marshal(v)
	if len(op.Choices) == 0 || slices.ContainsFunc(op.Choices, func(c rules.CommandChoice) bool { return string(c.Value) == string(want) }) {
		return nil
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

// pick resolves the person, role or channel, of one of the kinds if there are any, that a
// select offers by its id. Selects of another type have nothing to resolve.
func (r *resolved) pick(selectType int, id string, kinds []int) error {
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
