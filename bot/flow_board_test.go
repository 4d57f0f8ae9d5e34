package bot_test

import (
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

func TestABoardThatWasNotPostedCanBePostedAtOnce(t *testing.T) {
	w := bottest.New(t)
	w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Faults().FailNext(sandbox.InteractionRoutes, 403)
	w.Ada.StartCommand(t, w.Channel, "tictactoe board").AllowUnanswered()
	w.Disarmed(t)
	waittest.Until(t, "the bot to give up", func() bool { return w.Service.Handling() == 0 })
	again := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe board"))
	if s := again.Snapshot(); s.Ephemeral() {
		t.Fatalf("not posted: %q", s.Text())
	}
	w.Cells(t, again, w.Ada, w.Bob, "a1")
}

func TestTwoAskForTheBoardInTheSameInstant(t *testing.T) {
	w := bottest.New(t)
	for i := range 20 {
		w.Channel = w.Discord.Guild().Channel("ask-" + string(rune('a'+i)))
		w.Challenge(t, w.Ada, w.Bob)
		ask := sandbox.SlashCommand{Channel: w.Channel, Path: "tictactoe board"}
		a, b := w.Ada.MustPrepare(t, ask), w.Bob.MustPrepare(t, ask)
		w.Discord.DispatchTogether(a, b)
		if ra, rb := a.Wait(t), b.Wait(t); ra.Ephemeral == rb.Ephemeral {
			t.Fatalf("private: %v and %v: %q, %q", ra.Ephemeral, rb.Ephemeral, ra.Text(), rb.Text())
		}
	}
}

func TestButtonsOfOtherVersions(t *testing.T) {
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Play(t, w.Ada)
	for _, id := range []string{"0:c:1:0:0", "9:whatever", "1:c:zzz:0:0", "1:zz:5", "4", "1:c:1:0:99", strings.Repeat("x", 100)} {
		w.Refused(t, w.Ada.ClickID(t, m, id, sandbox.Forced), "This button is out of date")
	}
	w.Refused(t, w.Ada.ClickID(t, m, "1:a:zzzz", sandbox.Forced), "no longer open")
}

// TestLateResign: nobody is asked whether to resign a game that is over, and how its board
// looks is settled.
func TestLateResign(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Challenge(t, w.Ada, w.Bob)
	var late []func() *sandbox.Reply
	for _, label := range []string{"Resign", "Names", "List"} {
		late = append(late, w.Stale(t, w.Bob, m, label))
	}
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	for _, press := range late {
		w.Refused(t, press(), "This game is over.")
	}
}

// TestTapsOnACopyPlayNothing: what stood on a board before it was posted anew is pressed
// where nobody sees a board any more.
func TestTapsOnACopyPlayNothing(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	old := w.Challenge(t, w.Ada, w.Bob)
	names := w.Stale(t, w.Ada, old, "Names")
	cell := old.Snapshot().Rows()[1][1].CustomID
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	old.Wait(t, "the way to the new board", func(s sandbox.Snapshot) bool { return bottest.Grid(s) == "" })
	w.Refused(t, w.Ada.ClickID(t, old, cell, sandbox.Forced), "This button is out of date")
	w.Refused(t, names(), "This button is out of date")
	if now := w.Match(t); len(now.Moves) > 0 || now.CellNames {
		t.Errorf("%d moves were played, names %v", len(now.Moves), now.CellNames)
	}
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
}

func TestClickOnAFinishedBoard(t *testing.T) {
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	r := w.Bob.ClickCell(t, m, 0, 1, sandbox.Forced)
	w.Refused(t, r, "This game is over.")
}
