package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

func TestClockRunsOut(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, 10*time.Minute })
	m := w.challenge(w.ada, w.bob)
	due := fmt.Sprintf("<t:%d:R>", clock.Now().Add(10*time.Minute).Unix())
	if !strings.Contains(m.Text(), due) {
		t.Errorf("the board does not say when a move is due: %q, want %s", m.Text(), due)
	}
	clock.advance(9 * time.Minute)
	w.cells(m, w.ada, w.bob, "b2")
	w.refused(w.cleo.ClickCell(t, m, 0, 0), "Want one of your own?") // a bystander does not wind the clock
	clock.advance(9 * time.Minute)
	if over(m.Snapshot()) {
		t.Fatal("the clock was not wound by the move")
	}
	clock.advance(61 * time.Second)
	s := wantText(t, m, "⏱ "+w.bob.Mention()+" ran out of time. ❌ "+w.ada.Mention()+" wins.")
	if !over(s) {
		t.Error("cells can still be pressed")
	}
	w.refused(w.bob.ClickCell(t, m, 0, 0, sandbox.Forced), "This game is over.")
	w.answer(w.cleo.Click(t, m, "Play the winner"))
}

func TestClockAgainstTheBotClosesTheGame(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, 10*time.Minute })
	m := w.play(w.ada)
	if strings.Contains(m.Text(), "<t:") {
		t.Errorf("a game against the bot shows a clock: %q", m.Text())
	}
	clock.advance(10*time.Minute + time.Second)
	wantText(t, m, "Closed: no move for 10 minutes.")
	again := w.play(w.ada)
	w.cell(w.ada, again, "a1")
}

func TestWithoutAClockGamesAreAbandonedAfterAWeek(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now = clock.Now })
	m := w.challenge(w.ada, w.bob)
	clock.advance(6 * 24 * time.Hour)
	w.cells(m, w.ada, w.bob, "a1")
	clock.advance(6 * 24 * time.Hour)
	w.cells(m, w.bob, w.ada, "b2")
	clock.advance(7*24*time.Hour + time.Second)
	wantText(t, m, "Closed: no move for 7 days.")
}

// TestEditsGoByTheTokenThatWorks looks at which way an edit takes that no click
// caused: the newest interaction token while it can live, else the bot's own.
func TestEditsGoByTheTokenThatWorks(t *testing.T) {
	tests := []struct {
		name  string
		age   time.Duration // of the last click when the clock runs out
		spoil func(*sandbox.Server, *sandbox.Call)
		auth  string
	}{
		{"fresh token", time.Minute, func(*sandbox.Server, *sandbox.Call) {}, "interaction"},
		{"old token", 16 * time.Minute, func(*sandbox.Server, *sandbox.Call) {}, "bot"},
		{"fresh token refused with 50027", time.Minute, (*sandbox.Server).ExpireToken, "bot"},
		{"fresh token refused with 10015", time.Minute, (*sandbox.Server).UnknownWebhook, "bot"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := newManualTime()
			w := newWorld(t, func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, tt.age })
			m := w.challenge(w.ada, w.bob)
			r := w.cell(w.ada, m, "a1")
			tt.spoil(w.srv, r.Call)
			clock.advance(tt.age + time.Second)
			s := wantText(t, m, "ran out of time")
			last := s.Writes[len(s.Writes)-1]
			if last.Auth != tt.auth {
				t.Errorf("the board was redrawn by the token of the %s, want %s", last.Auth, tt.auth)
			}
		})
	}
}

func TestWhereTheAppMayNotEditTheNextClickDoes(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, 20*time.Minute })
	m := w.challenge(w.ada, w.bob)
	w.general.Set(sandbox.NoBotView)
	clock.advance(21 * time.Minute)
	eventually(t, "the game to end", func() bool { _, ok := w.activeMatch(); return !ok })
	if over(m.Snapshot()) {
		t.Fatal("the board was redrawn where the app may not edit")
	}
	var r *sandbox.Reply
	eventually(t, "a click to redraw the board, once the bot has found that it cannot", func() bool {
		r = w.ada.ClickCell(t, m, 0, 0)
		return r.Type == sandbox.CallbackUpdate
	})
	wantText(t, m, "ran out of time")
	eventually(t, "the reason in words", func() bool { return len(r.Followups()) == 1 })
	if s := r.Followups()[0].Snapshot(); !s.Ephemeral() || !strings.Contains(s.Text(), "This game is over.") {
		t.Errorf("the reason is %q, private: %v", s.Text(), s.Ephemeral())
	}
}

func TestGamesGoOnAfterARestart(t *testing.T) {
	clock := newManualTime()
	w := newWorld(t, func(o *bot.Options) {
		o.Now, o.DefaultClock, o.ChallengeTTL = clock.Now, 10*time.Minute, 15*time.Minute
	})
	side := w.srv.Guild().Channel("side")
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1", "b2")
	private := w.answer(w.cleo.Command(t, w.general, "tictactoe play", sandbox.Opt("private", true)))
	open := w.answer(w.cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.ada)))
	clock.advance(5 * time.Minute)
	eventually(t, "the up-time to be saved", func() bool {
		up, err := w.db.Uptime(context.Background())
		return err == nil && up >= 5*time.Minute
	})
	w.stop()
	clock.advance(2 * time.Hour) // nobody loses time while the bot is away
	w.start()

	due := fmt.Sprintf("<t:%d:R>", clock.Now().Add(5*time.Minute).Unix())
	until := fmt.Sprintf("<t:%d:t>", clock.Now().Add(10*time.Minute).Unix())
	near := func(s sandbox.Snapshot, want string) bool { return strings.Contains(s.Text(), want[:12]) }
	m.Wait(t, "the board with the clock moved", func(s sandbox.Snapshot) bool { return near(s, due) })
	open.Wait(t, "the challenge with its end moved", func(s sandbox.Snapshot) bool { return near(s, until) })
	w.cells(m, w.ada, w.bob, "c3")
	w.cell(w.cleo, private, "a1")
	w.ada.Click(t, open, "Accept")
	wantText(t, open, "to move")
	clock.advance(10*time.Minute + time.Second)
	wantText(t, m, w.bob.Mention()+" ran out of time")
}

func TestRematchOfferedBeforeARestart(t *testing.T) {
	w := newWorld(t)
	m := w.finished()
	w.ada.Click(t, m, "Rematch")
	w.restart()
	next := w.answer(w.bob.Click(t, m, "Rematch 1/2"))
	w.cells(next, w.bob, w.ada, "a1", "b2")
	m.Wait(t, "the old board without controls", func(s sandbox.Snapshot) bool { return len(s.Rows()) == 3 })
}

func TestABoardLeftBehindIsRedrawnAtTheStart(t *testing.T) {
	w := newWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	eventually(t, "what was drawn to be noted", func() bool {
		active, ok := w.activeMatch()
		return ok && active.Drawn == active.Version
	})
	active, _ := w.activeMatch()
	w.stop()
	// The last process stored a move and was killed before anybody saw it.
	w.tamper(func(db writableStore) error {
		active.Moves = append(active.Moves, 4)
		return db.Apply(context.Background(), store.Change{Matches: []store.Match{active}})
	})
	w.start()
	m.Wait(t, "the stored move to be shown", func(s sandbox.Snapshot) bool { return grid(s) == "X../.O./..." })
	w.cells(m, w.ada, w.bob, "c3")
}

// TestTimesMoveWithAnOutage: the connection is gone for hours while the program runs.
// Clocks stood still, and the times on boards and challenges say so as soon as it is
// back, without a click or a restart.
func TestTimesMoveWithAnOutage(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	var looks counter
	w := newFaultWorld(t, hasty, func(c *faultConfig) {
		c.bot = func(o *bot.Options) {
			o.DefaultClock, o.ChallengeTTL = 10*time.Minute, 15*time.Minute
			o.Now = func() time.Time { looks.Add(1); return clock.Now() }
		}
	})
	looked := func() {
		before := looks.Load()
		eventually(t, "the bot to look at the clock", func() bool { return looks.Load() > before+10 })
	}
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	side := w.srv.Guild().Channel("side")
	open := w.answer(w.cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.ada)))
	for range 2 { // every time, not only the first
		w.srv.RefuseUpgrade(1000)
		w.srv.DropGateway()
		eventually(t, "the bot to know that it is cut off", func() bool { return !w.sup.Ready() })
		looked()
		clock.advance(5 * time.Hour)
		looked()
		w.reconnected(w.srv.ClearFaults)
		// Ten characters: what the test itself takes may not matter.
		due := fmt.Sprintf("<t:%d", clock.Now().Add(10*time.Minute).Unix())[:10]
		until := fmt.Sprintf("<t:%d", clock.Now().Add(15*time.Minute).Unix())[:10]
		m.Wait(t, "the board with the clock moved", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), due) })
		open.Wait(t, "the challenge with its end moved", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), until) })
	}
	// A short loss is no reason to draw everything again.
	writes := len(m.Snapshot().Writes)
	w.reconnected(w.srv.DropGateway)
	looked()
	if got := len(m.Snapshot().Writes); got != writes {
		t.Errorf("the board was drawn %d times after a loss of a moment", got-writes)
	}
	w.cells(m, w.bob, w.ada, "b2")
}
