package bot_test

import (
	"strconv"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// soon waits for what follows a look at what is due, of which there is one a second, and
// none that counts while there is no connection.
func soon(t *testing.T, clock *bottest.Clock, what string, ok func() bool) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		clock.Advance(100 * time.Millisecond)
		return ok()
	})
}

// TestPuzzlePostNeedsItsClaim: while the claim cannot be stored because somebody is faster,
// nothing is posted, and then once.
func TestPuzzlePostNeedsItsClaim(t *testing.T) {
	t.Parallel()
	var between bottest.Failing
	w, clock, _, due := posting(t, between.Between())
	refused := make(chan struct{}, 1)
	between.Fail(func(c store.Change) error {
		if len(c.Guilds) == 0 {
			return between.Store.Apply(t.Context(), c)
		}
		select {
		case refused <- struct{}{}:
		default:
		}
		return store.ErrConflict
	})
	clock.Advance(due.Sub(clock.Now()))
	<-refused
	soon(t, clock, "the next try", func() bool { return len(refused) > 0 }) // whatever follows the first is on its way by now
	w.Bystander(t)
	if n := posted(w); n != 0 {
		t.Errorf("%d posts without a claim", n)
	}
	between.Fail(nil)
	soon(t, clock, "the post", func() bool { return len(posts(t, w)) == 1 })
}

// TestPuzzlePostOfADayThatIsOver: a bot that comes back after midnight leaves out what was
// due before.
func TestPuzzlePostOfADayThatIsOver(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	w.Stop(t)
	clock.Advance(due.Add(7 * time.Hour).Sub(clock.Now()))
	w.Start(t)
	soon(t, clock, "the day to be left out", func() bool { return stored(t, w).Puzzle.Due.After(clock.Now()) })
	w.Stop(t) // it would be posted by then
	if n := posted(w); n != 0 {
		t.Errorf("posted %d times at once", n)
	}
	w.Start(t)
	clock.Advance(stored(t, w).Puzzle.Due.Sub(clock.Now()))
	soon(t, clock, "the next post", func() bool { return len(posts(t, w)) > 0 })
	if n := posted(w); n != 1 {
		t.Errorf("posted %d times, want the next alone", n)
	}
}

// TestPuzzlePostIsRepeated: where nobody knows whether the post has arrived it is sent again,
// and stands there once.
func TestPuzzlePostIsRepeated(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*sandbox.Server){
		"failed":  func(s *sandbox.Server) { s.Faults().FailNext(createMessage, 500, 6) },
		"arrived": func(s *sandbox.Server) { s.Faults().ApplyThenFailNext(createMessage) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock, _, due := posting(t)
			fault(w.Discord)
			clock.Advance(due.Sub(clock.Now()))
			w.Disarmed(t)
			waittest.Until(t, "the last try", func() bool { return len(posts(t, w)) > 0 && w.Service.Handling() == 0 })
			clock.Advance(24 * time.Hour)
			soon(t, clock, "the post of the next day", func() bool { return len(posts(t, w)) > 1 })
			if n := len(posts(t, w)); n != 2 {
				t.Errorf("%d posts in two days", n)
			}
		})
	}
}

// TestPuzzlePostWhoseChannelIsGone: posting ends, and the settings say why.
func TestPuzzlePostWhoseChannelIsGone(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	w.Discord.Faults().RefuseNext(createMessage, 404, 10003)
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the end of posting", func() bool {
		p := stored(t, w).Puzzle
		return p.Fault == store.ChannelGone && p.Channel == "" && p.Due.IsZero()
	})
}

// TestPuzzlePostSetAnewMeanwhile: a channel that is set while the post to another one is being
// refused stays set.
func TestPuzzlePostSetAnewMeanwhile(t *testing.T) {
	t.Parallel()
	gate := &bottest.Gate{}
	w, clock, _, due := posting(t, gate.Through())
	gate.Hold(1, "POST", "/channels/"+w.Channel.ID()+"/messages")
	w.Discord.Faults().RefuseNext(createMessage, 403, 50013)
	clock.Advance(due.Sub(clock.Now()))
	gate.Await(t, 1)
	set := stored(t, w)
	set.Puzzle.Channel = store.ChannelID(w.Side("puzzles").ID())
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{set}}); err != nil {
		t.Fatal(err)
	}
	gate.Open()
	w.Stop(t)
	w.Start(t)
	if p := stored(t, w).Puzzle; p.Channel != set.Puzzle.Channel || p.Due.IsZero() || p.Fault != 0 {
		t.Errorf("the settings are %+v", p)
	}
}

// TestPuzzlePostIsNotTriedForLong: Discord knows the nonce by which it tells a repetition for
// some minutes only.
func TestPuzzlePostIsNotTriedForLong(t *testing.T) {
	t.Parallel()
	later := &laterTries{}
	w, clock, _, due := posting(t, bottest.Bot(func(o *bot.Options) { o.After = later.after }))
	w.Discord.Faults().FailNext(createMessage, 500, 1000)
	clock.Advance(due.Sub(clock.Now()))
	waittest.Until(t, "the next try to be put off", func() bool { return len(later.all()) == 1 })
	clock.Advance(2 * time.Minute)
	later.all()[0]()
	w.Stop(t)
	if n := len(later.all()); n != 1 {
		t.Errorf("it is to be tried %d times more", n-1)
	}
}

// TestPuzzlePostWaitsForTheConnection: while nobody could press its buttons nothing is
// posted.
func TestPuzzlePostWaitsForTheConnection(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	w.Discord.Faults().RefuseUpgrade(1_000_000)
	w.Discord.Faults().DropGateway()
	waittest.Until(t, "the bot to know that it is cut off", func() bool { return !w.Service.Ready() })
	clock.Advance(due.Sub(clock.Now()))
	clock.Looked(t)
	clock.Looked(t)
	if g := stored(t, w); g.Puzzle.Due.After(clock.Now()) {
		t.Error("the post is claimed while there is no connection")
	}
	w.Reconnected(t, w.Discord.Faults().Clear)
	soon(t, clock, "the post", func() bool { return len(posts(t, w)) == 1 })
}

// TestPuzzlePostsComeBySoManyASecond: guilds that are due together do not take the rate that
// Discord gives the bot for everything.
func TestPuzzlePostsComeBySoManyASecond(t *testing.T) {
	t.Parallel()
	w, clock, _, due := posting(t)
	w.Stop(t)
	const guilds = 14 // beside the world's own
	w.Tamper(t, func(s *sqlite.Store) error {
		var c store.Change
		for i := range guilds {
			g := store.GuildSettings{Guild: store.GuildID(strconv.Itoa(900000000000000000 + i))}
			g.Puzzle = store.PuzzlePost{Channel: store.ChannelID(w.Channel.ID()), Hour: 18, Due: due}
			c.Guilds = append(c.Guilds, g)
		}
		return s.Apply(t.Context(), c)
	})
	w.Start(t)
	clock.Looked(t)
	clock.Advance(due.Sub(clock.Now()))
	for _, want := range []int{10, guilds + 1} {
		waittest.Until(t, "the posts", func() bool { return posted(w) >= want })
		clock.Looked(t)
		w.Bystander(t)
		if n := posted(w); n != want {
			t.Errorf("posted %d times, want %d by this second", n, want)
		}
		clock.Advance(time.Second)
	}
}

// TestPuzzlePostAtAnotherHour: what was due at the hour before is due at the new one.
func TestPuzzlePostAtAnotherHour(t *testing.T) {
	t.Parallel()
	w, _, mod, due := posting(t)
	m := panel(t, w, mod)
	mod.ClickID(t, m, "1:st:puzzle")
	choose(t, mod, m, "puzzle_hour", "20")
	if now := stored(t, w).Puzzle.Due; !now.Equal(due.Add(2 * time.Hour)) {
		t.Errorf("due %v, want two hours behind %v", now, due)
	}
}

// TestPuzzlePostKilledBehindItsClaim: a process that is killed between the claim and the
// post leaves that day without one, and one that is killed behind the post no second one.
// The next day is posted as ever.
func TestPuzzlePostKilledBehindItsClaim(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ refused, posts int }{"before the post": {1000, 0}, "behind it": {0, 1}} {
		t.Run(name, func(t *testing.T) {
			w, clock, _, due := posting(t)
			w.Discord.Faults().FailNext(createMessage, 500, test.refused)
			clock.Advance(due.Sub(clock.Now()))
			waittest.Until(t, "the post, as far as it gets", func() bool { return posted(w) > 0 && len(posts(t, w)) == test.posts })
			if claimed := stored(t, w).Puzzle.Due; !claimed.After(clock.Now()) {
				t.Fatalf("it is due %v, and not claimed", claimed)
			}
			w.Crash(t)
			w.Discord.Faults().Clear()
			w.Start(t)
			clock.Looked(t)
			clock.Advance(time.Minute)
			clock.Looked(t)
			w.Bystander(t)
			if n := len(posts(t, w)); n != test.posts {
				t.Errorf("%d posts of the day, want %d", n, test.posts)
			}
			clock.Advance(stored(t, w).Puzzle.Due.Sub(clock.Now()))
			soon(t, clock, "the next post", func() bool { return len(posts(t, w)) > test.posts })
			if n := len(posts(t, w)); n != test.posts+1 {
				t.Errorf("%d posts in two days, want %d", n, test.posts+1)
			}
		})
	}
}
