package bot_test

import (
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// sent is how often the bot has sent a request to a route.
func sent(w *bottest.World, route string) (n int) {
	for _, r := range w.Discord.REST().Requests() {
		if r.Method+" "+r.Route == route {
			n++
		}
	}
	return n
}

// TestReminderIsTriedOnce where another try would be refused too, and where nobody could tell
// a repetition from the first: by a token, and by none that is dead.
func TestReminderIsTriedOnce(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		place   func(*bottest.World) *sandbox.Channel // nil where the bot is a member
		limit   time.Duration
		fault   func(*sandbox.Server)
		posts   int // by the bot's own right
		follows int // by a token
	}{
		"the channel is gone": {
			nil, 10 * time.Minute, func(s *sandbox.Server) { s.Faults().RefuseNext(createMessage, 404, 10003) }, 1, 0,
		},
		"it may not post": {
			nil, 10 * time.Minute, func(s *sandbox.Server) {
				s.Faults().RefuseNext(createMessage, 403, 50001)
				s.Faults().FailNext(sandbox.RouteFollowUp, 500)
			}, 1, 1,
		},
		"it may not post, and no token lives": {
			nil, 50 * time.Minute, func(s *sandbox.Server) { s.Faults().RefuseNext(createMessage, 403, 50001) }, 1, 0,
		},
		"it is no member": {
			away["two people"], 10 * time.Minute, func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteFollowUp, 500) }, 0, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock, later := bottest.NewClock(), &laterTries{}
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(test.limit), bottest.Bot(func(o *bot.Options) { o.After = later.after }))
			if test.place != nil {
				w.Ada.Set(sandbox.Installed(true))
				w.Channel = test.place(w)
			}
			turn(t, w)
			test.fault(w.Discord)
			clock.Advance(test.limit/2 + time.Second)
			claimed(t, w)
			waittest.Until(t, "it to be tried", func() bool {
				return posted(w) >= test.posts && sent(w, sandbox.RouteFollowUp) >= test.follows
			})
			w.Stop(t) // who has claimed one may be stopped before it is tried
			if posts, follows := posted(w), sent(w, sandbox.RouteFollowUp); posts != test.posts || follows != test.follows {
				t.Errorf("sent %d times, and %d times by a token, want %d and %d", posts, follows, test.posts, test.follows)
			}
			if n := len(later.all()); n != 0 {
				t.Errorf("%d more tries are to come", n)
			}
		})
	}
}

// TestMoveWhileTheReminderByTokenIsOnItsWay: the line that comes behind the move goes by the
// token that has sent it.
func TestMoveWhileTheReminderByTokenIsOnItsWay(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	gate := &bottest.Gate{}
	w := brought(t, away["two people"], bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), gate.Through())
	board := turn(t, w)
	gate.Hold(1, "POST", "")
	clock.Advance(halfGone)
	gate.Await(t, 1)
	w.Cells(t, board, w.Bob, w.Ada, "b2")
	w.Bystander(t) // what follows the move has been done by then, and has found no line
	gate.Open()
	w.Stop(t)
	if n := len(reminded(w)); n != 0 || sent(w, sandbox.RouteFollowUp) != 1 {
		t.Errorf("%d lines stand after the move, of %d", n, sent(w, sandbox.RouteFollowUp))
	}
}

// TestReminderTakesThePlaceOfANotice: who was told that the game begins, and has not moved, is
// reminded by one line, not two.
func TestReminderTakesThePlaceOfANotice(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	m := w.Offer(t, w.Ada, w.Bob)
	clock.Advance(3 * time.Minute)
	r := w.Bob.Click(t, m, "Accept")
	waittest.Until(t, "the notice", func() bool { return len(r.Followups()) == 1 })
	waittest.Until(t, "the notice to be stored", func() bool { return w.Match(t).Notice != "" })
	clock.Advance(halfGone)
	waittest.Until(t, "the notice to go", r.Followups()[0].Deleted)
	waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
}

// TestRemindersWhereTheBotIsNoMember: what the server has set counts for nothing there.
func TestRemindersWhereTheBotIsNoMember(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := brought(t, away["a server"], bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	set := store.GuildSettings{Guild: store.GuildID(w.Channel.Guild().ID()), Reminders: store.Off}
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{set}}); err != nil {
		t.Fatal(err)
	}
	turn(t, w)
	clock.Advance(halfGone)
	waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
}
