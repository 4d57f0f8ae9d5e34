package api

import (
	"encoding/json"
	"slices"

	"tictactoe/bot/sandbox"
)

// sending is a request that sends an interaction. It finds in a world who does what.
type sending interface {
	find(w *world) (*sandbox.User, sandbox.Action)
}

// inPlace is who acts where.
type inPlace struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	// App is whose command, or whose bot's direct messages; the first that fits by
	// default.
	App string `json:"app,omitempty"`
}

// where finds the person, the application and the channel.
func (p inPlace) where(w *world) (*sandbox.User, *sandbox.App, *sandbox.Channel) {
	u, a := w.person(p.As), w.app(p.App)
	return u, a, w.channel(u, a, p.Channel)
}

// onMessage is who uses which message.
type onMessage struct {
	As      string `json:"as"`
	Message string `json:"message"`
}

// who finds the person and the message.
func (o onMessage) who(w *world) (*sandbox.User, *sandbox.Message) {
	return w.person(o.As), w.message(o.Message)
}

// slashCommand is a slash command.
type slashCommand struct {
	inPlace
	// Path is the command's name, group and subcommand, parted by spaces.
	Path string `json:"path"`
	// Options are by name: a string, a number or a boolean; people, channels and roles by a
	// name or an id, a file as an object with its name and content in base64. They are sent in
	// the order of the command's registration.
	Options map[string]json.RawMessage `json:"options,omitempty"`
	// Focused is the option that wants suggestions, of one that is still being typed.
	Focused string `json:"focused,omitempty"`
}

// find finds who sends the command.
func (in slashCommand) find(w *world) (*sandbox.User, sandbox.Action) {
	return in.typed(w)
}

func (in slashCommand) typed(w *world) (*sandbox.User, sandbox.SlashCommand) {
	u, a, c := in.where(w)
	command := sandbox.SlashCommand{App: a, Channel: c, Path: in.Path}
	if w.err != nil {
		return nil, command
	}
	if specs, ok := optionsOf(sandbox.Offered(u, c), a, in.Path); ok { // else what is sent says why there is none
		command.Args = w.args(specs, in.Options)
	}
	return u, command
}

// typedCommand is a slash command that is still being typed.
type typedCommand struct{ slashCommand }

// find finds who types.
func (in typedCommand) find(w *world) (*sandbox.User, sandbox.Action) {
	u, c := in.typed(w)
	return u, sandbox.AutocompleteQuery{SlashCommand: c, Focused: in.Focused}
}

// menuEntry picks an entry of the context menu of a person or a message.
type menuEntry struct {
	inPlace
	Name    string `json:"name"`
	User    string `json:"user,omitempty"`
	Message string `json:"message,omitempty"`
}

// find finds who picks it, and on whom or what.
func (in menuEntry) find(w *world) (*sandbox.User, sandbox.Action) {
	if in.Message != "" {
		a := w.app(in.App)
		u, m := onMessage{in.As, in.Message}.who(w)
		return u, sandbox.MessageCommand{App: a, Name: in.Name, Target: m}
	}
	u, a, c := in.where(w)
	target := w.somebody(in.User)
	if target == nil {
		w.note(unknown("person", in.User))
	}
	return u, sandbox.UserCommand{App: a, Channel: c, Name: in.Name, Target: target}
}

// buttonClick presses a button: by label, by custom id, or by its place.
type buttonClick struct {
	onMessage
	Label    string `json:"label,omitempty"`
	CustomID string `json:"custom_id,omitempty"`
	Row      int    `json:"row,omitempty"`
	Column   int    `json:"column,omitempty"`
	Forced   bool   `json:"forced,omitempty"`
}

// find finds who presses it.
func (in buttonClick) find(w *world) (*sandbox.User, sandbox.Action) {
	u, m := in.who(w)
	return u, sandbox.ButtonClick{Message: m, Label: in.Label, CustomID: in.CustomID, Row: in.Row, Column: in.Column, Forced: in.Forced}
}

// selection chooses in a select: values of options, or people, roles and channels by name or id.
type selection struct {
	onMessage
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values"`
	Forced   bool     `json:"forced,omitempty"`
}

// find finds who chooses.
func (in selection) find(w *world) (*sandbox.User, sandbox.Action) {
	u, m := in.who(w)
	if w.err != nil {
		return nil, nil
	}
	c, _ := m.Snapshot().Find(in.CustomID)
	values := slices.Clone(in.Values)
	for i, v := range values {
		values[i] = w.idFor(c.Type, v)
	}
	return u, sandbox.Selection{Message: m, CustomID: in.CustomID, Values: values, Forced: in.Forced}
}

// filledModal fills in and sends the modal that a call was answered with.
type filledModal struct {
	As     string              `json:"as"`
	Call   string              `json:"call"`
	Values map[string][]string `json:"values,omitempty"`
	// Files are those whose names are among the values.
	Files []sandbox.File `json:"files,omitempty"`
}

// find finds who sends it.
func (in filledModal) find(w *world) (*sandbox.User, sandbox.Action) {
	return w.person(in.As), sandbox.ModalSubmission{Call: w.call(in.Call), Lists: in.Values, Files: in.Files}
}
