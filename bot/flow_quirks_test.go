package bot_test

import (
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/quirks"
	"tictactoe/bot/sandbox"
)

// TestBlankLabelsAreRefused: where Discord does not take a zero-width space as a label, the
// message that it refused is sent again at once, with dots, and so is every one behind it. The
// database knows it at the next start.
func TestBlankLabelsAreRefused(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Departing("BlanksNever"))
	m := w.Play(t, w.Ada, sandbox.Opt("first", "me"))
	if n := refusedBlanks(w); n != 1 {
		t.Errorf("%d messages were refused before the first board, want 1", n)
	}
	w.Cells(t, m, w.Ada, nil, "b2")
	for _, cell := range m.Snapshot().Rows()[0] {
		if cell.Label == "\u200b" || cell.Label == "" && cell.Emoji == nil {
			t.Errorf("a cell is labelled %q", cell.Label)
		}
	}
	quirkTold(t, w, quirks.BlankLabels, "Empty cells show a dot")
	w.Restart(t)
	w.Elsewhere("later")
	w.Challenge(t, w.Ada, w.Bob)
	if n := refusedBlanks(w); n != 1 {
		t.Errorf("%d messages were refused, want 1 for ever", n)
	}
	quirkTold(t, w, quirks.BlankLabels, "Empty cells show a dot")
}

// TestNumbersAreChanged: where components come back with other numbers than they were given, in
// answers or in clicks alone, boards carry the number of the move in small print.
func TestNumbersAreChanged(t *testing.T) {
	t.Parallel()
	for _, departure := range []string{"NumbersNever", "ClicksRenumbered"} {
		t.Run(departure, func(t *testing.T) {
			t.Parallel()
			w := bottest.New(t, bottest.Departing(departure))
			m := w.Play(t, w.Ada, sandbox.Opt("first", "me"))
			w.Cells(t, m, w.Ada, nil, "b2")
			if text := m.Text(); !strings.HasSuffix(firstText(text), "\n-# 2") {
				t.Errorf("the board after two moves says %q", text)
			}
			quirkTold(t, w, quirks.ChangedNumbers, "in small print")
			w.Restart(t)
			w.Elsewhere("later")
			if text := w.Challenge(t, w.Ada, w.Bob).Text(); !strings.Contains(text, "\n-# 0") {
				t.Errorf("the next board says %q", text)
			}
			quirkTold(t, w, quirks.ChangedNumbers, "in small print")
		})
	}
}

// firstText is the text above a board.
func firstText(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	return first
}

// refusedBlanks is how many messages Discord has refused.
func refusedBlanks(w *bottest.World) (n int) {
	for _, r := range w.Discord.REST().Requests() {
		if r.Status == 400 && strings.Contains(string(r.Response), `"label":{"_errors"`) {
			n++
		}
	}
	return n
}

// quirkTold checks that a quirk is in the log once, and known to the figures and the check of a server.
func quirkTold(t *testing.T, w *bottest.World, q quirks.Quirk, text string) {
	t.Helper()
	if n := strings.Count(w.Log.Tail(), "quirk="+string(q)); n != 1 {
		t.Errorf("%d lines of the log tell of %s, want 1", n, q)
	}
	if !w.Service.Quirks().Has(q) {
		t.Errorf("the figures do not know of %s", q)
	}
	mona := manager(w, "Mona")
	bottest.WantText(t, w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin check")), text)
}

// TestAsDocumented: on a Discord that does what it says nothing of this is there.
func TestAsDocumented(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Play(t, w.Ada, sandbox.Opt("first", "me"))
	w.Cells(t, m, w.Ada, nil, "b2")
	for _, q := range quirks.All {
		if w.Service.Quirks().Has(q) {
			t.Errorf("%s was found", q)
		}
	}
	if text := m.Text(); strings.Contains(text, "\n-# 2") {
		t.Errorf("the board says %q", text)
	}
}
