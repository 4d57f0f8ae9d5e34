package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

func TestClockRunsOut(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	m := w.Challenge(t, w.Ada, w.Bob)
	due := fmt.Sprintf("<t:%d:R>", clock.Now().Add(10*time.Minute).Unix())
	if !strings.Contains(m.Text(), due) {
		t.Errorf("the board does not say when a move is due: %q, want %s", m.Text(), due)
	}
	clock.Advance(9 * time.Minute)
	w.Cells(t, m, w.Ada, w.Bob, "b2")
	w.Refused(t, w.Cleo.ClickCell(t, m, 0, 0), "Want one of your own?") // a bystander does not wind the clock
	clock.Advance(9 * time.Minute)
	if bottest.Over(m.Snapshot()) {
		t.Fatal("the clock was not wound by the move")
	}
	clock.Advance(61 * time.Second)
	s := bottest.WantText(t, m, "🏆 **"+w.Ada.Mention()+" wins!** ⏱ "+w.Bob.Mention()+" ran out of time.")
	if !bottest.Over(s) {
		t.Error("cells can still be pressed")
	}
	w.Refused(t, w.Bob.ClickCell(t, m, 0, 0, sandbox.Forced), "This game is over.")
	w.Answer(t, w.Cleo.Click(t, w.More(t, w.Cleo, m), "Play the winner"))
}

// TestEditsGoByTheTokenThatWorks looks at which way an edit takes that no click
// caused: the newest interaction token while it can live, else the bot's own.
func TestEditsGoByTheTokenThatWorks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		age   time.Duration // of the last click when the clock runs out
		spoil func(*sandbox.Faults, *sandbox.Call)
		auth  string
	}{
		{"fresh token", time.Minute, func(*sandbox.Faults, *sandbox.Call) {}, "interaction"},
		{"old token", 16 * time.Minute, func(*sandbox.Faults, *sandbox.Call) {}, "bot"},
		{"fresh token refused with 50027", time.Minute, (*sandbox.Faults).ExpireToken, "bot"},
		{"fresh token refused with 10015", time.Minute, (*sandbox.Faults).UnknownWebhook, "bot"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(tt.age))
			m := w.Challenge(t, w.Ada, w.Bob)
			r := w.Cell(t, w.Ada, m, "a1")
			tt.spoil(w.Discord.Faults(), r.Call)
			clock.Advance(tt.age + time.Second)
			s := bottest.WantText(t, m, "ran out of time")
			last := s.Writes[len(s.Writes)-1]
			if last.Auth != tt.auth {
				t.Errorf("the board was redrawn by the token of the %s, want %s", last.Auth, tt.auth)
			}
		})
	}
}

func TestWhereTheAppMayNotEditTheNextClickDoes(t *testing.T) {
	t.Parallel()
	for said, click := range map[string]func(*bottest.World, *sandbox.Message) *sandbox.Reply{
		"This game is over.": func(w *bottest.World, m *sandbox.Message) *sandbox.Reply { return w.Ada.ClickCell(t, m, 0, 0) },
		"What next?":         func(w *bottest.World, m *sandbox.Message) *sandbox.Reply { return w.Ada.Click(t, m, "⋯ More") },
	} {
		t.Run(said, func(t *testing.T) {
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(20*time.Minute))
			m := w.Challenge(t, w.Ada, w.Bob)
			w.Channel.Set(sandbox.NoBotView)
			clock.Advance(21 * time.Minute)
			waittest.Until(t, "the game to end", func() bool { _, ok := w.Active(t); return !ok })
			if bottest.Over(m.Snapshot()) {
				t.Fatal("the board was redrawn where the app may not edit")
			}
			waittest.Until(t, "the bot to find that it cannot", func() bool { return w.Service.Counts().Left >= 1 })
			r := click(w, m)
			if r.Type != sandbox.CallbackUpdate {
				t.Errorf("a click on a board left behind got an answer of type %d", r.Type)
			}
			bottest.WantText(t, m, "ran out of time")
			w.FollowUp(t, r, said)
		})
	}
}

func TestGamesGoOnAfterARestart(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.ChallengeTTL(15*time.Minute))
	side := w.Side("side")
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	private := w.PlayPrivately(t, w.Cleo)
	open := w.Answer(t, w.Cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Ada)))
	clock.Advance(5 * time.Minute)
	waittest.Until(t, "the up-time to be saved", func() bool {
		up, err := w.Store.Uptime(context.Background())
		return err == nil && up[store.GuildID(w.Discord.Guild().ID()).Domain()] >= 5*time.Minute
	})
	w.Stop(t)
	clock.Advance(2 * time.Hour) // nobody loses time while the bot is away
	w.Start(t)

	due := fmt.Sprintf("<t:%d:R>", clock.Now().Add(5*time.Minute).Unix())
	until := fmt.Sprintf("<t:%d:t>", clock.Now().Add(10*time.Minute).Unix())
	near := func(s sandbox.Snapshot, want string) bool { return strings.Contains(s.Text(), want[:12]) }
	m.Wait(t, "the board with the clock moved", func(s sandbox.Snapshot) bool { return near(s, due) })
	open.Wait(t, "the challenge with its end moved", func(s sandbox.Snapshot) bool { return near(s, until) })
	w.Cells(t, m, w.Ada, w.Bob, "c3")
	w.Cell(t, w.Cleo, private, "a1")
	w.Ada.Click(t, open, "Accept")
	bottest.WantText(t, open, "your move")
	clock.Advance(10*time.Minute + time.Second)
	bottest.WantText(t, m, w.Bob.Mention()+" ran out of time")
}

func TestABoardLeftBehindIsRedrawnAtTheStart(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	active, _ := w.Active(t)
	w.Stop(t)
	// The last process stored a move and was killed before anybody saw it.
	w.Tamper(t, func(db *sqlite.Store) error {
		active.Moves = append(active.Moves, 4)
		return db.Apply(context.Background(), store.Change{Matches: []store.Match{active}})
	})
	w.Start(t)
	m.Wait(t, "the stored move to be shown", func(s sandbox.Snapshot) bool { return bottest.Grid(s) == "X../.O./..." })
	w.Cells(t, m, w.Ada, w.Bob, "c3")
}

// TestTimesMoveWithAnOutage: the connection is gone for hours while the program runs.
// Clocks stood still, and the times on boards and challenges say so as soon as it is
// back, without a click or a restart.
func TestTimesMoveWithAnOutage(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.QuickGateway, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.ChallengeTTL(15*time.Minute))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	side := w.Side("side")
	open := w.Answer(t, w.Cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Ada)))
	for range 2 { // every time, not only the first
		w.Discord.Faults().RefuseUpgrade(1000)
		w.Discord.Faults().DropGateway()
		waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
		clock.Looked(t)
		clock.Advance(5 * time.Hour)
		clock.Looked(t)
		w.Reconnected(t, w.Discord.Faults().Clear)
		// Ten characters: what the test itself takes may not matter.
		due := fmt.Sprintf("<t:%d", clock.Now().Add(10*time.Minute).Unix())[:10]
		until := fmt.Sprintf("<t:%d", clock.Now().Add(15*time.Minute).Unix())[:10]
		m.Wait(t, "the board with the clock moved", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), due) })
		open.Wait(t, "the challenge with its end moved", func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), until) })
	}
	// A short loss is no reason to draw everything again.
	writes := len(m.Snapshot().Writes)
	w.Reconnected(t, w.Discord.Faults().DropGateway)
	clock.Looked(t)
	if got := len(m.Snapshot().Writes); got != writes {
		t.Errorf("the board was drawn %d times after a loss of a moment", got-writes)
	}
	w.Cells(t, m, w.Bob, w.Ada, "b2")
}
