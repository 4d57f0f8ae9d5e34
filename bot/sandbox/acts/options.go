package acts

import (
	"encoding/json"
	"slices"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// Given is an option as JSON: a string, a number or a boolean; people, channels and roles
// by a name that Names knows, a file as an object with its name and content in base64.
type Given struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// List are options in the order in which they are sent.
type List []Given

// Given is the list itself.
func (l List) Given([]rules.CommandOption) []Given { return l }

// ByName are options by name. They are sent in the order of the command's registration.
type ByName map[string]json.RawMessage

// Given puts them in order.
func (by ByName) Given(specs []rules.CommandOption) []Given {
	var given []Given
	for name, raw := range by {
		given = append(given, Given{name, raw})
	}
	place := func(name string) int {
		return slices.IndexFunc(specs, func(o rules.CommandOption) bool { return o.Name == name })
	}
	slices.SortFunc(given, func(a, b Given) int { return place(a.Name) - place(b.Name) })
	return given
}

// Names finds those whom options name, nil for nobody.
type Names struct {
	Person  func(name string) *sandbox.User
	Role    func(name string) *sandbox.Role
	Channel func(name string) *sandbox.Channel
}

// id is the id of who or what a select of that kind is to choose, or the value itself.
func (n Names) id(kind int, value string) string {
	switch kind {
	case rules.TypeChannelSelect:
		if c := n.Channel(value); c != nil {
			return c.ID()
		}
	case rules.TypeUserSelect, rules.TypeMentionableSelect, rules.TypeRoleSelect:
		if u := n.Person(value); u != nil && kind != rules.TypeRoleSelect {
			return u.ID()
		}
		if r := n.Role(value); r != nil {
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
		return c.Type == rules.CommandSlash && len(words) > 0 && c.Name == words[0] && (app == nil || app.HasCommand(c.ID))
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

// argsOf gives the values their types.
func argsOf(f Finder, c *sandbox.Channel, specs []rules.CommandOption, given []Given) (args []sandbox.Arg, err error) {
	names := f.Names(c)
	for _, o := range given {
		i := slices.IndexFunc(specs, func(s rules.CommandOption) bool { return s.Name == o.Name })
		if i < 0 {
			return nil, f.BadOption(o.Name, "The command has no such option.")
		}
		v, problem := names.value(specs[i].Type, o.Value)
		if problem != "" {
			return nil, f.BadOption(o.Name, problem)
		}
		args = append(args, sandbox.Arg{Name: o.Name, Value: v})
	}
	return args, nil
}

// value reads a value, or says what is wrong with it.
func (n Names) value(kind int, raw json.RawMessage) (v any, problem string) {
	var name string
	isText := json.Unmarshal(raw, &name) == nil
	switch kind {
	case rules.OptionUser, rules.OptionMentionable:
		if u := n.Person(name); u != nil {
			return u, ""
		}
		if r := n.Role(name); r != nil && kind == rules.OptionMentionable {
			return r, ""
		}
		return nil, "Pick one of the people."
	case rules.OptionRole:
		if r := n.Role(name); r != nil {
			return r, ""
		}
		return nil, "Pick one of the roles."
	case rules.OptionChannel:
		if c := n.Channel(name); c != nil {
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
