package bot_test

import (
	"context"
	"slices"
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

// createMessage is the route by which the bot posts by itself.
const createMessage = sandbox.RouteCreateMessage

// reminded returns the reminders that stand in the channel.
func reminded(w *bottest.World) (lines []*sandbox.Message) {
	for _, m := range w.Channel.Messages(nil) {
		if s := m.Snapshot(); !s.V2() && strings.Contains(s.Text(), "your move") {
			lines = append(lines, m)
		}
	}
	return lines
}

// posted is how often the bot has sent a line of its own.
func posted(w *bottest.World) (n int) {
	for _, r := range w.Discord.REST().Requests() {
		if r.Method+" "+r.Route == createMessage {
			n++
		}
	}
	return n
}

// turn has Bob be to move, with half of ten minutes ahead, and returns the board.
func turn(t *testing.T, w *bottest.World) *sandbox.Message {
	t.Helper()
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	return m
}

// claimed waits until the reminder of the running match is claimed.
func claimed(t *testing.T, w *bottest.World) store.Match {
	t.Helper()
	var m store.Match
	waittest.Until(t, "the claim to be stored", func() bool {
		var ok bool
		m, ok = w.Active(t)
		return ok && m.Remind == 0
	})
	return m
}

// halfGone is a little more than half of what the players have in these tests.
const halfGone = 5*time.Minute + time.Second

// TestReminderIsSentOnce: whatever becomes of the request that posts the line, it stands
// there once, and it goes with the move.
func TestReminderIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*sandbox.Server){
		"nothing fails":             func(*sandbox.Server) {},
		"fails three times":         func(s *sandbox.Server) { s.Faults().FailNext(createMessage, 500, 3) },
		"applied, then 502":         func(s *sandbox.Server) { s.Faults().ApplyThenFailNext(createMessage) },
		"reset before it is posted": func(s *sandbox.Server) { s.Faults().ResetNext(createMessage, false) },
		"reset after it is posted":  func(s *sandbox.Server) { s.Faults().ResetNext(createMessage, true) },
		"rate limited": func(s *sandbox.Server) {
			s.Faults().RateLimitNext(createMessage, 200*time.Millisecond, sandbox.ScopeUser)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			board := turn(t, w)
			fault(w.Discord)
			clock.Advance(halfGone)
			waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
			line := reminded(w)[0]
			if s := line.Snapshot(); !slices.Equal(s.Pinged, []string{w.Bob.ID()}) || !strings.Contains(s.Text(), board.Link()) {
				t.Errorf("the line %q notifies %v and should lead to %s", s.Text(), s.Pinged, board.Link())
			}
			w.Cells(t, board, w.Bob, w.Ada, "b2")
			waittest.Until(t, "the line to go", line.Deleted)
			w.Stop(t)
			if n := len(reminded(w)); n != 0 {
				t.Errorf("%d lines stand after the move", n)
			}
		})
	}
}

// TestNoReminderOfAWishThatCameTrue: whoever plays the other one by then is not told that they
// want a rematch.
func TestNoReminderOfAWishThatCameTrue(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	over := w.Challenge(t, w.Ada, w.Bob)
	id := w.Match(t).ID
	w.Cells(t, over, w.Ada, w.Bob, "a1", "a2", "b1", "b2", "c1")
	w.Ada.Click(t, over, "Rematch")
	w.Challenge(t, w.Bob, w.Ada)
	clock.Advance(65 * time.Second)
	waittest.Until(t, "the wish to be looked at", func() bool {
		m, err := w.Store.Match(t.Context(), id)
		return err == nil && m.RematchTold
	})
	w.Stop(t)
	if n := posted(w); n != 0 {
		t.Errorf("%d lines are posted", n)
	}
}

// TestReminderOverARestart: clocks stand still while the bot is away, and what was due
// before comes once.
func TestReminderOverARestart(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	board := turn(t, w)
	clock.Advance(4 * time.Minute)
	waittest.Until(t, "the up-time to be saved", func() bool {
		up, err := w.Store.Uptime(context.Background())
		return err == nil && up[store.GuildID(w.Discord.Guild().ID()).Domain()] >= 4*time.Minute
	})
	w.Stop(t)
	clock.Advance(2 * time.Hour)
	w.Start(t)
	clock.Looked(t)
	if n := len(reminded(w)); n != 0 {
		t.Fatalf("%d lines while time stood still", n)
	}
	clock.Advance(time.Minute + time.Second)
	waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
	w.Restart(t)
	clock.Advance(time.Minute)
	w.Restart(t)
	if n := len(reminded(w)); n != 1 {
		t.Errorf("%d lines after two restarts, want the one", n)
	}
	w.Cells(t, board, w.Bob, w.Ada, "b2")
	waittest.Until(t, "the line to go", func() bool { return len(reminded(w)) == 0 })
}

// TestKilledBetweenClaimAndLine: there may be no line then, and never two.
func TestKilledBetweenClaimAndLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault func(*sandbox.Server)
		want  int
	}{
		"before it is posted": {func(s *sandbox.Server) {
			s.Faults().ResetNext(createMessage, false)
			s.Faults().FailNext(createMessage, 500, 1000)
		}, 0},
		"after it is posted": {func(s *sandbox.Server) {
			s.Faults().ApplyThenFailNext(createMessage)
			s.Faults().FailNext(createMessage, 500, 1000)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			board := turn(t, w)
			test.fault(w.Discord)
			clock.Advance(halfGone)
			claimed(t, w)
			waittest.Until(t, "the line to be posted, or not", func() bool { return len(reminded(w)) == test.want })
			w.Crash(t)
			w.Discord.Faults().Clear()
			w.Start(t)
			clock.Advance(time.Minute)
			w.Cells(t, board, w.Bob, w.Ada, "b2")
			w.Stop(t)
			if n := len(reminded(w)); n > test.want {
				t.Errorf("%d lines, want %d at most", n, test.want)
			}
		})
	}
}

// TestMoveWhileTheReminderIsOnItsWay: the line that comes behind the move goes at once,
// or is not tried any more.
func TestMoveWhileTheReminderIsOnItsWay(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*sandbox.Server){
		"slow":    func(s *sandbox.Server) { s.Faults().SlowNext(createMessage, 300*time.Millisecond) },
		"failing": func(s *sandbox.Server) { s.Faults().FailNext(createMessage, 500, 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			board := turn(t, w)
			fault(w.Discord)
			clock.Advance(halfGone)
			claimed(t, w)
			w.Cells(t, board, w.Bob, w.Ada, "b2")
			w.Discord.Faults().Clear()
			w.Stop(t)
			if n := len(reminded(w)); n != 0 {
				t.Errorf("%d lines stand after the move", n)
			}
		})
	}
}

// TestReminderWhereTheBotMayNotPost goes behind the newest interaction while its token
// lives, as where the app is installed without its bot, and nowhere afterwards.
func TestReminderWhereTheBotMayNotPost(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit time.Duration
		want  int
	}{"fresh token": {10 * time.Minute, 1}, "old token": {50 * time.Minute, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(test.limit))
			board := turn(t, w)
			w.Discord.Faults().RefuseNext(createMessage, 403, 50001)
			clock.Advance(test.limit/2 + time.Second)
			claimed(t, w)
			if test.want > 0 {
				waittest.Until(t, "the line", func() bool { return len(reminded(w)) == test.want })
			}
			w.Cells(t, board, w.Bob, w.Ada, "b2")
			w.Stop(t)
			if n := len(reminded(w)); n != 0 {
				t.Errorf("%d lines stand after the move", n)
			}
		})
	}
}

// TestNobodyIsRemindedWhoDoesNotWant: a guild and a person can turn it off.
func TestNobodyIsRemindedWhoDoesNotWant(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]func(*bottest.World) store.Change{
		"the person": func(w *bottest.World) store.Change {
			return store.Change{People: []store.Person{
				{User: store.UserID(w.Ada.ID()), Reminders: store.Off}, {User: store.UserID(w.Bob.ID()), Reminders: store.Off},
			}}
		},
		"the guild": func(w *bottest.World) store.Change {
			return store.Change{Guilds: []store.GuildSettings{{Guild: store.GuildID(w.Discord.Guild().ID()), Reminders: store.Off}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			if err := w.Store.Apply(t.Context(), off(w)); err != nil {
				t.Fatal(err)
			}
			w.Restart(t) // which has read nothing yet
			board := turn(t, w)
			for _, next := range []struct {
				who  *sandbox.User
				cell string
			}{{w.Bob, "b2"}, {w.Ada, "c3"}} {
				clock.Advance(halfGone)
				claimed(t, w)
				clock.Looked(t)
				w.Cells(t, board, next.who, nil, next.cell)
			}
			w.Stop(t)
			if n := len(w.Channel.Messages(nil)); n != 1 || posted(w) != 0 {
				t.Errorf("%d messages, want the board alone, and %d lines were sent", n, posted(w))
			}
		})
	}
}

// laterTries catches the tries of a reminder that are to come later.
type laterTries struct {
	mu    sync.Mutex
	tries []func()
}

// after is [bot.Options.After].
func (l *laterTries) after(d time.Duration, f func()) {
	if d < time.Second {
		time.AfterFunc(d, f)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tries = append(l.tries, f)
}

func (l *laterTries) all() []func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.tries)
}

// TestReminderIsTriedAgain: what failed is tried again, but not once somebody has moved,
// and not for longer than Discord knows the nonce.
func TestReminderIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(t *testing.T, w *bottest.World, clock *bottest.Clock, board *sandbox.Message)
		tried     bool // again
		goesOn    bool // and then once more
	}{
		"nothing happens": {func(*testing.T, *bottest.World, *bottest.Clock, *sandbox.Message) {}, true, true},
		"a move": {func(t *testing.T, w *bottest.World, _ *bottest.Clock, board *sandbox.Message) {
			w.Cells(t, board, w.Bob, w.Ada, "b2")
		}, false, false},
		"two minutes": {func(_ *testing.T, _ *bottest.World, clock *bottest.Clock, _ *sandbox.Message) {
			clock.Advance(2 * time.Minute)
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock, later := bottest.NewClock(), &laterTries{}
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.Bot(func(o *bot.Options) { o.After = later.after }))
			board := turn(t, w)
			w.Discord.Faults().FailNext(createMessage, 500, 1000)
			clock.Advance(halfGone)
			waittest.Until(t, "the next try to be put off", func() bool { return len(later.all()) == 1 })
			before := posted(w)
			test.meanwhile(t, w, clock, board)
			later.all()[0]()
			w.Stop(t)
			if again := posted(w) > before; before == 0 || again != test.tried {
				t.Errorf("sent %d times, and then again: %v, want %v", before, again, test.tried)
			}
			if goesOn := len(later.all()) > 1; goesOn != test.goesOn {
				t.Errorf("another try is to come: %v, want %v", goesOn, test.goesOn)
			}
		})
	}
}

// TestReminderThatIsRefused: what Discord has refused is not tried again, and takes the place
// of no other.
func TestReminderThatIsRefused(t *testing.T) {
	t.Parallel()
	clock, later := bottest.NewClock(), &laterTries{}
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.Bot(func(o *bot.Options) { o.After = later.after }))
	turn(t, w)
	w.Discord.Faults().RefuseNext(createMessage, 400, 50035)
	clock.Advance(halfGone)
	waittest.Until(t, "the line to be tried", func() bool { return posted(w) == 1 })
	w.Stop(t)
	if n := len(later.all()); n != 0 {
		t.Errorf("%d more tries are to come", n)
	}
}

// conflicting is a store in which the first claim of a reminder loses against somebody else.
type conflicting struct {
	store.Store
	lost atomic.Bool
}

func (s *conflicting) Apply(ctx context.Context, c store.Change) error {
	for _, m := range c.Matches {
		if m.State == store.Active && m.Remind == 0 && len(m.Moves) > 0 && !s.lost.Swap(true) {
			return store.ErrConflict
		}
	}
	return s.Store.Apply(ctx, c)
}

// TestReminderWithoutItsClaim: nothing is sent where the claim was not stored.
func TestReminderWithoutItsClaim(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	var db *conflicting
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.Behind(func(real store.Store) store.Store {
		db = &conflicting{Store: real}
		return db
	}))
	turn(t, w)
	clock.Advance(halfGone)
	claimed(t, w)
	waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
	w.Stop(t)
	if n := posted(w); n != 1 || !db.lost.Load() {
		t.Errorf("the line was sent %d times, and a claim was lost: %v", n, db.lost.Load())
	}
}

// TestReminderWhileDisconnected: while nobody can move nobody is told to.
func TestReminderWhileDisconnected(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.QuickGateway, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
	turn(t, w)
	w.Discord.Faults().RefuseUpgrade(1000)
	w.Discord.Faults().DropGateway()
	waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
	clock.Looked(t)
	clock.Advance(5 * time.Hour)
	clock.Looked(t)
	w.Reconnected(t, w.Discord.Faults().Clear)
	clock.Looked(t)
	if n := len(reminded(w)); n != 0 {
		t.Errorf("%d lines for a time in which nobody could move", n)
	}
	clock.Advance(halfGone)
	waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
}

// TestNobodyIsRemindedOfWhomTheyHaveBlocked: a wish for a rematch whose maker is blocked
// before it is told is told nobody.
func TestNobodyIsRemindedOfWhomTheyHaveBlocked(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	over := w.Finished(t)
	w.Ada.Click(t, over, "Rematch")
	block := store.Block{User: store.UserID(w.Bob.ID()), From: store.UserID(w.Ada.ID()), Since: clock.Now()}
	if err := w.Store.Apply(t.Context(), store.Change{Blocks: []store.Block{block}}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(2 * time.Minute)
	waittest.Until(t, "nobody to be left to remind", func() bool {
		due, err := w.Store.DueReminders(t.Context(), store.GuildID(w.Discord.Guild().ID()).Domain(), 1<<62, 1)
		return err == nil && len(due) == 0
	})
	w.Stop(t) // a line would be sent by then
	if n := posted(w); n != 0 {
		t.Errorf("%d lines were posted", n)
	}
}
