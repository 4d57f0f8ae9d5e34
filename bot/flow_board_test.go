package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

func TestABoardThatWasNotPostedCanBePostedAtOnce(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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
	t.Parallel()
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
	id := bottest.CustomID(t, m, "⋯ More")[len("1:mo:"):]
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	for _, action := range []string{"r", "n", "kt", "ko", "kn"} {
		w.Refused(t, w.Bob.ClickID(t, m, "1:"+action+":"+id, sandbox.Forced), "This game is over.")
	}
}

// TestLateResignInMore: the private message with the ways to go on is made of components, and
// stays so when the words of another answer take its place.
func TestLateResignInMore(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2")
	more := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	w.Cells(t, m, w.Ada, w.Bob, "b2", "a3", "c3")
	w.Refused(t, w.Ada.Click(t, more, "Resign"), "The game ended before you confirmed, ")
	won := w.Play(t, w.Ada)
	more = w.Answer(t, w.Ada.Click(t, won, "⋯ More"))
	bottest.WantText(t, w.Answer(t, w.Ada.Click(t, more, "Resign")), "You resigned.")
	won.Wait(t, "the end", bottest.Over)
}

// TestButtonsOfOlderBoards: what boards and results had as buttons of their own goes on working.
func TestButtonsOfOlderBoards(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Play(t, w.Ada, sandbox.Opt("difficulty", "easy"))
	press := func(action string) *sandbox.Message {
		id := bottest.CustomID(t, m, "⋯ More")[len("1:mo:"):]
		return w.Answer(t, w.Ada.ClickID(t, m, "1:"+action+":"+id, sandbox.Forced))
	}
	press("n")
	if label := m.Snapshot().Rows()[0][0].Label; label != "a1" {
		t.Errorf("names turned on show %q", label)
	}
	press("n")
	if list := press("kt"); !list.Snapshot().Ephemeral() {
		t.Error("the list is for everybody")
	}
	w.Answer(t, w.Ada.Click(t, press("r"), "Resign"))
	m.Wait(t, "the end", bottest.Over)
	id := bottest.CustomID(t, m, "Rematch")[len("1:m:"):]
	next := w.Answer(t, w.Ada.ClickID(t, m, "1:h:"+id, sandbox.Forced))
	bottest.WantText(t, next, "Medium")
}

// TestTapsOnACopyPlayNothing: what stood on a board before it was posted anew is pressed
// where nobody sees a board any more.
func TestTapsOnACopyPlayNothing(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	old := w.Challenge(t, w.Ada, w.Bob)
	names := strings.Replace(bottest.CustomID(t, old, "⋯ More"), ":mo:", ":n:", 1)
	cell := old.Snapshot().Rows()[1][1].CustomID
	m := w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	old.Wait(t, "the way to the new board", func(s sandbox.Snapshot) bool { return bottest.Grid(s) == "" })
	w.Refused(t, w.Ada.ClickID(t, old, cell, sandbox.Forced), "This button is out of date")
	w.Refused(t, w.Ada.ClickID(t, old, names, sandbox.Forced), "This button is out of date")
	if now := w.Match(t); len(now.Moves) > 0 {
		t.Errorf("%d moves were played", len(now.Moves))
	}
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
}

func TestClickOnAFinishedBoard(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	r := w.Bob.ClickCell(t, m, 0, 1, sandbox.Forced)
	w.Refused(t, r, "This game is over.")
}

// TestATapTellsWhereABoardStands: a process that is killed right behind an answer has not
// stored which message shows the match. Whoever taps on that tells it, also by a tap that
// changes nothing: then its end is shown where people see it.
func TestATapTellsWhereABoardStands(t *testing.T) {
	t.Parallel()
	for what, tap := range map[string]func(w *bottest.World, board *sandbox.Message){
		"on a stranger's game": func(w *bottest.World, board *sandbox.Message) {
			w.Refused(t, w.Bob.ClickCell(t, board, 0, 0), "Want one of your own?")
		},
		"for more": func(w *bottest.World, board *sandbox.Message) { w.More(t, w.Ada, board) },
	} {
		clock := bottest.NewClock()
		w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute),
			bottest.Bot(func(o *bot.Options) { o.Tick = time.Hour })) // nothing is stored behind an answer
		board := w.Play(t, w.Ada)
		w.Crash(t)
		w.Configure(func(o *service.Options) { o.Bot.Tick = 25 * time.Millisecond })
		w.Start(t)
		if m := w.Match(t); m.Message != "" {
			t.Fatalf("%s: the store knows of the message %s", what, m.Message)
		}
		tap(w, board)
		waittest.Until(t, "the message to be stored", func() bool { return string(w.Match(t).Message) == board.ID() })
		clock.Advance(11 * time.Minute)
		bottest.WantText(t, board, "Closed after 10 minutes without a move.")
	}
}
