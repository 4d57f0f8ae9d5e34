// Package options gives what people fill in the types that a command asks for.
package options

import (
	"encoding/json"
	"slices"
	"strings"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// Given is an option as JSON: a string, a number or a boolean; people, channels and roles
// by a name that World knows, a file as an object with its name and content in base64.
type Given struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// World finds those whom options name, nil for nobody.
type World struct {
	Person  func(name string) *sandbox.User
	Role    func(name string) *sandbox.Role
	Channel func(name string) *sandbox.Channel
}

// Error is an option that cannot be, with a sentence for who gave it.
type Error struct{ Option, Message string }

func (e *Error) Error() string { return e.Message }

// Of returns the options of the slash command or subcommand at a path, as it is offered;
// without an application, of the first that has such a command.
func Of(offered []rules.Command, app *sandbox.App, path string) []rules.CommandOption {
	words := strings.Fields(path)
	at := slices.IndexFunc(offered, func(c rules.Command) bool {
		return c.Type == rules.CommandSlash && len(words) > 0 && c.Name == words[0] && (app == nil || app.HasCommand(c.ID))
	})
	if at < 0 {
		return nil
	}
	specs := offered[at].Options
	for _, word := range words[1:] {
		i := slices.IndexFunc(specs, func(o rules.CommandOption) bool { return o.Name == word })
		if i < 0 {
			return nil
		}
		specs = specs[i].Options
	}
	return specs
}

// Args gives the values their types. The error is an *Error.
func (w World) Args(specs []rules.CommandOption, given []Given) ([]sandbox.Arg, error) {
	var args []sandbox.Arg
	for _, o := range given {
		i := slices.IndexFunc(specs, func(s rules.CommandOption) bool { return s.Name == o.Name })
		if i < 0 {
			return nil, &Error{o.Name, "The command has no such option."}
		}
		v, problem := w.value(specs[i].Type, o.Value)
		if problem != "" {
			return nil, &Error{o.Name, problem}
		}
		args = append(args, sandbox.Arg{Name: o.Name, Value: v})
	}
	return args, nil
}

// value reads a value, or says what is wrong with it.
func (w World) value(kind int, raw json.RawMessage) (v any, problem string) {
	var name string
	isText := json.Unmarshal(raw, &name) == nil
	switch kind {
	case rules.OptionUser, rules.OptionMentionable:
		if u := w.Person(name); u != nil {
			return u, ""
		}
		if r := w.Role(name); r != nil && kind == rules.OptionMentionable {
			return r, ""
		}
		return nil, "Pick one of the people."
	case rules.OptionRole:
		if r := w.Role(name); r != nil {
			return r, ""
		}
		return nil, "Pick one of the roles."
	case rules.OptionChannel:
		if c := w.Channel(name); c != nil {
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
	var n json.Number
	if json.Unmarshal(raw, &n) != nil {
		return nil, "The value must be a number."
	}
	if whole, err := n.Int64(); err == nil {
		return whole, ""
	}
	f, err := n.Float64()
	if err != nil {
		return nil, "That number is too large."
	}
	return f, ""
}
