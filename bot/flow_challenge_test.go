package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
)

func TestTwoPeople(t *testing.T) {
	w := newWorld(t)
	r := w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob))
	m := w.answer(r)
	s := m.Snapshot()
	want := fmt.Sprintf("%s, %s challenges you to tic-tac-toe (3×3).", w.bob.Mention(), w.ada.Mention())
	if !strings.HasPrefix(s.Content, want) {
		t.Errorf("the challenge says %q, want %q", s.Content, want)
	}
	if s.V2() {
		t.Error("a challenge of components notifies with an empty text")
	}
	if !slices.Contains(s.Pinged, w.bob.ID()) {
		t.Errorf("the challenge notifies %v, not the challenged", s.Pinged)
	}
	w.refused(w.cleo.Click(t, m, "Accept"), "This challenge is for "+w.bob.Mention())
	w.refused(w.ada.Click(t, m, "Accept"), "This challenge is for "+w.bob.Mention())

	r = w.bob.Click(t, m, "Accept")
	if r.Type != sandbox.CallbackUpdate || r.Message != m {
		t.Fatalf("Accept made another message: type %d", r.Type)
	}
	s = m.Snapshot()
	if !s.V2() || s.Content != "" {
		t.Errorf("something is left of the challenge: %q", s.Content)
	}
	for _, label := range []string{"Accept", "Decline", "Cancel challenge"} {
		if _, ok := s.Button(label); ok {
			t.Errorf("the button %q is left on the board", label)
		}
	}
	if !strings.Contains(s.Text(), "❌ "+w.ada.Mention()+" to move") {
		t.Errorf("the board says %q", s.Text())
	}
	w.refused(w.bob.ClickCell(t, m, 0, 0), "Not yet: it is "+w.ada.Mention()+"'s turn.")
	w.refused(w.cleo.ClickCell(t, m, 0, 0), "Want one of your own?", "Play privately")
	w.cells(m, w.ada, w.bob, "b2", "a1")
	w.refused(w.ada.ClickCell(t, m, 0, 0), "a1 is taken. Pick an empty cell.")
	w.cells(m, w.ada, w.bob, "c1", "a3", "a2")
	w.cells(m, w.bob, w.ada, "c2", "b1", "b3", "c3")
	s = m.Snapshot()
	if !strings.Contains(s.Text(), "🤝 A draw.") {
		t.Errorf("the full board says %q", s.Text())
	}
	if _, ok := s.Button("Play the winner"); ok {
		t.Error("a draw has a winner to play")
	}
	if len(s.Unknown) > 0 {
		t.Errorf("viewers see @unknown-user for %v", s.Unknown)
	}
}

func TestTwoPeopleWinningLine(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "a2", "b2", "a3", "c3")
	s := m.Snapshot()
	if want := "🏁 ❌ " + w.ada.Mention() + " wins: a1 b2 c3"; !strings.HasPrefix(s.Text(), want) {
		t.Errorf("the finished board says %q, want %q", s.Text(), want)
	}
	if want := "❎⬜⬜\n⭕❎⬜\n⭕⬜❎"; !strings.Contains(s.Text(), want) {
		t.Errorf("the board does not stand as text:\n%s", s.Text())
	}
	for r, row := range s.Rows()[:3] {
		for c, b := range row {
			if !b.Disabled {
				t.Errorf("cell %d,%d can still be pressed", c, r)
			}
			if won := r == c; won != (b.Style == 3) {
				t.Errorf("cell %d,%d has style %d", c, r, b.Style)
			}
		}
	}
}

func TestOpenTable(t *testing.T) {
	w := newWorld(t)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.Opt("board", "4x4")))
	if want := w.ada.Mention() + " is looking for an opponent: tic-tac-toe, 4×4."; !strings.HasPrefix(m.Text(), want) {
		t.Errorf("the table says %q, want %q", m.Text(), want)
	}
	w.refused(w.ada.Click(t, m, "Join"), "your own table")
	w.refused(w.bob.Click(t, m, "Close table"), "Only "+w.ada.Mention())
	w.cleo.Click(t, m, "Join")
	w.cells(m, w.ada, w.cleo, "a1", "d4")
	w.refused(w.bob.ClickCell(t, m, 1, 1), "Want one of your own?")

	other := w.srv.Guild().Channel("other")
	table := w.answer(w.ada.Command(t, other, "tictactoe challenge"))
	w.refused(w.ada.Command(t, other, "tictactoe challenge"), "Your table is still open")
	w.ada.Click(t, table, "Close table")
	if s := table.Snapshot(); len(s.Rows()) > 0 || !strings.Contains(s.Text(), "closed the table") {
		t.Errorf("the closed table says %q with %d rows of buttons", s.Text(), len(s.Rows()))
	}
}

func TestChallengeFromTheMembersMenu(t *testing.T) {
	w := newWorld(t)
	m := w.answer(w.ada.UserCommand(t, w.general, "Challenge to tic-tac-toe", w.bob))
	w.bob.Click(t, m, "Accept")
	w.cells(m, w.ada, w.bob, "a1", "b2")
	w.refused(w.ada.UserCommand(t, w.general, "Challenge to tic-tac-toe", w.ada), "anyone here except yourself and bots")
	w.refused(w.ada.UserCommand(t, w.general, "Challenge to tic-tac-toe", w.srv.BotUser()), "To play me")
}

func TestChallengeWhoMovesFirst(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob, sandbox.Opt("first", "them"))
	w.refused(w.ada.ClickCell(t, m, 0, 0), "Not yet")
	w.cells(m, w.bob, w.ada, "a1", "b2")
}

func TestChallengeRefusals(t *testing.T) {
	w := newWorld(t)
	robot := w.srv.User("Robot", sandbox.AsBot)
	outsider := w.srv.User("Outsider", sandbox.NotMember)
	secret := w.srv.Guild().Channel("secret", sandbox.Visible(w.ada, w.cleo))
	challenge := func(ch *sandbox.Channel, whom *sandbox.User) *sandbox.Reply {
		return w.ada.Command(t, ch, "tictactoe challenge", sandbox.OptUser("user", whom))
	}
	w.refused(challenge(w.general, w.ada), "anyone here except yourself and bots", "Play privately")
	w.refused(challenge(w.general, robot), "anyone here except yourself and bots", "Play privately")
	w.refused(challenge(w.general, w.srv.BotUser()), "To play me")
	w.refused(challenge(secret, w.bob), w.bob.Mention()+" can't see this channel", "Play privately")
	w.refused(challenge(w.general, outsider), "can't see this channel")
	if _, busy := w.activeMatch(); busy {
		t.Error("a refused challenge left a match behind")
	}

	first := w.answer(challenge(w.general, w.bob))
	w.refused(challenge(w.general, w.bob), "Your challenge to "+w.bob.Mention()+" is still open: "+first.Link())
	w.refused(w.bob.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.ada)),
		w.ada.Mention()+" has challenged you already")
	w.refused(w.bob.Click(t, first, "Cancel challenge"), "Only "+w.ada.Mention())
	acceptLate := w.stale(w.bob, first, "Accept")
	w.ada.Click(t, first, "Cancel challenge")
	if text := first.Text(); text != w.ada.Mention()+" took the challenge back." {
		t.Errorf("the cancelled challenge says %q", text)
	}
	w.refused(acceptLate(), "no longer open")

	second := w.answer(challenge(w.general, w.bob))
	w.refused(w.ada.Click(t, second, "Decline"), "This challenge is for")
	w.bob.Click(t, second, "Decline")
	if text := second.Text(); text != w.bob.Mention()+" can't play right now." {
		t.Errorf("the declined challenge says %q", text)
	}
}

func TestAcceptTwice(t *testing.T) {
	w := newWorld(t)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	first, second := w.bob.PrepareClick(t, m, "Accept"), w.bob.PrepareClick(t, m, "Accept")
	w.srv.DispatchTogether(first, second)
	a, b := first.Wait(t), second.Wait(t)
	// The second is refused, or shown the board if that is not known to have arrived.
	if a.Type != sandbox.CallbackUpdate && b.Type != sandbox.CallbackUpdate {
		t.Errorf("two Accepts were answered with types %d and %d: no board", a.Type, b.Type)
	}
	if made := len(w.general.Messages(w.cleo)); made != 1 { // refusals are private
		t.Errorf("two Accepts left %d messages, want one board", made)
	}
	for _, r := range []*sandbox.Reply{a, b} {
		if r.Type == sandbox.CallbackMessage {
			w.refused(r, "no longer open")
		}
	}
	w.cells(m, w.ada, w.bob, "a1", "b2")
}

func TestAcceptWhereTheChannelIsBusy(t *testing.T) {
	w := newWorld(t)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	busy := w.play(w.cleo)
	w.refused(w.bob.Click(t, m, "Accept"), "A game is running here: "+busy.Link(), "Show board", "Play privately")
	if _, ok := m.Snapshot().Button("Accept"); !ok {
		t.Error("the challenge did not stay open")
	}
	w.ada.Command(t, w.general, "tictactoe help")
	w.cleo.Click(t, w.answer(w.cleo.Command(t, w.general, "tictactoe resign")), "Resign")
	wantText(t, busy, "resigned")
	w.bob.Click(t, m, "Accept")
	wantText(t, m, "to move")
}

func TestChallengeExpires(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.ChallengeTTL = clock.Now, time.Minute })
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	acceptLate := w.stale(w.bob, m, "Accept")
	clock.advance(59 * time.Second)
	if _, ok := m.Snapshot().Button("Accept"); !ok {
		t.Error("the challenge closed too early")
	}
	clock.advance(2 * time.Second)
	wantText(t, m, "No answer in time.")
	w.refused(acceptLate(), "no longer open")
	w.refused(w.bob.Click(t, m, "Challenge again"), "Only "+w.ada.Mention())
	again := w.answer(w.ada.Click(t, m, "Challenge again"))
	if again == m || !slices.Contains(again.Snapshot().Pinged, w.bob.ID()) {
		t.Error("challenging again did not notify: an edit cannot")
	}
	m.Wait(t, "the old message without its button", func(s sandbox.Snapshot) bool { return len(s.Rows()) == 0 })
	w.bob.Click(t, again, "Accept")
	w.cells(again, w.ada, w.bob, "a1", "b2")
}

func TestAcceptLateTellsTheChallenger(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now = clock.Now })
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	clock.advance(2 * time.Minute)
	r := w.bob.Click(t, m, "Accept")
	eventually(t, "the line for the challenger", func() bool { return len(r.Followups()) == 1 })
	notice := r.Followups()[0]
	if s := notice.Snapshot(); s.V2() || !slices.Contains(s.Pinged, w.ada.ID()) {
		t.Errorf("the line %q notifies %v", s.Text(), s.Pinged)
	}
	eventually(t, "the line to be remembered", func() bool {
		active, ok := w.activeMatch()
		return ok && active.Notice != ""
	})
	w.cell(w.ada, m, "b2")
	eventually(t, "the line to go at the next move", notice.Deleted)
}

func TestBoardOfALanguageWithoutWordsSpeaksTheGuilds(t *testing.T) {
	w := newWorld(t)
	w.srv.Guild().SetLocale("de")
	w.ada.Set(sandbox.Locale("es-ES"))
	w.bob.Set(sandbox.Locale("es-ES"))
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.bob.ClickCell(t, m, 0, 0) // the first button accepts, whatever it is called
	if text := m.Text(); !strings.Contains(text, "ist am Zug") {
		t.Errorf("the board in a German guild says %q", text)
	}
}

// A table is there for everybody: it speaks as the guild does until somebody sits
// down, and the board then as its people do.
func TestAnOpenTableSpeaksTheGuildsLanguage(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.ChallengeTTL = clock.Now, time.Minute })
	w.srv.Guild().SetLocale("de")
	w.ada.Set(sandbox.Locale("fr"))
	w.bob.Set(sandbox.Locale("fr"))
	table := w.answer(w.ada.Command(t, w.general, "tictactoe challenge"))
	if text := table.Text(); !strings.Contains(text, "sucht jemanden zum Spielen") {
		t.Errorf("the table says %q", text)
	}
	w.bob.Click(t, table, "Mitspielen")
	if text := table.Text(); !strings.Contains(text, "trois à la suite") {
		t.Errorf("two French players' board says %q", text)
	}
	side := w.srv.Guild().Channel("side")
	closed := w.answer(w.ada.Command(t, side, "tictactoe challenge"))
	w.ada.Click(t, closed, "Tisch schließen")
	wantText(t, closed, "geschlossen")
	expired := w.answer(w.ada.Command(t, side, "tictactoe challenge"))
	clock.advance(61 * time.Second)
	wantText(t, expired, "Keine Antwort")
	if text := w.answer(w.ada.Click(t, expired, "Noch einmal herausfordern")).Text(); !strings.Contains(text, "sucht jemanden zum Spielen") {
		t.Errorf("the table opened again says %q", text)
	}
}

func TestBoardSpeaksTheSharedLanguage(t *testing.T) {
	w := newWorld(t)
	w.ada.Set(sandbox.Locale("de"))
	w.bob.Set(sandbox.Locale("de"))
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.bob.ClickCell(t, m, 0, 0) // the first button accepts, whatever it is called
	shared := m.Text()
	w.bob.Set(sandbox.Locale("fr"))
	other := w.srv.Guild().Channel("other")
	m = w.answer(w.ada.Command(t, other, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.bob.ClickCell(t, m, 0, 0)
	if text := m.Text(); !strings.Contains(text, "to move") {
		t.Errorf("without a shared language the board says %q, want the guild's English", text)
	}
	if strings.Contains(shared, "to move") {
		t.Errorf("two Germans' board says %q", shared)
	}
}
