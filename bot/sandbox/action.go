package sandbox

import "fmt"

// Action is something a person does that sends an interaction: a SlashCommand,
// UserCommand, MessageCommand, ButtonClick, Selection, ModalSubmission or
// AutocompleteQuery.
type Action interface {
	// prepare checks, with the server's lock held, that the person's client
	// would let them do it, and makes the interaction without sending it.
	prepare(s *Server, u *User) (*Call, error)
	fmt.Stringer
}

// Arg is one option of a slash command; see Opt and OptUser.
type Arg struct {
	Name string
	// Value is a string, bool, int, int64, float64, *User or *Channel.
	Value any
}

// Opt is a slash command's option with its value: a string, bool, int, int64,
// float64, *User or *Channel, as the command's registration says. For an option
// with choices it is the value of a choice.
func Opt(name string, value any) Arg { return Arg{name, value} }

// OptUser is a slash command's option whose value is a person.
func OptUser(name string, u *User) Arg { return Arg{name, u} }

// SlashCommand sends a slash command. Path is the command's name and, if it has
// any, its group and subcommand, parted by spaces.
type SlashCommand struct {
	Channel *Channel
	Path    string
	Args    []Arg
}

// UserCommand picks an application's entry in a person's context menu.
type UserCommand struct {
	Channel *Channel
	Name    string
	Target  *User
}

// MessageCommand picks an application's entry in a message's context menu.
type MessageCommand struct {
	Name   string
	Target *Message
}

// ButtonClick presses a button: the one with CustomID if that is not empty, else
// the first with Label, else the one at Row and Column of Snapshot.Rows.
type ButtonClick struct {
	Message     *Message
	CustomID    string
	Label       string
	Row, Column int
	// Forced skips the checks of the person's client: that they see the
	// message, that it still has the button, and that it is enabled. Clients
	// that show an older state, or forged ones, send such clicks.
	Forced bool
}

// Selection chooses in a select. Values are those of options, or ids for
// selects of users, roles and channels.
type Selection struct {
	Message  *Message
	CustomID string
	Values   []string
	Forced   bool
}

// ModalSubmission fills in and sends the modal that Call was answered with.
// Values are by the custom ids of the inputs; those left out keep their
// prefilled value.
type ModalSubmission struct {
	Call   *Call
	Values map[string]string
	// Lists are what was chosen where there can be several: values of options,
	// ids of people and channels, names of files, "true" or "false" for a
	// checkbox. An input that is in neither keeps what it was sent with.
	Lists map[string][]string
}

// AutocompleteQuery asks for suggestions while the option Focused of a slash
// command is being typed; its text so far is in Args.
type AutocompleteQuery struct {
	Channel *Channel
	Path    string
	Args    []Arg
	Focused string
}

func (a SlashCommand) String() string      { return "/" + a.Path }
func (a UserCommand) String() string       { return fmt.Sprintf("%q on a person", a.Name) }
func (a MessageCommand) String() string    { return fmt.Sprintf("%q on a message", a.Name) }
func (a Selection) String() string         { return fmt.Sprintf("selection in %q", a.CustomID) }
func (a ModalSubmission) String() string   { return "modal" }
func (a AutocompleteQuery) String() string { return "autocomplete of /" + a.Path }

func (a ButtonClick) String() string {
	switch {
	case a.CustomID != "":
		return fmt.Sprintf("click on button %q", a.CustomID)
	case a.Label != "":
		return fmt.Sprintf("click on %q", a.Label)
	default:
		return fmt.Sprintf("click on row %d, column %d", a.Row+1, a.Column+1)
	}
}
