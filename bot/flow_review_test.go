package bot_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

func TestClockIsRightAfterAnIdleTimeAndACrash(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute))
	clock.Advance(3 * 24 * time.Hour) // nobody plays, and the clock is saved every few seconds
	waittest.Until(t, "the clock to be saved", func() bool {
		up, err := w.Store.Uptime(t.Context())
		return err == nil && up[store.GuildID(w.Discord.Guild().ID()).Domain()] >= 3*24*time.Hour
	})
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	w.Crash(t)
	w.Start(t)
	clock.Advance(61 * time.Second)
	bottest.WantText(t, m, w.Bob.Mention()+" ran out of time")
}

func TestAMessageIsKnownSoonAfterItWasMade(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	committed := w.Committed(t)
	for n, who := range []*sandbox.User{w.Ada, w.Bob, w.Cleo} { // whatever is stored at the start takes the first along
		w.Answer(t, who.Command(t, w.Channel, "tictactoe challenge"))
		waittest.Until(t, "the message to be committed", func() bool {
			open, err := committed.GuildChallenges(context.Background(), store.GuildID(w.Discord.Guild().ID()), 0, 10)
			known := 0
			for _, c := range open {
				if c.Message != "" {
					known++
				}
			}
			return err == nil && known == n+1
		})
	}
}

func TestAnExpiredChallengeThatCouldNotBeEditedIsRedrawnByAClick(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.ChallengeTTL(16*time.Minute))
	m := w.Offer(t, w.Ada, w.Bob)
	w.Channel.Set(sandbox.NoBotView)
	clock.Advance(17 * time.Minute)
	late := w.Stale(t, w.Bob, m, "Accept")
	var r *sandbox.Reply
	waittest.Until(t, "a click to redraw the challenge", func() bool {
		r = late()
		return r.Type == sandbox.CallbackUpdate || r.Type == sandbox.CallbackDeferUpdate // where an edit is on its way, behind that
	})
	bottest.WantText(t, m, "No answer in time.")
	waittest.Until(t, "the reason in words", func() bool { return len(r.Followups()) == 1 })
	again := w.Answer(t, w.Ada.Click(t, m, "Challenge again"))
	w.Bob.Click(t, again, "Accept")
	w.Cells(t, again, w.Ada, w.Bob, "a1", "b2")
}

func TestAMoveAfterTheClockIsNotPlayed(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute),
		bottest.Bot(func(o *bot.Options) { o.Tick = time.Hour })) // nobody looks but the click
	m := w.Challenge(t, w.Ada, w.Bob)
	clock.Advance(61 * time.Second)
	w.Ada.ClickCell(t, m, 0, 0)
	s := bottest.WantText(t, m, w.Ada.Mention()+" ran out of time")
	if got := bottest.Grid(s); got != ".../.../..." {
		t.Errorf("the board is %s", got)
	}
}

// TestManyThinkAndNobodyElseWaits: while opponents take all the room for thinking, a game
// against one that need not think is answered. Those who wait for their turn are answered
// too: by a move, or in words.
func TestManyThinkAndNobodyElseWaits(t *testing.T) {
	t.Parallel()
	room := int64(max(1, runtime.GOMAXPROCS(0)-1))
	var thought atomic.Int64
	var holds atomic.Bool
	end := make(chan struct{})
	release := sync.OnceFunc(func() { close(end) })
	defer release()
	w := bottest.New(t, bottest.Bot(func(o *bot.Options) {
		dice := o.Dice
		o.Dice = func() *rand.Rand { // which an opponent takes when it is its turn to think
			if holds.Load() && thought.Add(1) <= room {
				<-end
			}
			return dice()
		}
		o.AnswerTime *= 5 // a search that has begun is not cut short
	}), bottest.Discord(func(o *sandbox.Options) { o.World.Deadline *= 5 }))
	dice := rand.New(rand.NewPCG(9, 9))
	const tables = 12
	var boards []*sandbox.Message
	for i := range tables {
		ch := w.Discord.Guild().Channel("deep-" + string(rune('a'+i)))
		boards = append(boards, w.Answer(t, w.Cleo.Command(t, ch, "tictactoe play",
			sandbox.Opt("difficulty", "perfect"), sandbox.Opt("board", "5x5-4"))))
	}
	light := w.Play(t, w.Ada, sandbox.Opt("difficulty", "easy"))
	var calls []*sandbox.Call
	for _, m := range boards {
		free := bottest.Empties(m.Snapshot())
		at := free[dice.IntN(len(free))]
		calls = append(calls, w.Cleo.PrepareClickCell(t, m, at[0], at[1]))
	}
	quick := w.Ada.PrepareClickCell(t, light, 1, 1)
	holds.Store(true)
	w.Discord.DispatchTogether(calls...)
	waittest.Until(t, "all the room to be taken", func() bool { return thought.Load() >= room })
	w.Discord.DispatchTogether(quick)
	if r := quick.Wait(t); r.Type != sandbox.CallbackUpdate {
		t.Errorf("the easy game was answered with type %d: %s", r.Type, r.Text())
	}
	if n := thought.Load() - 1; n != room { // without the quick one
		t.Errorf("%d think at a time, want %d", n, room)
	}
	release()
	for i, c := range calls {
		r := c.Wait(t)
		switch {
		case !r.Answered():
			t.Errorf("%v was not answered", c)
		case r.Type == sandbox.CallbackMessage && strings.Contains(r.Text(), "sure yet"):
			// On a slow machine the commit may take longer than the answer can wait.
		case r.Type == sandbox.CallbackMessage:
			w.Refused(t, r, "nothing has changed")
			if n := len(bottest.Empties(boards[i].Snapshot())); n != 25 {
				t.Errorf("a refused move left %d empty cells", n)
			}
		}
	}
}

func TestTheClickedMessageIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	m := w.Challenge(t, w.Ada, w.Bob)
	click := w.Ada.PrepareClickCell(t, m, 0, 0)
	m.Delete()
	w.Discord.DispatchTogether(click)
	r := click.Wait(t)
	if !r.Answered() || r.Type != sandbox.CallbackMessage || bottest.Grid(r.Message.Snapshot()) != "X../.../..." {
		t.Fatalf("answered %v with type %d: %q %v", r.Answered(), r.Type, r.Text(), r.Problems)
	}
	w.Cells(t, r.Message, w.Bob, w.Ada, "b2")
}

func TestTheClickedChallengeIsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	for _, label := range []string{"Accept", "Decline"} {
		m := w.Offer(t, w.Ada, w.Bob)
		click := w.Bob.PrepareClick(t, m, label)
		m.Delete()
		w.Discord.DispatchTogether(click)
		r := click.Wait(t)
		if !r.Answered() || r.Type != sandbox.CallbackMessage {
			t.Fatalf("%s: answered %v with type %d: %q %v", label, r.Answered(), r.Type, r.Text(), r.Problems)
		}
		if label == "Accept" {
			w.Cells(t, r.Message, w.Ada, w.Bob, "a1", "b2")
			w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, r.Message, "⋯ More")), "Resign")
			bottest.WantText(t, r.Message, "resigned")
		}
	}
}

func TestRematchInAFullChannelIsTheSameGame(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1))
	m := w.Play(t, w.Ada, sandbox.Opt("difficulty", "hard"), sandbox.Opt("board", "4x4"))
	w.Resign(t, w.Ada, m)
	w.Play(t, w.Bob)
	board := w.Answer(t, w.Ada.Click(t, m, "Rematch"))
	if s := board.Snapshot(); !s.Ephemeral() || !strings.Contains(s.Text(), "Hard") || len(s.Rows()) != 5 {
		t.Errorf("the private game is another one: %q", s.Text())
	}
}
