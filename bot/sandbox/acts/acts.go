// Package acts is what people do, as JSON: requests that name the person, the channel or
// the message, and become a [sandbox.Action]. The page and the test API take the same
// ones, and each finds what they name in its own way, as a [Finder]: the page by ids, and
// what somebody sees; the test API by names within a world.
package acts

import (
	"slices"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
)

// Finder finds what requests name. Its errors are what is answered.
type Finder interface {
	// Person finds who acts, Other somebody to whom it is done.
	Person(name string) (*sandbox.User, error)
	Other(name string) (*sandbox.User, error)
	// Channel finds where somebody acts. The application, nil for any, says with whose bot
	// direct messages are meant.
	Channel(u *sandbox.User, a *sandbox.App, name string) (*sandbox.Channel, error)
	// Message finds a message that somebody uses, Call an interaction of theirs.
	Message(u *sandbox.User, id string) (*sandbox.Message, error)
	Call(u *sandbox.User, id string) (*sandbox.Call, error)
	// App finds an application; nil is any.
	App(name string) (*sandbox.App, error)
	// Names finds what options of commands can name.
	Names(c *sandbox.Channel) Names
	// BadOption is the error for an option that cannot be, with a sentence for who gave it.
	BadOption(name, problem string) error
}

// Act is a request that sends an interaction.
type Act interface {
	// Find finds who does what.
	Find(f Finder) (*sandbox.User, sandbox.Action, error)
}

// Do carries out an act, and returns the interaction that was sent.
func Do(f Finder, in Act) (*sandbox.Call, error) {
	u, a, err := in.Find(f)
	if err != nil {
		return nil, err
	}
	return u.Do(a)
}

// Place is who acts where.
type Place struct {
	As      string `json:"as"`
	Channel string `json:"channel"`
	// App is whose command, or whose bot's direct messages; the first that fits by
	// default.
	App string `json:"app,omitempty"`
}

// Where finds the person, the application and the channel.
func (p Place) Where(f Finder) (u *sandbox.User, a *sandbox.App, c *sandbox.Channel, err error) {
	if u, err = f.Person(p.As); err == nil {
		a, err = f.App(p.App)
	}
	if err == nil {
		c, err = f.Channel(u, a, p.Channel)
	}
	return u, a, c, err
}

// On is who uses which message.
type On struct {
	As      string `json:"as"`
	Message string `json:"message"`
}

// Who finds the person and the message.
func (o On) Who(f Finder) (*sandbox.User, *sandbox.Message, error) {
	u, err := f.Person(o.As)
	if err != nil {
		return nil, nil, err
	}
	m, err := f.Message(u, o.Message)
	return u, m, err
}

// Options are the options of a command.
type Options interface {
	// Given lists them for what the command's registration asks for.
	Given(specs []rules.CommandOption) []Given
}

// Command is a slash command.
type Command[O Options] struct {
	Place
	// Path is the command's name, group and subcommand, parted by spaces.
	Path    string `json:"path"`
	Options O      `json:"options,omitempty"`
	// Focused is the option that wants suggestions, of one that is still being typed.
	Focused string `json:"focused,omitempty"`
}

// Find finds who sends the command.
func (in Command[O]) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	u, c, err := in.typed(f)
	return u, c, err
}

func (in Command[O]) typed(f Finder) (*sandbox.User, sandbox.SlashCommand, error) {
	u, a, c, err := in.Where(f)
	if err != nil {
		return nil, sandbox.SlashCommand{}, err
	}
	specs, ok := optionsOf(sandbox.Offered(u, c), a, in.Path)
	if !ok { // what is sent says why there is none
		return u, sandbox.SlashCommand{App: a, Channel: c, Path: in.Path}, nil
	}
	args, err := argsOf(f, c, specs, in.Options.Given(specs))
	return u, sandbox.SlashCommand{App: a, Channel: c, Path: in.Path, Args: args}, err
}

// Autocomplete is a slash command that is still being typed.
type Autocomplete[O Options] struct{ Command[O] }

// Find finds who types.
func (in Autocomplete[O]) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	u, c, err := in.typed(f)
	return u, sandbox.AutocompleteQuery{SlashCommand: c, Focused: in.Focused}, err
}

// Context picks an entry of the context menu of a person or a message.
type Context struct {
	Place
	Name    string `json:"name"`
	User    string `json:"user,omitempty"`
	Message string `json:"message,omitempty"`
}

// Find finds who picks it, and on whom or what.
func (in Context) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	if in.Message != "" {
		a, err := f.App(in.App)
		if err != nil {
			return nil, nil, err
		}
		u, m, err := On{in.As, in.Message}.Who(f)
		return u, sandbox.MessageCommand{App: a, Name: in.Name, Target: m}, err
	}
	u, a, c, err := in.Where(f)
	if err != nil {
		return nil, nil, err
	}
	target, err := f.Other(in.User)
	return u, sandbox.UserCommand{App: a, Channel: c, Name: in.Name, Target: target}, err
}

// Click presses a button: by label, by custom id, or by its place.
type Click struct {
	On
	Label    string `json:"label,omitempty"`
	CustomID string `json:"custom_id,omitempty"`
	Row      int    `json:"row,omitempty"`
	Column   int    `json:"column,omitempty"`
	Forced   bool   `json:"forced,omitempty"`
}

// Find finds who presses it.
func (in Click) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	u, m, err := in.Who(f)
	return u, sandbox.ButtonClick{Message: m, Label: in.Label, CustomID: in.CustomID, Row: in.Row, Column: in.Column, Forced: in.Forced}, err
}

// Select chooses in a select: values of options, or what a Finder knows by name.
type Select struct {
	On
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values"`
	Forced   bool     `json:"forced,omitempty"`
}

// Find finds who chooses.
func (in Select) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	u, m, err := in.Who(f)
	if err != nil {
		return nil, nil, err
	}
	c, _ := m.Snapshot().Find(in.CustomID)
	values, names := slices.Clone(in.Values), f.Names(m.Channel())
	for i, v := range values {
		values[i] = names.id(c.Type, v)
	}
	return u, sandbox.Selection{Message: m, CustomID: in.CustomID, Values: values, Forced: in.Forced}, nil
}

// Modal fills in and sends the modal that a call was answered with.
type Modal struct {
	As     string              `json:"as"`
	Call   string              `json:"call"`
	Values map[string][]string `json:"values,omitempty"`
	// Files are those whose names are among the values.
	Files []sandbox.File `json:"files,omitempty"`
}

// Find finds who sends it.
func (in Modal) Find(f Finder) (*sandbox.User, sandbox.Action, error) {
	u, err := f.Person(in.As)
	if err != nil {
		return nil, nil, err
	}
	c, err := f.Call(u, in.Call)
	return u, sandbox.ModalSubmission{Call: c, Lists: in.Values, Files: in.Files}, err
}
