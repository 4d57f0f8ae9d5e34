package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// sent is the answer to everything that sends an interaction: the stream tells
// what becomes of it.
type sent struct {
	Call string `json:"call"`
}

func act(u *User, a Action) (any, error) {
	c, err := u.Do(a)
	if err != nil {
		return nil, err
	}
	return sent{c.ID()}, nil
}

// commandRequest is a slash command, complete or still being typed.
type commandRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	// Path is the command's name, group and subcommand, parted by spaces.
	Path    string        `json:"path"`
	Options []typedOption `json:"options"`
	// Focused is the option that wants suggestions.
	Focused string `json:"focused,omitempty"`
}

// typedOption is an option with a string, a number or a boolean; people and
// channels are given by id.
type typedOption struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

func (p *page) sendCommand(in commandRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	args, err := p.args(u, ch, in)
	if err != nil {
		return nil, err
	}
	return act(u, SlashCommand{Channel: ch, Path: in.Path, Args: args})
}

func (p *page) sendAutocomplete(in commandRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	args, err := p.args(u, ch, in)
	if err != nil {
		return nil, err
	}
	return act(u, AutocompleteQuery{Channel: ch, Path: in.Path, Args: args, Focused: in.Focused})
}

// args gives the values the types that the command's registration asks for.
func (p *page) args(u *User, ch *Channel, in commandRequest) ([]Arg, error) {
	var args []Arg
	for _, o := range in.Options {
		spec, ok := p.option(u, ch, strings.Fields(in.Path), o.Name)
		if !ok {
			return nil, badOption(o.Name, "The command has no such option.")
		}
		value, err := p.value(spec, o.Value)
		if err != nil {
			return nil, err
		}
		args = append(args, Arg{o.Name, value})
	}
	return args, nil
}

func badOption(name, message string) error {
	e := refuse(http.StatusUnprocessableEntity, "bad_option", message)
	e.Field = name
	return e
}

func (p *page) value(spec CommandOption, v any) (any, error) {
	id, _ := v.(string)
	switch spec.Type {
	case OptionUser, OptionMentionable:
		if u := p.srv.UserByID(id); u != nil {
			return u, nil
		}
		return nil, badOption(spec.Name, "Pick one of the people.")
	case OptionChannel:
		if ch := p.srv.ChannelByID(id); ch != nil {
			return ch, nil
		}
		return nil, badOption(spec.Name, "Pick one of the channels.")
	}
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n, nil
		}
		f, err := v.Float64()
		if err != nil {
			return nil, badOption(spec.Name, "That number is too large.")
		}
		return f, nil
	case string, bool:
		return v, nil
	}
	return nil, badOption(spec.Name, "The value must be text, a number or true or false.")
}

// contextRequest picks an entry of a context menu, on a person or a message.
type contextRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	Name    string `json:"name"`
	User    string `json:"user,omitempty"`
	Message string `json:"message,omitempty"`
}

func (p *page) sendContext(in contextRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	if in.Message != "" {
		m, err := p.message(u, in.Message)
		if err != nil {
			return nil, err
		}
		return act(u, MessageCommand{Name: in.Name, Target: m})
	}
	target := p.srv.UserByID(in.User)
	if target == nil {
		return nil, refuse(http.StatusNotFound, "unknown_person", "There is no such person here.")
	}
	return act(u, UserCommand{Channel: ch, Name: in.Name, Target: target})
}

// componentRequest uses a component of a message.
type componentRequest struct {
	As       string   `json:"as"`
	Message  string   `json:"message"`
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values,omitempty"`
}

func (p *page) sendClick(in componentRequest) (any, error) {
	u, m, err := p.component(in)
	if err != nil {
		return nil, err
	}
	return act(u, ButtonClick{Message: m, CustomID: in.CustomID})
}

func (p *page) sendSelect(in componentRequest) (any, error) {
	u, m, err := p.component(in)
	if err != nil {
		return nil, err
	}
	return act(u, Selection{Message: m, CustomID: in.CustomID, Values: in.Values})
}

func (p *page) component(in componentRequest) (*User, *Message, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, nil, err
	}
	if in.CustomID == "" {
		return nil, nil, refuse(http.StatusBadRequest, "bad_custom_id", "The component's custom id is missing.")
	}
	m, err := p.message(u, in.Message)
	return u, m, err
}

// message returns a message that the person sees.
func (p *page) message(u *User, id string) (*Message, error) {
	m := p.srv.MessageByID(id)
	if m == nil || m.Deleted() || !slices.Contains(m.Channel().Messages(u), m) {
		return nil, refuse(http.StatusNotFound, "unknown_message", "That message is no longer there.")
	}
	return m, nil
}

// modalRequest sends the modal that a call was answered with.
type modalRequest struct {
	As     string              `json:"as"`
	Call   string              `json:"call"`
	Values map[string][]string `json:"values"`
}

func (p *page) sendModal(in modalRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	c := p.srv.callByID(in.Call)
	if c == nil || c.User() != u {
		return nil, refuse(http.StatusNotFound, "unknown_interaction", "That form is no longer open.")
	}
	return act(u, ModalSubmission{Call: c, Lists: in.Values})
}

// sayRequest writes plain text.
type sayRequest struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	Text    string `json:"text"`
}

func (p *page) say(in sayRequest) (any, error) {
	u, ch, err := p.where(in.As, in.Channel)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Text) == "" {
		return nil, refuse(http.StatusUnprocessableEntity, "empty", "Write something first.")
	}
	if n := len([]rune(in.Text)); n > 2000 {
		return nil, refuse(http.StatusUnprocessableEntity, "too_long", fmt.Sprintf("A message has at most 2000 characters; this has %d.", n))
	}
	m, err := u.Say(ch, in.Text)
	if err != nil {
		return nil, err
	}
	return map[string]string{"message": m.ID()}, nil
}

// messageRequest names a message.
type messageRequest struct {
	As      string `json:"as"`
	Message string `json:"message"`
}

func (p *page) dismiss(in messageRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	m, err := p.message(u, in.Message)
	if err != nil {
		return nil, err
	}
	return struct{}{}, u.Dismiss(m)
}

// deleteMessage deletes a message as a moderator does, or one's own.
func (p *page) deleteMessage(in messageRequest) (any, error) {
	u, err := p.person(in.As)
	if err != nil {
		return nil, err
	}
	m, err := p.message(u, in.Message)
	if err != nil {
		return nil, err
	}
	if m.Author() != u && !u.moderates() {
		return nil, ErrForbidden
	}
	m.Delete()
	return struct{}{}, nil
}
