package sandbox

import (
	"errors"
	"fmt"
	"time"

	"tictactoe/bot/sandbox/internal/client"
	"tictactoe/bot/sandbox/internal/door"
)

// ClickOption changes how a click is made; see Forced and Ago.
type ClickOption func(*ButtonClick)

// Forced sends the click although the person's client should not: the message
// may be invisible or deleted, the button disabled or gone.
func Forced(c *ButtonClick) { c.Forced = true }

// Ago makes the click on the picture of the message that the person had so long
// ago; see ButtonClick.Ago.
func Ago(d time.Duration) ClickOption { return func(c *ButtonClick) { c.Ago = d } }

func (a ButtonClick) with(opts []ClickOption) ButtonClick {
	for _, f := range opts {
		f(&a)
	}
	return a
}

// Prepare makes the interaction of an action without sending it; see
// Server.DispatchTogether. The error wraps one of the package's, for what the
// person's client would refuse.
func (u *User) Prepare(a Action) (*Call, error) {
	defer u.world.hold()()
	return u.prepareLocked(a)
}

// Do acts and returns at once, before the bot has answered.
//
// A person looks at a message before they use it. When a component of a message
// is used sooner than Options.LookTime after its last edit, the server says that
// the edit was made that much earlier: edited_timestamp is moved back, and nobody
// waits. A click with Ago or Forced is made without looking.
func (u *User) Do(a Action) (*Call, error) {
	w := u.world
	defer w.hold()()
	c, err := u.prepareLocked(a)
	if err != nil {
		return nil, err
	}
	c.dispatch()
	return c, nil
}

// Start is Do for a test.
func (u *User) Start(tb TB, a Action) *Call {
	tb.Helper()
	c, err := u.Do(a)
	if err != nil {
		tb.Fatalf("sandbox: %s: %v: %v", u.Name(), a, err)
	}
	return c
}

// StartCommand sends a slash command, such as "tictactoe play", without waiting
// for the answer. What the person's client would refuse fails the test.
func (u *User) StartCommand(tb TB, ch *Channel, path string, args ...Arg) *Call {
	tb.Helper()
	return u.Start(tb, SlashCommand{Channel: ch, Path: path, Args: args})
}

// Command sends a slash command and waits for the answer.
func (u *User) Command(tb TB, ch *Channel, path string, args ...Arg) *Reply {
	tb.Helper()
	return u.StartCommand(tb, ch, path, args...).Wait(tb)
}

// UserCommand picks an entry in target's context menu and waits for the answer.
func (u *User) UserCommand(tb TB, ch *Channel, name string, target *User) *Reply {
	tb.Helper()
	return u.Start(tb, UserCommand{Channel: ch, Name: name, Target: target}).Wait(tb)
}

// StartClick presses the first button of that label without waiting.
func (u *User) StartClick(tb TB, m *Message, label string, opts ...ClickOption) *Call {
	tb.Helper()
	return u.Start(tb, ButtonClick{Message: m, Label: label}.with(opts))
}

// Click presses the first button of that label and waits for the answer.
func (u *User) Click(tb TB, m *Message, label string, opts ...ClickOption) *Reply {
	tb.Helper()
	return u.StartClick(tb, m, label, opts...).Wait(tb)
}

// StartClickCell presses the button at that row and column of Snapshot.Rows,
// both from 0, without waiting.
func (u *User) StartClickCell(tb TB, m *Message, row, column int, opts ...ClickOption) *Call {
	tb.Helper()
	return u.Start(tb, ButtonClick{Message: m, Row: row, Column: column}.with(opts))
}

// ClickCell presses the button at that row and column of Snapshot.Rows, both
// from 0, and waits for the answer.
func (u *User) ClickCell(tb TB, m *Message, row, column int, opts ...ClickOption) *Reply {
	tb.Helper()
	return u.StartClickCell(tb, m, row, column, opts...).Wait(tb)
}

// ClickID presses the button of that custom id and waits for the answer; with
// Forced the message need not have it.
func (u *User) ClickID(tb TB, m *Message, customID string, opts ...ClickOption) *Reply {
	tb.Helper()
	return u.Start(tb, ButtonClick{Message: m, CustomID: customID}.with(opts)).Wait(tb)
}

// PrepareClick makes a click on the button of that label without sending it.
func (u *User) PrepareClick(tb TB, m *Message, label string, opts ...ClickOption) *Call {
	tb.Helper()
	return u.MustPrepare(tb, ButtonClick{Message: m, Label: label}.with(opts))
}

// PrepareClickCell makes a click on the button at that row and column without
// sending it.
func (u *User) PrepareClickCell(tb TB, m *Message, row, column int, opts ...ClickOption) *Call {
	tb.Helper()
	return u.MustPrepare(tb, ButtonClick{Message: m, Row: row, Column: column}.with(opts))
}

// MustPrepare is Prepare for a test.
func (u *User) MustPrepare(tb TB, a Action) *Call {
	tb.Helper()
	c, err := u.Prepare(a)
	if err != nil {
		tb.Fatalf("sandbox: %s: %v: %v", u.Name(), a, err)
	}
	return c
}

// Select chooses values in the select of that custom id and waits for the answer.
func (u *User) Select(tb TB, m *Message, customID string, values ...string) *Reply {
	tb.Helper()
	return u.Start(tb, Selection{Message: m, CustomID: customID, Values: values}).Wait(tb)
}

// Autocomplete asks for suggestions for the option focused and waits for them.
func (u *User) Autocomplete(tb TB, ch *Channel, path, focused string, args ...Arg) *Reply {
	tb.Helper()
	return u.Start(tb, AutocompleteQuery{SlashCommand{Channel: ch, Path: path, Args: args}, focused}).Wait(tb)
}

// Say writes a plain message, without any command. With files the text may be empty.
func (u *User) Say(ch *Channel, text string, files ...File) (*Message, error) {
	defer u.world.hold()()
	return ch.say(u, text, files)
}

// Type shows that the person is writing.
func (u *User) Type(ch *Channel) error {
	defer u.world.hold()()
	if !ch.visibleTo(u) {
		return ErrNotVisible
	}
	ch.typing(u)
	return nil
}

// Dismiss removes an ephemeral message from the person's view, as its "Dismiss
// message" does. Bots are not told.
func (u *User) Dismiss(m *Message) error {
	defer u.world.hold()()
	if m.viewer != u || m.deleted {
		return ErrNotVisible
	}
	m.putAway()
	m.dismissed = true // the bot can still edit it in vain
	return nil
}

// Action is something a person does that sends an interaction: a SlashCommand,
// UserCommand, MessageCommand, ButtonClick, Selection, ModalSubmission or
// AutocompleteQuery.
type Action interface {
	// prepare checks, with the server's lock held, that the person's client
	// would let them do it, and makes the interaction without sending it.
	prepare(u *User) (*Call, error)
	fmt.Stringer
}

// Arg is one option of a slash command; see Opt and OptUser.
type Arg = client.Arg

// Opt is a slash command's option with its value: a string, bool, int, int64,
// float64, *User, *Channel, *Role or File, as the command's registration says. For an option
// with choices it is the value of a choice.
func Opt(name string, value any) Arg { return Arg{Name: name, Value: value} }

// OptUser is a slash command's option whose value is a person.
func OptUser(name string, u *User) Arg { return Arg{Name: name, Value: u} }

// SlashCommand sends a slash command. Path is the command's name and, if it has
// any, its group and subcommand, parted by spaces.
type SlashCommand struct {
	Channel *Channel
	Path    string
	Args    []Arg
	// App is whose it is; nil is for the first that offers one of that name.
	App *App
	// Forced sends it although the person lacks the permissions that the command asks for
	// by default, or chooses what is not offered. Discord shows it to nobody else, but a server
	// can give it to anybody, and a client may know a version before.
	Forced bool
}

// UserCommand picks an application's entry in a person's context menu.
type UserCommand struct {
	Channel *Channel
	Name    string
	Target  *User
	// App is whose it is; nil is for the first that offers one of that name.
	App *App
}

// MessageCommand picks an application's entry in a message's context menu.
type MessageCommand struct {
	Name   string
	Target *Message
	// App is whose it is; nil is for the first that offers one of that name.
	App *App
}

// ButtonClick presses a button: the one with CustomID if that is not empty, else
// the first with Label, else the one at Row and Column of Snapshot.Rows.
type ButtonClick struct {
	Message     *Message
	CustomID    string
	Label       string
	Row, Column int
	// Ago is how old the picture is that the person taps on: the button is looked
	// for on the message as it stood that long ago, on the server's clock. Such a
	// tap is made without looking first, whatever Options.LookTime says.
	Ago time.Duration
	// Forced skips the checks of the person's client: that they see the
	// message, that it still has the button, and that it is enabled. Forged
	// clients send such clicks. What becomes of them is for Options.Clicks.
	Forced bool
}

// Selection chooses in a select. Values are those of options, or ids for
// selects of users, roles and channels.
type Selection struct {
	Message  *Message
	CustomID string
	Values   []string
	// Ago and Forced are as for a ButtonClick.
	Ago    time.Duration
	Forced bool
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
	// Files are the contents of the files that Lists name.
	Files []File
}

// File is something that a person uploads: with a message, for an option of a
// command, or in a modal. In JSON its content is base64.
type File struct {
	Name    string `json:"name"`
	Content []byte `json:"content"`
}

// AutocompleteQuery asks for suggestions while the option Focused of a slash
// command is being typed; its text so far is in Args.
type AutocompleteQuery struct {
	SlashCommand
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
		return fmt.Sprintf("click on row %d, column %d, counted from 0", a.Row, a.Column)
	}
}

// Errors of what a person tries to do; the actor methods that return an error
// wrap one of these.
var (
	// ErrNotLoopback refuses an Options.Addr that other machines could reach, unless
	// Options.AllowHosts and Options.Key say that they may.
	ErrNotLoopback = door.ErrNotLoopback
	// ErrClosed is returned once the server was closed.
	ErrClosed = errors.New("sandbox: server is closed")
	// ErrUnknownCommand means that no such command is registered where the person is.
	ErrUnknownCommand = client.ErrUnknownCommand
	// ErrBadOption means that the client would not have let the person send
	// these options: unknown, missing, of the wrong type or out of range.
	ErrBadOption = client.ErrBadOption
	// ErrForbidden means that the person lacks the permission, or is not in the guild.
	ErrForbidden = errors.New("sandbox: not permitted")
	// ErrNotVisible means that the person cannot see the message or channel.
	ErrNotVisible = errors.New("sandbox: not visible to this person")
	// ErrNoComponent means that the message shows no such component.
	ErrNoComponent = client.ErrNoComponent
	// ErrDisabled means that the component is disabled.
	ErrDisabled = errors.New("sandbox: component is disabled")
	// ErrNoModal means that the call was not answered with a modal.
	ErrNoModal = errors.New("sandbox: no modal is open")
	// ErrUnknownFault means that no fault has that name or that its arguments make no sense.
	ErrUnknownFault = errors.New("sandbox: no such fault")
	// ErrGone means that the message, channel or person no longer exists.
	ErrGone = errors.New("sandbox: gone")
)
