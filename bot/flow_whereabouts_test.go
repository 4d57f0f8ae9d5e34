package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/waittest"
	"tictactoe/store"
)

const (
	day         = 24 * time.Hour
	routeGuilds = "GET /users/@me/guilds"
)

// keepsFor has the bot keep what it knows of servers that it has left for so long.
func keepsFor(d time.Duration) bottest.Option {
	return bottest.Bot(func(o *bot.Options) { o.KeepRemoved = d })
}

// hadBot is a world by a clock in which a game was played on a server, and the bot was seen
// there and elsewhere.
func hadBot(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	w := bottest.New(t, append([]bottest.Option{bottest.ByClock(clock), keepsFor(30 * day)}, options...)...)
	sweptBy(t, w, clock)
	w.Finished(t)
	w.Discord.AddGuild("Another")
	pass(t, w, clock, day)
	return w, clock
}

func sweeps(t *testing.T, w *bottest.World) store.Sweeps {
	t.Helper()
	found, err := w.Store.Sweeps(t.Context(), store.ApplicationID(w.Discord.AppID()))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// sweptBy waits for a complete sweep at the clock's time.
func sweptBy(t *testing.T, w *bottest.World, clock *bottest.Clock) {
	t.Helper()
	now := clock.Now().Truncate(time.Millisecond)
	waittest.Until(t, "a complete sweep", func() bool { return !sweeps(t, w).Last.Before(now) })
}

// pass lets days pass, each with its sweep.
func pass(t *testing.T, w *bottest.World, clock *bottest.Clock, d time.Duration) {
	t.Helper()
	for ; d > 0; d -= day {
		clock.Advance(min(d, day))
		if d >= day {
			sweptBy(t, w, clock)
		}
	}
}

// games returns how many results Bob has whose game is still kept.
func games(t *testing.T, w *bottest.World) int {
	t.Helper()
	list, err := w.Store.LastResults(t.Context(), store.UserID(w.Bob.ID()), 99)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func departures(t *testing.T, w *bottest.World) int {
	t.Helper()
	gone, err := w.Store.Departures(t.Context(), store.ApplicationID(w.Discord.AppID()), time.Now().Add(10000*day), 99)
	if err != nil {
		t.Fatal(err)
	}
	return len(gone)
}

// wantErased waits until nothing is left of the scene's server but what is people's own.
func wantErased(t *testing.T, w *bottest.World, before store.Profile) {
	t.Helper()
	waittest.Until(t, "what was kept about the server to be erased", func() bool { return games(t, w) == 0 && departures(t, w) == 0 })
	guild := store.GuildID(w.Discord.Guild().ID())
	rows, _, err := w.Store.Standings(t.Context(), guild, store.AllTime, 0, 9)
	if len(rows) > 0 || err != nil {
		t.Errorf("standings of the server: %+v, %v", rows, err)
	}
	if after := profile(t, w); !slices.Equal(after.Tallies, before.Tallies) || after.Best != before.Best || after.Versus != before.Versus {
		t.Errorf("Bob has played %+v, had %+v", after, before)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v", wrong, err)
	}
}

func profile(t *testing.T, w *bottest.World) store.Profile {
	t.Helper()
	p, err := w.Store.Profile(t.Context(), store.UserID(w.Bob.ID()), store.UserID(w.Ada.ID()), "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRemovedBot: a server that two sweeps have missed keeps everything for thirty days, and
// loses it then; people keep what is theirs, and the bot can be invited again.
func TestRemovedBot(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	before := profile(t, w)
	w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Guild().RemoveBot()
	pass(t, w, clock, day)
	if found := sweeps(t, w); found.There != 1 || found.Missing != 1 || departures(t, w) != 0 {
		t.Fatalf("behind one sweep: %+v, %d gone", found, departures(t, w))
	}
	pass(t, w, clock, day)
	if departures(t, w) != 1 {
		t.Fatal("two sweeps have missed the server")
	}
	pass(t, w, clock, 29*day)
	if games(t, w) != 1 {
		t.Fatal("erased before the time")
	}
	pass(t, w, clock, day)
	wantErased(t, w, before)
	if m, ok := w.Active(t); ok {
		t.Errorf("still played: %+v", m)
	}
	w.Discord.Guild().InviteBot()
	w.Elsewhere("afterwards")
	w.Play(t, w.Ada)
}

// TestSeenAgain: one click on a server that has the bot again is enough, without any sweep,
// and so is that it is in the list when its time is over.
func TestSeenAgain(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(*testing.T, *bottest.World, *bottest.Clock){
		"by a click": func(t *testing.T, w *bottest.World, _ *bottest.Clock) {
			w.Elsewhere("again")
			w.Play(t, w.Ada)
		},
		"when its time is over": func(t *testing.T, _ *bottest.World, clock *bottest.Clock) { clock.Advance(day / 2) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := hadBot(t, keepsFor(29*day+day/2))
			w.Discord.Guild().RemoveBot()
			pass(t, w, clock, 31*day) // gone since the second
			if departures(t, w) != 1 {
				t.Fatal("sweeps have missed the server")
			}
			w.Discord.Guild().InviteBot()
			asked := len(listed(w))
			back(t, w, clock)
			waittest.Until(t, "the server to be known to have the bot", func() bool { return departures(t, w) == 0 })
			if games(t, w) != 1 {
				t.Error("erased though the bot is back")
			}
			if name == "by a click" && len(listed(w)) != asked {
				t.Error("Discord was asked")
			}
		})
	}
}

// listed are the requests for the bot's servers.
func listed(w *bottest.World) (all []sandbox.Request) {
	for _, r := range w.Discord.Requests() {
		if r.Method+" "+r.Route == routeGuilds {
			all = append(all, r)
		}
	}
	return all
}

// TestSweepsThatCountForNothing: one that does not come to its end, that is refused, or that
// finds nothing at all where there was more, misses nobody.
func TestSweepsThatCountForNothing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arm  func(*bottest.World)
		says string
	}{
		"failing":      {func(w *bottest.World) { w.Discord.FailNext(routeGuilds, 500, 20) }, "was not found out"},
		"forbidden":    {func(w *bottest.World) { w.Discord.RefuseNext(routeGuilds, 403, 50001) }, "was not found out"},
		"rate limited": {func(w *bottest.World) { w.Discord.RateLimitNext(routeGuilds, time.Hour, sandbox.ScopeUser) }, "was not found out"},
		"empty":        {func(w *bottest.World) { w.Discord.Guilds()[1].RemoveBot() }, "no server at all"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := hadBot(t)
			w.Discord.Guild().RemoveBot()
			test.arm(w)
			before := sweeps(t, w)
			clock.Advance(day)
			waittest.Until(t, "the sweep to fail", func() bool { return strings.Contains(w.Log.String(), test.says) })
			if after := sweeps(t, w); after != before {
				t.Errorf("sweeps: %+v, were %+v", after, before)
			}
		})
	}
}

// TestManyServers: a sweep goes through all pages of the list, and finds everybody on them.
func TestManyServers(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	for n := range rest.MostGuilds {
		w.Discord.AddGuild(fmt.Sprint("Server ", n))
	}
	pass(t, w, clock, 2*day)
	if found := sweeps(t, w); found.There != rest.MostGuilds+2 || found.Missing != 0 || departures(t, w) != 0 {
		t.Errorf("of %d servers: %+v, %d gone", rest.MostGuilds+2, found, departures(t, w))
	}
}

// TestSweepsAreADayApart, since what two of them have missed is taken to be gone; behind one
// that has failed the next is tried in an hour.
func TestSweepsAreADayApart(t *testing.T) {
	t.Parallel()
	for name, arm := range map[string]func(*bottest.World, *bottest.Clock){
		"complete": func(*bottest.World, *bottest.Clock) {},
		"failed": func(w *bottest.World, clock *bottest.Clock) {
			w.Discord.RefuseNext(routeGuilds, 403, 50001)
			clock.Advance(day)
			waittest.Until(t, "the sweep to fail", func() bool { return strings.Contains(w.Log.String(), "was not found out") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := hadBot(t)
			arm(w, clock)
			asked := len(listed(w))
			clock.Advance(50 * time.Minute)
			clock.Looked(t)
			clock.Looked(t)
			w.Bystander(t)
			w.Stop(t) // a sweep would be under way by then
			if n := len(listed(w)) - asked; n != 0 {
				t.Errorf("Discord was asked %d times more", n)
			}
		})
	}
}

// TestAnotherApplication: the sweeps of another application, whose bot was never there, say
// nothing of where the first one was.
func TestAnotherApplication(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	first := store.ApplicationID("1")
	guild := store.GuildID(w.Discord.Guild().ID())
	lost := store.GuildID("4711")
	if err := w.Store.SeeGuilds(t.Context(), store.Sighting{Application: first, At: clock.Now(), Guilds: []store.GuildID{guild, lost}}); err != nil {
		t.Fatal(err)
	}
	pass(t, w, clock, 3*day)
	found, err := w.Store.Sweeps(t.Context(), first)
	if found.There != 2 || found.Missing != 0 || err != nil {
		t.Errorf("of the first application: %+v, %v", found, err)
	}
}

// gated lets an erasure of a guild come as far as it may, a row at a time.
type gated struct {
	store.Store
	may atomic.Int64
}

var errGate = errors.New("not yet")

func (g *gated) EraseGuild(ctx context.Context, d store.Departure, _ int) (store.ErasureStep, error) {
	if g.may.Add(-1) < 0 {
		return 0, errGate
	}
	return g.Store.EraseGuild(ctx, d, 1)
}

// TestGuildErasureGoesOnAfterARestart: what a process has left of it the next one does, and
// in between nothing is wrong.
func TestGuildErasureGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	var g gated
	w, clock := hadBot(t, bottest.Behind(func(real store.Store) store.Store { g.Store = real; return &g }))
	before := profile(t, w)
	g.may.Store(2)
	w.Discord.Guild().RemoveBot()
	pass(t, w, clock, 32*day)
	waittest.Until(t, "the erasure to begin", func() bool { return g.may.Load() < 0 })
	if departures(t, w) != 1 {
		t.Error("in the middle it is not known any more")
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("in the middle: Recount() = %d, %v", wrong, err)
	}
	g.may.Store(1000)
	w.Restart(t)
	wantErased(t, w, before)
}

// TestBroughtAlongIsExempt: a server that has never had the bot keeps what was played there
// by who brought it along.
func TestBroughtAlongIsExempt(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := brought(t, away["a server"], bottest.ByClock(clock), keepsFor(day))
	w.Finished(t)
	pass(t, w, clock, 5*day)
	if games(t, w) != 1 || sweeps(t, w).Missing != 0 {
		t.Errorf("%d games, %+v", games(t, w), sweeps(t, w))
	}
}

// TestKeptForGood: who wants to keep everything asks Discord for nothing.
func TestKeptForGood(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	w.Play(t, w.Ada)
	clock.Advance(3 * day)
	clock.Looked(t)
	if n := len(listed(w)); n > 0 {
		t.Errorf("asked %d times", n)
	}
}

// TestOneSweepOfTwoProcesses: who keeps the clock that stands for it sweeps, and nobody else,
// also when a sweep falls due for both at the same moment.
func TestOneSweepOfTwoProcesses(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock), keepsFor(30*day))
	share(t, w, other)
	sweptBy(t, w, clock)
	for range 3 {
		asked := len(listed(w))
		clock.Advance(day)
		sweptBy(t, w, clock)
		clock.Looked(t) // and looked again, all of them
		if n := len(listed(w)) - asked; n != 1 {
			t.Errorf("Discord was asked for the servers %d times", n)
		}
	}
}
