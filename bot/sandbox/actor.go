package sandbox

import "time"

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
	u.world.mu.Lock()
	defer u.world.mu.Unlock()
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
	w.mu.Lock()
	defer w.mu.Unlock()
	c, err := u.prepareLocked(a)
	if err != nil {
		return nil, err
	}
	w.dispatchLocked(c)
	return c, nil
}

// start acts for a test.
func (u *User) start(tb TB, a Action) *Call {
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
	return u.start(tb, SlashCommand{Channel: ch, Path: path, Args: args})
}

// Command sends a slash command and waits for the answer.
func (u *User) Command(tb TB, ch *Channel, path string, args ...Arg) *Reply {
	tb.Helper()
	return u.StartCommand(tb, ch, path, args...).Wait(tb)
}

// StartUserCommand picks an entry in target's context menu without waiting.
func (u *User) StartUserCommand(tb TB, ch *Channel, name string, target *User) *Call {
	tb.Helper()
	return u.start(tb, UserCommand{Channel: ch, Name: name, Target: target})
}

// UserCommand picks an entry in target's context menu and waits for the answer.
func (u *User) UserCommand(tb TB, ch *Channel, name string, target *User) *Reply {
	tb.Helper()
	return u.StartUserCommand(tb, ch, name, target).Wait(tb)
}

// StartClick presses the first button of that label without waiting.
func (u *User) StartClick(tb TB, m *Message, label string, opts ...ClickOption) *Call {
	tb.Helper()
	return u.start(tb, ButtonClick{Message: m, Label: label}.with(opts))
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
	return u.start(tb, ButtonClick{Message: m, Row: row, Column: column}.with(opts))
}

// ClickCell presses the button at that row and column of Snapshot.Rows, both
// from 0, and waits for the answer.
func (u *User) ClickCell(tb TB, m *Message, row, column int, opts ...ClickOption) *Reply {
	tb.Helper()
	return u.StartClickCell(tb, m, row, column, opts...).Wait(tb)
}

// StartClickID presses the button of that custom id without waiting; with
// Forced the message need not have it.
func (u *User) StartClickID(tb TB, m *Message, customID string, opts ...ClickOption) *Call {
	tb.Helper()
	return u.start(tb, ButtonClick{Message: m, CustomID: customID}.with(opts))
}

// ClickID presses the button of that custom id and waits for the answer.
func (u *User) ClickID(tb TB, m *Message, customID string, opts ...ClickOption) *Reply {
	tb.Helper()
	return u.StartClickID(tb, m, customID, opts...).Wait(tb)
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
	return u.start(tb, Selection{Message: m, CustomID: customID, Values: values}).Wait(tb)
}

// SubmitModal sends the modal that c was answered with and waits for the answer.
func (u *User) SubmitModal(tb TB, c *Call, values map[string]string) *Reply {
	tb.Helper()
	return u.start(tb, ModalSubmission{Call: c, Values: values}).Wait(tb)
}

// Autocomplete asks for suggestions for the option focused and waits for them.
func (u *User) Autocomplete(tb TB, ch *Channel, path, focused string, args ...Arg) *Reply {
	tb.Helper()
	return u.start(tb, AutocompleteQuery{Channel: ch, Path: path, Args: args, Focused: focused}).Wait(tb)
}

// Say writes a plain message, without any command. With files the text may be empty.
func (u *User) Say(ch *Channel, text string, files ...File) (*Message, error) {
	u.world.mu.Lock()
	defer u.world.mu.Unlock()
	return u.world.sayLocked(u, ch, text, files)
}

// Type shows that the person is writing.
func (u *User) Type(ch *Channel) error {
	u.world.mu.Lock()
	defer u.world.mu.Unlock()
	if !ch.visibleTo(u) {
		return ErrNotVisible
	}
	u.world.typingLocked(ch, u)
	return nil
}

// Dismiss removes an ephemeral message from the person's view, as its "Dismiss
// message" does. Bots are not told.
func (u *User) Dismiss(m *Message) error {
	u.world.mu.Lock()
	defer u.world.mu.Unlock()
	if m.viewer != u || m.deleted {
		return ErrNotVisible
	}
	u.world.dismissLocked(m)
	return nil
}
