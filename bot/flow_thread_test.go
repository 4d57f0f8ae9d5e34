package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

const (
	createThreads     = 1 << 35
	routeCreateThread = "POST /channels/{channel_id}/threads"
)

// threadsOf are the threads of the world's channel, in the order in which they began.
func threadsOf(w *bottest.World) (all []*sandbox.Channel) {
	for _, c := range w.Discord.Guild().Channels() {
		if c.Parent() == w.Channel {
			all = append(all, c)
		}
	}
	return all
}

// newThread waits until the channel has so many threads, and returns the last of them and
// the board in it.
func newThread(t *testing.T, w *bottest.World, n int) (*sandbox.Channel, *sandbox.Message) {
	t.Helper()
	waittest.Until(t, "the thread", func() bool { return len(threadsOf(w)) == n })
	thread := threadsOf(w)[n-1]
	var board *sandbox.Message
	waittest.Until(t, "the board in the thread", func() bool {
		for _, m := range thread.Messages(nil) {
			if bottest.Grid(m.Snapshot()) != "" {
				board = m
			}
		}
		return board != nil
	})
	return thread, board
}

// ruled makes threads the rule.
func ruled(t *testing.T, w *bottest.World) {
	t.Helper()
	mona := manager(w, "Mona")
	choose(t, mona, panel(t, w, mona), "threads", "always")
}

// threadDoor returns a press on a button of before, which leads out of a full channel to a game
// in a thread.
func threadDoor(t *testing.T, w *bottest.World, who *sandbox.User, board string) (_ *sandbox.Message, press func() *sandbox.Reply) {
	t.Helper()
	on := w.Answer(t, who.Command(t, w.Channel, "tictactoe help"))
	return on, func() *sandbox.Reply { return who.ClickID(t, on, threadID+board+":me", sandbox.Forced) }
}

const threadID = "1:pt:medium:"

// TestPlayInAThread: who presses such a button plays in a thread, which is named by board
// and day and has the player in it. The game is found from the channel and from the thread.
func TestPlayInAThread(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(2), bottest.ClicksDelivered)
	w.Play(t, w.Ada)
	w.Play(t, w.Bob)
	_, press := threadDoor(t, w, w.Cleo, "4x4")
	r := press()
	if r.Type != sandbox.CallbackUpdate || !strings.Contains(r.Text(), "Your game has its own thread") {
		t.Fatalf("answered with type %d: %s", r.Type, r.Text())
	}
	thread, board := newThread(t, w, 1)
	if !strings.HasPrefix(thread.Name(), "Tic-tac-toe 4×4, 20") {
		t.Errorf("the thread is called %q", thread.Name())
	}
	if !strings.Contains(r.Text(), thread.ID()) {
		t.Errorf("%q does not lead to the thread", r.Text())
	}
	first := thread.Messages(nil)[0].Snapshot()
	if !strings.Contains(first.Text(), "Cleo against") || len(first.Badged)+len(board.Snapshot().Badged) > 0 {
		t.Errorf("the thread begins with %q, and has %v and %v see a badge", first.Text(), first.Badged, board.Snapshot().Badged)
	}
	waittest.Until(t, "Cleo to be in the thread", func() bool { return slices.Contains(thread.ThreadMembers(), w.Cleo) })
	// Pressed again it leads to the same game.
	if again := w.Answer(t, w.Cleo.Command(t, w.Channel, "tictactoe play")); !strings.Contains(again.Text(), "already have a game here") {
		t.Errorf("a second game in the channel: %s", again.Text())
	}
	before := bottest.Ply(board.Snapshot())
	w.Cell(t, w.Cleo, board, "b2")
	board.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) > before })

	list := w.Refused(t, w.Cleo.Command(t, w.Channel, "tictactoe board"), board.Link(), "Open")
	w.Cleo.Click(t, list, "Open")
	channel := w.Channel
	w.Channel = thread
	again := w.Answer(t, w.Cleo.Command(t, thread, "tictactoe board"))
	if again.Snapshot().Ephemeral() || bottest.Grid(again.Snapshot()) == "" {
		t.Fatalf("in the thread the command shows %q", again.Text())
	}
	bottest.WantText(t, board, again.Link())
	w.Channel = channel
	which := w.Refused(t, w.Cleo.Command(t, w.Channel, "tictactoe resign"), "Which game", "Resign…")
	question := w.Answer(t, w.Cleo.Click(t, which, "Resign…"))
	w.Cleo.Click(t, question, "Resign")
	bottest.WantText(t, again, "resigned")
	// The next one is played in the thread too.
	next := w.Answer(t, w.Cleo.Click(t, again, "Rematch"))
	if m := next.Snapshot(); m.Ephemeral() || !strings.Contains(next.Link(), thread.ID()) {
		t.Errorf("the rematch is at %s", next.Link())
	}
	active, err := w.Store.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
	if err != nil || len(active) != 3 || active[2].Thread != store.ChannelID(thread.ID()) || active[2].Place != 3 {
		t.Errorf("the channel has the games %+v, %v", active, err)
	}
}

// TestTwoGamesInAThread: a thread is a channel, too, and who plays one game in it from its
// channel and one by itself reaches both.
func TestTwoGamesInAThread(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	thread, first := inThread(t, w)
	w.Channel = thread
	second := w.Play(t, w.Ada)
	list := w.FollowUp(t, w.Ada.Command(t, thread, "tictactoe board"), "Your other games on this server:")
	bottest.WantText(t, first, "This board has moved")
	if text := list.Text(); !strings.Contains(text, second.Link()) {
		t.Errorf("the list does not lead to %s: %s", second.Link(), text)
	}
}

// TestThreadsLeavePlacesToOthers: games that went to threads because the channel was full
// take none of its places when these come free, also in their rematches.
func TestThreadsLeavePlacesToOthers(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.ClicksDelivered)
	first := w.Play(t, w.Ada)
	for i, who := range []*sandbox.User{w.Bob, w.Cleo} {
		_, press := threadDoor(t, w, who, "3x3")
		press()
		_, board := newThread(t, w, i+1)
		if i == 0 {
			w.Resign(t, who, board)
			w.Answer(t, who.Click(t, board, "Rematch"))
		}
	}
	w.Resign(t, w.Ada, first)
	dan := w.Discord.User("Dan")
	w.Play(t, dan)
	w.FollowUp(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "This channel is full")
	active, err := w.Store.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
	if err != nil || len(active) != 3 || active[0].Thread != "" || active[1].Thread == "" || active[2].Thread == "" {
		t.Errorf("the channel has the games %+v, %v", active, err)
	}
}

// TestAcceptInAThread: a challenge that finds no place is accepted in a thread, and leads
// there.
func TestAcceptInAThread(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.ClicksDelivered)
	m := w.Offer(t, w.Ada, w.Bob)
	w.Play(t, w.Cleo)
	refused := w.Refused(t, w.Bob.Click(t, m, "Accept"), "There's already a game here", "Play in a thread")
	// Nobody else can take it.
	w.Refused(t, w.Cleo.ClickID(t, refused, button(t, refused, "Play in a thread"), sandbox.Forced), "This challenge is for "+w.Bob.Mention())
	w.Bob.Click(t, refused, "Play in a thread")
	thread, board := newThread(t, w, 1)
	bottest.WantText(t, m, "https://")
	if !strings.Contains(m.Text(), thread.ID()) || len(m.Snapshot().Labels()) > 0 {
		t.Errorf("the challenge says %q with %q", m.Text(), m.Snapshot().Labels())
	}
	waittest.Until(t, "both to be in the thread", func() bool {
		members := thread.ThreadMembers()
		return slices.Contains(members, w.Ada) && slices.Contains(members, w.Bob)
	})
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, board, w.Ada.Mention())
}

// TestThreadsAsARule: every public game gets a thread, a private one none. A channel where
// the bot may not begin one has its games itself, and the settings say what is missing.
func TestThreadsAsARule(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	ruled(t, w)
	r := w.Ada.Command(t, w.Channel, "tictactoe play")
	w.Refused(t, r, "Your game has its own thread")
	_, board := newThread(t, w, 1)
	w.Cell(t, w.Ada, board, "b2")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here")
	if !w.PlayPrivately(t, w.Ada).Snapshot().Ephemeral() {
		t.Error("a private game is seen by all")
	}
	m := w.Offer(t, w.Bob, w.Cleo)
	w.Cleo.Click(t, m, "Accept")
	thread, board := newThread(t, w, 2)
	bottest.WantText(t, m, thread.ID())
	w.Cells(t, board, w.Bob, w.Cleo, "a1", "b2")
	asked := ""
	for _, q := range w.Discord.REST().Requests() {
		if q.Method+" "+q.Route == routeCreateThread {
			asked = string(q.Body)
		}
	}
	if !strings.Contains(asked, `"auto_archive_duration":10080`) {
		t.Errorf("the thread was made by %s", asked)
	}

	side := w.Discord.Guild().Channel("side", sandbox.DenyBot(createThreads))
	w.Channel = side
	dora := w.Discord.User("Dora")
	if s := w.Play(t, dora).Snapshot(); s.Ephemeral() {
		t.Errorf("where the bot may begin no threads a game is answered with %q", s.Text())
	}
	bottest.WantText(t, panel(t, w, manager(w, "Mona")), "I'm missing *Create Public Threads*")
}

// TestThreadsThatCannotBe: what is missing is said in words, nothing is begun, and neither
// an offer that was made up nor one of before goes around the settings.
func TestThreadsThatCannotBe(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.ClicksDelivered)
	w.Play(t, w.Ada)
	_, press := threadDoor(t, w, w.Bob, "3x3")
	w.Channel.Set(sandbox.DenyBot(createThreads))
	w.Refused(t, press(), "*Create Public Threads*", "Play privately")
	w.Channel.Set(sandbox.BotAllowed)
	w.Discord.Faults().RefuseNext(routeCreateThread, 403, 50013)
	w.Refused(t, press(), "*Create Public Threads*")
	w.Discord.Faults().RefuseNext(routeCreateThread, 400, 160006)
	w.Refused(t, press(), "I can't open a thread here right now")
	mona := manager(w, "Mona")
	choose(t, mona, panel(t, w, mona), "threads", "never")
	w.Refused(t, press(), "I can't open a thread here right now")
	dm := w.Answer(t, w.Bob.Command(t, w.Bob.DM(), "tictactoe help"))
	w.Refused(t, w.Bob.ClickID(t, dm, threadID+"3x3:me", sandbox.Forced), "I can't open a thread")
	if n := len(threadsOf(w)); n != 0 {
		t.Errorf("there are %d threads", n)
	}
	if matches, _ := w.Stored(t); matches != 1 {
		t.Errorf("%d games are stored, want Ada's", matches)
	}
}

// TestNoThreadForWhoIsBlocked: a thread cannot be taken back, so that whether the two want to
// play with each other is asked before one is made.
func TestNoThreadForWhoIsBlocked(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	ruled(t, w)
	m := w.Offer(t, w.Ada, w.Bob)
	block := store.Block{User: store.UserID(w.Ada.ID()), From: store.UserID(w.Bob.ID())}
	if err := w.Store.Apply(t.Context(), store.Change{Blocks: []store.Block{block}}); err != nil {
		t.Fatal(err)
	}
	w.Refused(t, w.Bob.Click(t, m, "Accept"), w.Ada.Mention()+" isn't taking challenges.")
	if n := len(threadsOf(w)); n != 0 {
		t.Fatalf("%d threads were made", n)
	}
	block.Lifted = true
	if err := w.Store.Apply(t.Context(), store.Change{Blocks: []store.Block{block}}); err != nil {
		t.Fatal(err)
	}
	w.Bob.Click(t, m, "Accept")
	newThread(t, w, 1)
}

// TestThreadPressedTwice: one press, one game.
func TestThreadPressedTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Places(1), bottest.ClicksDelivered)
	w.Play(t, w.Ada)
	on, _ := threadDoor(t, w, w.Bob, "3x3")
	press := sandbox.ButtonClick{Message: on, CustomID: threadID + "3x3:me", Forced: true}
	calls := []*sandbox.Call{w.Bob.MustPrepare(t, press), w.Bob.MustPrepare(t, press)}
	w.Discord.DispatchTogether(calls...)
	for _, c := range calls {
		c.Wait(t)
	}
	waittest.Until(t, "a board in a thread", func() bool {
		for _, thread := range threadsOf(w) {
			for _, m := range thread.Messages(nil) {
				if bottest.Grid(m.Snapshot()) != "" {
					return true
				}
			}
		}
		return false
	})
	active, err := w.Store.ActiveMatches(t.Context(), store.ChannelID(w.Channel.ID()))
	if err != nil || len(active) != 2 {
		t.Errorf("the channel has %d games, %v", len(active), err)
	}
}

// TestThreadGone: a thread that is deleted ends its game when it falls due, without a result,
// and nobody stays in it.
func TestThreadGone(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	thread, board := inThread(t, w)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
	w.Handled(t)
	m := w.Match(t)
	thread.Delete()
	clock.Advance(10*time.Minute + 5*time.Second)
	w.NoMatch(t)
	if m, err := w.Store.Match(t.Context(), m.ID); m.EndReason != store.Unreachable || err != nil {
		t.Errorf("the match ended by %d, %v", m.EndReason, err)
	}
	w.Offer(t, w.Ada, w.Bob)
}

// TestThreadGoneIsFound: whoever wants to see a game whose thread was deleted is free.
func TestThreadGoneIsFound(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	thread, _ := inThread(t, w)
	w.Handled(t)
	thread.Delete()
	refused := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here")
	w.Refused(t, w.Ada.Click(t, refused, "Show my board"), "This game is over.")
	w.NoMatch(t)
	w.Offer(t, w.Ada, w.Bob)
}

// TestKilledBeforeTheThreadHasItsBoard: whoever was led to the thread gets the board there
// by the command, after a crash too.
func TestKilledBeforeTheThreadHasItsBoard(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	ruled(t, w)
	for range 2 { // the line, and the board
		w.Discord.Faults().RefuseNext(sandbox.RouteCreateMessage, 403, 50013)
	}
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "Your game has its own thread")
	waittest.Until(t, "the thread", func() bool { return len(threadsOf(w)) == 1 })
	w.Crash(t)
	w.Start(t)
	thread := threadsOf(w)[0]
	list := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe board"), thread.ID(), "Open")
	_ = list
	board := w.Answer(t, w.Ada.Command(t, thread, "tictactoe board"))
	w.Cell(t, w.Ada, board, "b2")
	w.Restart(t)
	before := bottest.Ply(board.Snapshot())
	cell := bottest.CellName(bottest.Empties(board.Snapshot())[0])
	w.Cell(t, w.Ada, board, cell)
	board.Wait(t, "the move", func(s sandbox.Snapshot) bool { return bottest.Ply(s) > before })
}

// TestAnAcceptanceInAThreadWhoseChallengeIsGone: what would have stood in the challenge's
// place is told privately.
func TestAnAcceptanceInAThreadWhoseChallengeIsGone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	ruled(t, w)
	m := w.Offer(t, w.Ada, w.Bob)
	click := w.Bob.PrepareClick(t, m, "Accept")
	m.Delete()
	w.Discord.DispatchTogether(click)
	if r := click.Wait(t); !r.Answered() || r.Type != sandbox.CallbackMessage || !r.Ephemeral {
		t.Errorf("answered %v with type %d, privately %v: %q", r.Answered(), r.Type, r.Ephemeral, r.Text())
	}
	newThread(t, w, 1)
}
