package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// idFor is the id of who or what a select of that kind is to choose, or the value itself.
func (w *world) idFor(kind int, value string) string {
	switch kind {
	case rules.TypeChannelSelect:
		if c := w.someChannel(value); c != nil {
			return c.ID()
		}
	case rules.TypeUserSelect, rules.TypeMentionableSelect, rules.TypeRoleSelect:
		if u := w.somebody(value); u != nil && kind != rules.TypeRoleSelect {
			return u.ID()
		}
		if r := find(w.guild.Roles(), value); r != nil {
			return r.ID()
		}
	}
	return value
}

// optionsOf returns the options of the slash command or subcommand at a path, as it is offered;
// without an application, of the first that has such a command. It reports whether there is one.
func optionsOf(offered []rules.Command, app *sandbox.App, path string) (specs []rules.CommandOption, ok bool) {
	words := strings.Fields(path)
	at := slices.IndexFunc(offered, func(c rules.Command) bool {
		return c.Type == rules.CommandSlash && len(words) > 0 && c.Name == words[0] && (app == nil || c.ApplicationID == app.ID())
	})
	if at < 0 {
		return nil, false
	}
	specs = offered[at].Options
	for _, word := range words[1:] {
		i := slices.IndexFunc(specs, func(o rules.CommandOption) bool { return o.Name == word })
		if i < 0 {
			return nil, false
		}
		specs = specs[i].Options
	}
	return specs, true
}

// args gives the values their types.
func (w *world) args(specs []rules.CommandOption, given map[string]json.RawMessage) (args []sandbox.Arg) {
	place := func(name string) int {
		return slices.IndexFunc(specs, func(o rules.CommandOption) bool { return o.Name == name })
	}
	names := slices.SortedFunc(maps.Keys(given), func(a, b string) int { return place(a) - place(b) })
	for _, name := range names {
		i := place(name)
		if i < 0 {
			w.note(badField(name, "The command has no such option."))
			continue
		}
		v, problem := w.value(specs[i].Type, given[name])
		if problem != "" {
			w.note(badField(name, problem))
		}
		args = append(args, sandbox.Arg{Name: name, Value: v})
	}
	return args
}

// value reads a value, or says what is wrong with it.
func (w *world) value(kind int, raw json.RawMessage) (v any, problem string) {
	var name string
	isText := json.Unmarshal(raw, &name) == nil
	switch kind {
	case rules.OptionUser, rules.OptionMentionable:
		if u := w.somebody(name); u != nil {
			return u, ""
		}
		if r := find(w.guild.Roles(), name); r != nil && kind == rules.OptionMentionable {
			return r, ""
		}
		return nil, "Pick one of the people."
	case rules.OptionRole:
		if r := find(w.guild.Roles(), name); r != nil {
			return r, ""
		}
		return nil, "Pick one of the roles."
	case rules.OptionChannel:
		if c := w.someChannel(name); c != nil {
			return c, ""
		}
		return nil, "Pick one of the channels."
	case rules.OptionAttachment:
		var f sandbox.File
		if json.Unmarshal(raw, &f) != nil || f.Name == "" {
			return nil, "Choose a file."
		}
		return f, ""
	case rules.OptionString:
		if isText {
			return name, ""
		}
		return nil, "The value must be text."
	case rules.OptionBoolean:
		var yes bool
		if json.Unmarshal(raw, &yes) == nil {
			return yes, ""
		}
		return nil, "The value must be true or false."
	}
	if isText { // a number that is still being typed, for suggestions
		return name, ""
	}
	var number json.Number
	if json.Unmarshal(raw, &number) != nil {
		return nil, "The value must be a number."
	}
	if whole, err := number.Int64(); err == nil {
		return whole, ""
	}
	f, err := number.Float64()
	if err != nil {
		return nil, "That number is too large."
	}
	return f, ""
}
