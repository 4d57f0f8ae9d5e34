package bot_test

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
)

// hasty shortens the waits of the Gateway, so that its faults are noticed soon.
func hasty(c *faultConfig) {
	c.sandbox = func(o *sandbox.Options) { o.Heartbeat = 300 * time.Millisecond }
	c.timing = gateway.Timing{
		Hello: 300 * time.Millisecond, Ready: 600 * time.Millisecond, Close: 300 * time.Millisecond,
		BackoffMin: 10 * time.Millisecond, BackoffMax: 200 * time.Millisecond, Invalid: 10 * time.Millisecond,
	}
}

// reconnected does something that ends the connection and waits for the next one.
func (w *faultWorld) reconnected(cut func()) {
	w.t.Helper()
	before := w.sup.Status().Connects
	cut()
	eventually(w.t, "the bot to connect again", func() bool {
		s := w.sup.Status()
		return s.Ready && s.Connects > before
	})
}

// TestGatewayFaultsInTheMiddleOfAGame meets a game with every fault of the Gateway,
// one after each move. The game goes on, and readiness was false meanwhile.
func TestGatewayFaultsInTheMiddleOfAGame(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	faults := []string{
		"DropGateway", "CloseGateway", "ReconnectOp7", "InvalidSession", "SilentGateway", "NoHello", "NoReady", "NoAcks",
		"FirstPacketAfterHello", "FirstPacketAfterIdentify", "FirstPacketAfterResume", "RefuseResume", "RefuseUpgrade",
	}
	moves := []string{"b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3"} // nobody has a line until c3
	board := func() *sandbox.Message { return w.challenge(w.ada, w.bob) }
	m, ply := board(), 0
	for _, name := range faults {
		w.reconnected(func() {
			if err := w.srv.Trigger(name); err != nil {
				t.Fatal(err)
			}
		})
		if ply == len(moves) {
			w.cells(m, w.ada, w.bob, "c3")
			wantText(t, m, "A draw.")
			m, ply = board(), 0
		}
		who := w.ada
		if ply%2 == 1 {
			who = w.bob
		}
		if r := w.cell(who, m, moves[ply]); r.Type == sandbox.CallbackMessage {
			t.Fatalf("after %s the move was refused: %s", name, r.Text())
		}
		ply++
	}
}

// TestUnreadyWhileDisconnected: nothing is said to be well while clicks cannot come.
func TestUnreadyWhileDisconnected(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	w.srv.RefuseUpgrade(1000)
	w.srv.DropGateway()
	eventually(t, "the bot to know that it is cut off", func() bool { return !w.sup.Ready() })
	w.reconnected(w.srv.ClearFaults)
}

// TestClocksStandStillWhileDisconnected: nobody runs out of time when nobody can
// move.
func TestClocksStandStillWhileDisconnected(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	var looks counter
	w := newFaultWorld(t, hasty, func(c *faultConfig) {
		c.bot = func(o *bot.Options) {
			o.DefaultClock, o.ChallengeTTL = 10*time.Minute, 15*time.Minute
			o.Now = func() time.Time { looks.Add(1); return clock.Now() }
		}
	})
	// What passes between two looks is judged by the second: in production that is a
	// quarter of a second.
	looked := func() {
		before := looks.Load()
		eventually(t, "the bot to look at the clock", func() bool { return looks.Load() > before+10 })
	}
	m := w.challenge(w.ada, w.bob)
	side := w.srv.Guild().Channel("side")
	open := w.answer(w.cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.ada)))
	w.srv.RefuseUpgrade(1000)
	w.srv.DropGateway()
	eventually(t, "the bot to know that it is cut off", func() bool { return !w.sup.Ready() })
	looked()
	clock.advance(5 * time.Hour)
	looked()
	w.reconnected(w.srv.ClearFaults)
	w.cells(m, w.ada, w.bob, "a1")
	w.ada.Click(t, open, "Accept")
	wantText(t, open, "to move")
	clock.advance(10*time.Minute + time.Second)
	wantText(t, m, w.bob.Mention()+" ran out of time")
}

// TestMissedInteractionsAreReplayed: what people did while the connection was gone
// comes with the resume. What is in time is answered; what is too late has no
// effect.
func TestMissedInteractionsAreReplayed(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	m := w.challenge(w.ada, w.bob)
	first := w.ada.PrepareClickCell(t, m, 0, 0)
	w.reconnected(func() { w.srv.ReplayOnResume(first) })
	if r := first.Wait(t); !r.Answered() {
		t.Errorf("a click in time was not answered: %v", r.Problems)
	}
	w.shows(m, "X../.../...")

	w.transit.Store(int64(time.Minute))
	late := []*sandbox.Call{
		w.bob.PrepareClickCell(t, m, 1, 1),
		w.bob.PrepareClick(t, m, "Resign"),
		w.bob.MustPrepare(t, sandbox.SlashCommand{Channel: w.srv.Guild().Channel("side"), Path: "tictactoe play"}),
	}
	w.reconnected(func() { w.srv.ReplayOnResume(late...) })
	eventually(t, "the late ones to arrive", func() bool { return w.bot.Counts().Late == int64(len(late)) })
	w.transit.Store(0)
	for _, c := range late {
		if r := c.Reply(); r.Acks != 0 {
			t.Errorf("answered although it is too late: %v", c)
		}
	}
	if got := w.position(); got != "X../.../..." {
		t.Errorf("a click that was too late changed the board to %s", got)
	}
	w.cells(m, w.bob, w.ada, "b2")
	w.general = w.srv.Guild().Channel("side")
	w.free()
}

// TestWhatIsReplayedFirstIsJudgedToo: the first that a bot hears of anybody is what a
// resume replays, and that is a minute old. It has no effect, and what follows has.
func TestWhatIsReplayedFirstIsJudgedToo(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	w.transit.Store(int64(time.Minute))
	var late []*sandbox.Call
	for i := range 10 {
		ch := w.srv.Guild().Channel(fmt.Sprint("missed-", i))
		late = append(late, w.ada.MustPrepare(t, sandbox.SlashCommand{Channel: ch, Path: "tictactoe play"}))
	}
	w.reconnected(func() { w.srv.ReplayOnResume(late...) })
	eventually(t, "the late ones to arrive", func() bool { return w.bot.Counts().Late+w.bot.Counts().Answered == int64(len(late)) })
	if got := w.bot.Counts().Late; got != int64(len(late)) {
		t.Errorf("%d of %d were seen to be late", got, len(late))
	}
	w.transit.Store(0)
	for i := range late {
		w.general = w.srv.Guild().Channel(fmt.Sprint("missed-", i))
		w.free()
	}
}

// TestEverythingDeliveredTwice plays a whole game, with its challenge, rematch and
// resignation, while Discord delivers every interaction twice.
func TestEverythingDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	w.srv.RedeliverNext(1000)
	m := w.finished()
	w.bob.Click(t, m, "Rematch")
	next := w.answer(w.ada.Click(t, m, "Rematch 1/2"))
	w.cells(next, w.bob, w.ada, "a1", "b2", "c3")
	names := w.ada.Click(t, next, "Cell names")
	if _, ok := names.Message.Snapshot().Button("a2"); !ok {
		t.Error("the switch was thrown twice")
	}
	if got := w.position(); got != "X../.O./..X" {
		t.Errorf("stored is %s", got)
	}
	w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, next, "Resign")), "Resign"))
	wantText(t, next, "resigned")
	if got := len(w.general.Messages(w.cleo)); got != 2 {
		t.Errorf("%d public messages, want two boards", got)
	}
	calls := int64(len(w.srv.Calls()))
	eventually(t, "the second deliveries", func() bool { return w.bot.Counts().Duplicates == calls })
	for _, c := range w.srv.Calls() {
		if r := c.Reply(); r.Acks != 1 {
			t.Errorf("%d answers to %v", r.Acks, c)
		}
	}
}

// TestAHalfOpenLinkLosesNoClick: a click while the link only seems to work arrives
// with the resume, in time.
func TestAHalfOpenLinkLosesNoClick(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, hasty)
	m := w.challenge(w.ada, w.bob)
	var click *sandbox.Call
	w.reconnected(func() {
		if err := w.srv.Trigger("NoAcks"); err != nil {
			t.Fatal(err)
		}
		click = w.ada.StartClickCell(t, m, 0, 0)
	})
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("not answered: %v", r.Problems)
	}
	w.shows(m, "X../.../...")
}

// TestOddFramesDuringAGame: compression, and events, opcodes and fields that nobody
// knows, change nothing.
func TestOddFramesDuringAGame(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	w.srv.UnknownEvents(true)
	w.srv.CompressedFrames(true)
	m := w.finished()
	wantText(t, m, "wins")
}
