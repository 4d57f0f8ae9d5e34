package bot_test

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// TestGatewayFaultsInTheMiddleOfAGame meets a game with every fault of the Gateway,
// one after each move. The game goes on, and readiness was false meanwhile.
func TestGatewayFaultsInTheMiddleOfAGame(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.QuickGateway)
	faults := []string{
		"DropGateway", "CloseGateway", "ReconnectOp7", "InvalidSession", "SilentGateway", "NoHello", "NoReady", "NoAcks",
		"FirstPacketAfterHello", "FirstPacketAfterIdentify", "FirstPacketAfterResume", "RefuseResume", "RefuseUpgrade",
	}
	moves := []string{"b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3"} // nobody has a line until c3
	board := func() *sandbox.Message { return w.Challenge(t, w.Ada, w.Bob) }
	m, ply := board(), 0
	for _, name := range faults {
		w.Reconnected(t, func() {
			if err := w.Discord.Faults().Trigger(name); err != nil {
				t.Fatal(err)
			}
		})
		if ply == len(moves) {
			w.Cells(t, m, w.Ada, w.Bob, "c3")
			bottest.WantText(t, m, "**Draw")
			m, ply = board(), 0
		}
		who := w.Ada
		if ply%2 == 1 {
			who = w.Bob
		}
		w.Cells(t, m, who, nil, moves[ply])
		ply++
	}
}

// TestUnreadyWhileDisconnected: nothing is said to be well while clicks cannot come.
func TestUnreadyWhileDisconnected(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.QuickGateway)
	w.Discord.Faults().RefuseUpgrade(1000)
	w.Discord.Faults().DropGateway()
	waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
	w.Reconnected(t, w.Discord.Faults().Clear)
}

// TestClocksStandStillWhileDisconnected: nobody runs out of time when nobody can
// move.
func TestClocksStandStillWhileDisconnected(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.QuickGateway, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.ChallengeTTL(15*time.Minute))
	m := w.Challenge(t, w.Ada, w.Bob)
	side := w.Side("side")
	open := w.Answer(t, w.Cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Ada)))
	w.Discord.Faults().RefuseUpgrade(1000)
	w.Discord.Faults().DropGateway()
	waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
	// What passes between two looks is judged by the second: in production that is a
	// quarter of a second.
	clock.Looked(t)
	clock.Advance(5 * time.Hour)
	clock.Looked(t)
	w.Reconnected(t, w.Discord.Faults().Clear)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Ada.Click(t, open, "Accept")
	bottest.WantText(t, open, "your move")
	clock.Advance(10*time.Minute + time.Second)
	bottest.WantText(t, m, w.Bob.Mention()+" ran out of time")
}

// TestMissedInteractionsAreReplayed: what people did while the connection was gone
// comes with the resume. What is in time is answered; what is too late has no
// effect.
func TestMissedInteractionsAreReplayed(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.QuickGateway)
	m := w.Challenge(t, w.Ada, w.Bob)
	first := w.Ada.PrepareClickCell(t, m, 0, 0)
	w.Reconnected(t, func() { w.Discord.Faults().ReplayOnResume(first) })
	if r := first.Wait(t); !r.Answered() {
		t.Errorf("a click in time was not answered: %v", r.Problems)
	}
	w.Shows(t, m, "X../.../...")

	w.Transit(waittest.Limit(time.Minute))
	late := []*sandbox.Call{
		w.Bob.PrepareClickCell(t, m, 1, 1),
		w.Bob.PrepareClick(t, m, "⋯ More"),
		w.Bob.MustPrepare(t, sandbox.SlashCommand{Channel: w.Side("side"), Path: "tictactoe play"}),
	}
	w.Reconnected(t, func() { w.Discord.Faults().ReplayOnResume(late...) })
	waittest.Until(t, "the late ones to arrive", func() bool { return w.Service.Counts().Late == int64(len(late)) })
	w.Transit(0)
	for _, c := range late {
		if r := c.Reply(); r.Acks != 0 {
			t.Errorf("answered although it is too late: %v", c)
		}
	}
	if got := w.Position(t); got != "X../.../..." {
		t.Errorf("a click that was too late changed the board to %s", got)
	}
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Channel = w.Side("side")
	w.Free(t)
}

// TestWhatIsReplayedFirstIsJudgedToo: the first that a bot hears of anybody is what a
// resume replays, and that is a minute old. It has no effect, and what follows has.
func TestWhatIsReplayedFirstIsJudgedToo(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.QuickGateway)
	w.Transit(waittest.Limit(time.Minute))
	var late []*sandbox.Call
	for i := range 10 {
		ch := w.Discord.Guild().Channel(fmt.Sprint("missed-", i))
		late = append(late, w.Ada.MustPrepare(t, sandbox.SlashCommand{Channel: ch, Path: "tictactoe play"}))
	}
	w.Reconnected(t, func() { w.Discord.Faults().ReplayOnResume(late...) })
	waittest.Until(t, "the late ones to arrive", func() bool { return w.Service.Counts().Late+w.Service.Counts().Answered == int64(len(late)) })
	if got := w.Service.Counts().Late; got != int64(len(late)) {
		t.Errorf("%d of %d were seen to be late", got, len(late))
	}
	w.Transit(0)
	for i := range late {
		w.Channel = w.Discord.Guild().Channel(fmt.Sprint("missed-", i))
		w.Free(t)
	}
}

// TestEverythingDeliveredTwice plays a whole game, with its challenge, rematch and
// resignation, while Discord delivers every interaction twice.
func TestEverythingDeliveredTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Discord.Faults().RedeliverNext(1000)
	m := w.Finished(t)
	w.Bob.Click(t, m, "Rematch")
	next := w.Answer(t, w.Ada.Click(t, m, "Yes, rematch"))
	w.Cells(t, next, w.Bob, w.Ada, "a1", "b2", "c3")
	w.Ada.Click(t, w.More(t, w.Ada, next), "Cell names")
	next.Wait(t, "the names", func(s sandbox.Snapshot) bool { _, ok := s.Button("a2"); return ok })
	twice := func() {
		t.Helper()
		calls := int64(len(w.Discord.World().Calls()))
		waittest.Until(t, "the second deliveries", func() bool { return w.Service.Counts().Duplicates == calls })
	}
	twice()
	if p, err := w.Store.Person(t.Context(), store.UserID(w.Ada.ID())); p.PlaysBy != store.ByNames || err != nil {
		t.Errorf("the switch was thrown twice: %+v, %v", p, err)
	}
	if got := w.Position(t); got != "X../.O./..X" {
		t.Errorf("stored is %s", got)
	}
	w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, next, "⋯ More")), "Resign"))
	bottest.WantText(t, next, "resigned")
	review := shownBetter(t, w, w.Bob, m)
	w.Bob.Click(t, review, "Play on")
	if got := len(w.Private(t, w.Bob)); got != 1 {
		t.Errorf("%d games were played on, want one", got)
	}
	w.Refused(t, w.Bob.Click(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe hint")), "Show me a hint"), "💡")
	if got := len(w.Channel.Messages(w.Cleo)); got != 2 {
		t.Errorf("%d public messages, want two boards", got)
	}
	twice()
	for _, c := range w.Discord.World().Calls() {
		if r := c.Reply(); r.Acks != 1 {
			t.Errorf("%d answers to %v", r.Acks, c)
		}
	}
}

// TestAHalfOpenLinkLosesNoClick: a click while the link only seems to work arrives
// with the resume, in time.
func TestAHalfOpenLinkLosesNoClick(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.QuickGateway)
	m := w.Challenge(t, w.Ada, w.Bob)
	var click *sandbox.Call
	w.Reconnected(t, func() {
		if err := w.Discord.Faults().Trigger("NoAcks"); err != nil {
			t.Fatal(err)
		}
		click = w.Ada.StartClickCell(t, m, 0, 0)
	})
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("not answered: %v", r.Problems)
	}
	w.Shows(t, m, "X../.../...")
}

// TestOddFramesDuringAGame: compression, and events, opcodes and fields that nobody
// knows, change nothing.
func TestOddFramesDuringAGame(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	w.Discord.Faults().UnknownEvents(true)
	w.Discord.Faults().CompressedFrames(true)
	m := w.Finished(t)
	bottest.WantText(t, m, "wins")
}
