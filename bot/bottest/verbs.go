package bottest

import (
	"encoding/json"
	"strings"
	"testing"

	"tictactoe/bot/marks"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/waittest"
)

// Play starts a match against the bot and returns its board.
func (w *World) Play(t testing.TB, who *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	t.Helper()
	return w.Answer(t, who.Command(t, w.Channel, "tictactoe play", args...))
}

// PlayPrivately starts a private match against the bot and returns its board.
func (w *World) PlayPrivately(t testing.TB, who *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	t.Helper()
	return w.Play(t, who, append([]sandbox.Arg{sandbox.Opt("private", true)}, args...)...)
}

// Offer has one challenge the other, and returns the message that asks.
func (w *World) Offer(t testing.TB, who, whom *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	t.Helper()
	return w.Answer(t, who.Command(t, w.Channel, "tictactoe challenge", append(args, sandbox.OptUser("user", whom))...))
}

// Challenge has one challenge the other and the other accept, and returns the board.
func (w *World) Challenge(t testing.TB, who, whom *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	t.Helper()
	m := w.Offer(t, who, whom, args...)
	whom.Click(t, m, "Accept")
	WantText(t, m, "your move")
	return m
}

// Finished plays a match between Ada and Bob that Ada wins.
func (w *World) Finished(t testing.TB) *sandbox.Message {
	t.Helper()
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	return m
}

// More has somebody look for what a board has no room for.
func (w *World) More(t testing.TB, who *sandbox.User, m *sandbox.Message) *sandbox.Message {
	t.Helper()
	label := "More"
	if !Over(m.Snapshot()) {
		label = "⋯ More"
	}
	return w.Refused(t, who.Click(t, m, label), "What next?")
}

// Resign has somebody resign on the board, confirm it, and waits until it shows.
func (w *World) Resign(t testing.TB, who *sandbox.User, m *sandbox.Message) sandbox.Snapshot {
	t.Helper()
	who.Click(t, w.Answer(t, who.Click(t, m, "⋯ More")), "Resign")
	return WantText(t, m, "resigned")
}

// Answer returns the message of a reply that came in time. What a button on a private
// message has everybody see comes behind the answer.
func (w *World) Answer(t testing.TB, r *sandbox.Reply) *sandbox.Message {
	t.Helper()
	if r.Answered() && r.Type == sandbox.CallbackDeferUpdate && r.Message == nil {
		return w.Posted(t, r.Call)
	}
	if !r.Answered() || r.Message == nil {
		t.Fatalf("%v: answered %v with type %d and no message; problems %v", r.Call, r.Answered(), r.Type, r.Problems)
	}
	return r.Message
}

// Posted waits for the message that everybody sees of a click on a private one: posted by
// the bot's own right under the number of the click, or else following it.
func (w *World) Posted(t testing.TB, c *sandbox.Call) (m *sandbox.Message) {
	t.Helper()
	waittest.Until(t, "a message for everybody behind "+c.String(), func() bool {
		for _, seen := range append(w.PostedUnder(c.Channel(), c.ID()), c.Reply().Followups()...) {
			if !seen.Snapshot().Ephemeral() {
				m = seen
				return true
			}
		}
		return false
	})
	return m
}

// PostedUnder returns the messages of a channel that the bot has posted under a nonce.
func (w *World) PostedUnder(ch *sandbox.Channel, nonce string) (posted []*sandbox.Message) {
	for _, m := range ch.Messages(nil) {
		var body struct{ Nonce string }
		if s := m.Snapshot(); len(s.Writes) > 0 && json.Unmarshal(s.Writes[0].Body, &body) == nil && body.Nonce == nonce {
			posted = append(posted, m)
		}
	}
	return posted
}

// Cell clicks the cell of that name, or chooses it where the board is a list.
func (w *World) Cell(t testing.TB, who *sandbox.User, m *sandbox.Message, name string) *sandbox.Reply {
	t.Helper()
	var r *sandbox.Reply
	if list, ok := List(m.Snapshot()); ok {
		r = who.Select(t, m, list.CustomID, Choice(t, list, name))
	} else {
		row, column := cellAt(t, name)
		r = who.ClickCell(t, m, row, column)
	}
	if !r.Answered() {
		t.Fatalf("click on %s was not answered: %v", name, r.Problems)
	}
	return r
}

// Choice returns the value of a cell in the list of a board.
func Choice(t testing.TB, list rules.Component, name string) string {
	t.Helper()
	for _, o := range list.Options {
		if strings.HasPrefix(o.Label, name) {
			return o.Value
		}
	}
	t.Fatalf("there is no choice %s", name)
	return ""
}

// Cells clicks cells in turn, the first player first, each once the board shows the move
// before, and waits until it shows the last one: on a busy machine a picture may follow
// the answer. None may be refused, which can be seen of a click at once, and of a choice
// in a list by what comes behind its answer. Where a picture may go back, who clicks on an
// old one clicks again when it is mended.
func (w *World) Cells(t testing.TB, m *sandbox.Message, first, second *sandbox.User, names ...string) {
	t.Helper()
	for i, name := range names {
		who := first
		if i%2 == 1 {
			who = second
		}
		before := Ply(m.Snapshot())
		further := func(s sandbox.Snapshot) bool { return Ply(s) > before }
		r := w.Cell(t, who, m, name)
		for w.config.goBack && r.Type == sandbox.CallbackMessage && strings.HasPrefix(r.Text(), "The board has just changed") {
			m.Wait(t, "the picture that was there before", further)
			before = Ply(m.Snapshot())
			r = w.Cell(t, who, m, name)
		}
		if r.Type == sandbox.CallbackMessage {
			t.Fatalf("%s by %s was refused: %s", name, who.Name(), r.Text())
		}
		m.Wait(t, "the move "+name, further)
	}
}

// Refused checks that the reply is a private message with the text and the buttons,
// and returns it.
func (w *World) Refused(t testing.TB, r *sandbox.Reply, text string, buttons ...string) *sandbox.Message {
	t.Helper()
	m := w.Answer(t, r)
	s := m.Snapshot()
	if !s.Ephemeral() {
		t.Errorf("%v: the refusal is public: %s", r.Call, s.Text())
	}
	if !strings.Contains(s.Text(), text) {
		t.Errorf("%v: refused with %q, want %q", r.Call, s.Text(), text)
	}
	for _, label := range buttons {
		if _, ok := s.Button(label); !ok {
			t.Errorf("%v: the refusal has no button %q", r.Call, label)
		}
	}
	if len(s.Pinged) > 0 {
		t.Errorf("%v: the refusal notifies %v", r.Call, s.Pinged)
	}
	return m
}

// FollowUp waits for a private message behind the answer that says the text.
func (w *World) FollowUp(t testing.TB, r *sandbox.Reply, text string) *sandbox.Message {
	t.Helper()
	waittest.Until(t, "a message behind the answer", func() bool { return len(r.Followups()) == 1 })
	m := r.Followups()[0]
	if s := m.Snapshot(); !s.Ephemeral() || !strings.Contains(s.Text(), text) {
		t.Fatalf("behind the answer came %q, private %v, want %q", s.Text(), s.Ephemeral(), text)
	}
	return m
}

// Stale prepares a click on a button that the message has now, to be sent when it may
// no longer have it.
func (w *World) Stale(t testing.TB, who *sandbox.User, m *sandbox.Message, label string) func() *sandbox.Reply {
	t.Helper()
	id := CustomID(t, m, label)
	return func() *sandbox.Reply { return who.ClickID(t, m, id, sandbox.Forced) }
}

// CustomID returns the custom ID of the button of that label.
func CustomID(t testing.TB, m *sandbox.Message, label string) string {
	t.Helper()
	b, ok := m.Snapshot().Button(label)
	if !ok {
		t.Fatalf("no button %q on %q", label, m.Text())
	}
	return b.CustomID
}

// Shows waits until the message shows the board.
func (w *World) Shows(t testing.TB, m *sandbox.Message, board string) {
	t.Helper()
	m.Wait(t, "the board "+board, func(s sandbox.Snapshot) bool { return Grid(s) == board })
}

// Settled waits until the board has so many empty cells.
func (w *World) Settled(t testing.TB, m *sandbox.Message, free int) {
	t.Helper()
	m.Wait(t, "the board to settle", func(s sandbox.Snapshot) bool { return len(Empties(s)) == free })
}

// WantText waits until the message contains the text.
func WantText(t testing.TB, m *sandbox.Message, text string) sandbox.Snapshot {
	t.Helper()
	return m.Wait(t, "a message with "+text, func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), text) })
}

// Emoji returns what stands in texts for a picture of a mark, such as "star_win". The
// application has to have it: see [OwnMarks].
func Emoji(t testing.TB, w *World, name string) string {
	t.Helper()
	api := rest.New(rest.Options{BaseURL: w.Discord.APIURL(), Token: w.Discord.Token()})
	defer api.Close()
	api.SetApplicationID(w.Discord.AppID())
	list, err := api.Emojis(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range marks.All() {
		for _, e := range list {
			if m.Name == name && e.Name == m.Emoji {
				return "<:" + e.Name + ":" + e.ID + ">"
			}
		}
	}
	t.Fatalf("the application has no emoji of %q", name)
	return ""
}
