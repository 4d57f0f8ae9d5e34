// Package client is what the client of a person lets them send: it checks the options of a
// slash command and the inputs of a modal as Discord's clients do before they send anything.
package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/bot/sandbox/rules"
)

// What a client says no with.
var (
	ErrUnknownCommand = errors.New("sandbox: no such command here")
	ErrBadOption      = errors.New("sandbox: the command does not take that")
	ErrNoComponent    = errors.New("sandbox: no such component on the message")
)

// Resolver finds the people, roles, channels and files that somebody means, and keeps their
// objects for the interaction.
type Resolver interface {
	// Option is what is sent for the value of an option of such a type, or a phrase that says
	// why it is none.
	Option(op *rules.CommandOption, v any) (sent any, problem string)
	// Pick takes somebody or something that a select of such a type offers by its id, of one of
	// the kinds of channels if there are any. Selects of another type have nothing to resolve.
	Pick(selectType int, id string, kinds []int) error
	// File takes a file that is uploaded under that name, and returns its id.
	File(name string) (id string)
}

// Arg is one option of a slash command with its value.
type Arg struct {
	Name string
	// Value is a string, bool, int, int64, float64, *User, *Channel, *Role or File.
	Value any
}

// Typed is a slash command as somebody types it.
type Typed struct {
	Path string // its name, group and subcommand, parted by spaces
	Args []Arg
	// Focused is the option that wants suggestions; others may be missing then.
	Focused string
	// Forced sends what is not among the choices.
	Forced bool
}

// Fill checks what is typed of a command, and puts its options into the data of an
// interaction. It returns the focused option.
func (t Typed) Fill(data map[string]any, c *rules.Command, r Resolver) (*rules.CommandOption, error) {
	words := strings.Fields(t.Path)
	options, level := c.Options, data
	for _, word := range words[1:] {
		i := slices.IndexFunc(options, func(o rules.CommandOption) bool {
			return o.Name == word && (o.Type == rules.OptionSubcommand || o.Type == rules.OptionGroup)
		})
		if i < 0 {
			return nil, fmt.Errorf("%w: %q", ErrUnknownCommand, t.Path)
		}
		next := map[string]any{"name": word, "type": options[i].Type}
		level["options"] = []any{next}
		options, level = options[i].Options, next
	}
	if len(options) > 0 && (options[0].Type == rules.OptionSubcommand || options[0].Type == rules.OptionGroup) {
		return nil, fmt.Errorf("%w: %q needs a subcommand", ErrUnknownCommand, t.Path)
	}
	args := t.Args
	given := func(name string) bool { return slices.ContainsFunc(args, func(a Arg) bool { return a.Name == name }) }
	if t.Focused != "" && !given(t.Focused) { // nothing is typed yet
		args = append(slices.Clone(args), Arg{t.Focused, ""})
	}
	var focus *rules.CommandOption
	values := []any{}
	for n, arg := range args {
		i := slices.IndexFunc(options, func(o rules.CommandOption) bool { return o.Name == arg.Name })
		if i < 0 {
			return nil, fmt.Errorf("%w: unknown option %q", ErrBadOption, arg.Name)
		}
		if slices.ContainsFunc(args[:n], func(a Arg) bool { return a.Name == arg.Name }) {
			return nil, fmt.Errorf("%w: option %q given twice", ErrBadOption, arg.Name)
		}
		op := options[i]
		if t.Forced {
			op.Choices = nil
		}
		value := map[string]any{"name": op.Name, "type": op.Type}
		if t.Focused == arg.Name {
			focus = &op
			value["focused"], value["value"] = true, arg.Value
		} else {
			v, err := optionValue(&op, arg.Value, r)
			if err != nil {
				return nil, err
			}
			value["value"] = v
		}
		values = append(values, value)
	}
	if t.Focused != "" && !focus.Autocomplete {
		return nil, fmt.Errorf("%w: option %q has no autocomplete", ErrBadOption, t.Focused)
	}
	for _, op := range options {
		if op.Required && t.Focused == "" && !given(op.Name) {
			return nil, fmt.Errorf("%w: option %q is required", ErrBadOption, op.Name)
		}
	}
	if len(values) > 0 || len(words) > 1 {
		level["options"] = values
	}
	return focus, nil
}

// optionValue checks a value as the person's client would and returns it as the
// interaction carries it.
func optionValue(op *rules.CommandOption, v any, r Resolver) (any, error) {
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
	}
	sent, problem := r.Option(op, v)
	if problem != "" {
		return nil, bad(problem)
	}
	return sent, nil
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
