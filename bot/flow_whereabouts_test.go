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
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

const (
	day        = 24 * time.Hour
	routeGuild = "GET /guilds/{guild_id}"
)

// keepsFor has the bot keep what it knows of servers that it has left for so long.
func keepsFor(d time.Duration) bottest.Option {
	return bottest.Bot(func(o *bot.Options) { o.KeepRemoved = d })
}

// hadBot is a world by a clock in which a game was played on a server.
func hadBot(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	w := bottest.New(t, append([]bottest.Option{bottest.ByClock(clock), keepsFor(30 * day)}, options...)...)
	w.Finished(t)
	waittest.Until(t, "the server to be noted", func() bool { return len(unused(t, w, clock.Now().Add(31*day))) == 1 })
	return w, clock
}

// unused are the servers of which it is time to ask at the moment.
func unused(t *testing.T, w *bottest.World, at time.Time) []store.GuildID {
	t.Helper()
	list, err := w.Store.UnusedGuilds(t.Context(), store.ApplicationID(w.Discord.AppID()), at, 999)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// pass lets days pass, each with a look at the servers.
func pass(t *testing.T, w *bottest.World, clock *bottest.Clock, d time.Duration) {
	t.Helper()
	for ; d > 0; d -= day {
		clock.Advance(min(d, day))
		if d >= day {
			now := clock.Now()
			waittest.Until(t, "Discord to be asked of all servers of which it is time", func() bool { return len(unused(t, w, now)) == 0 })
		}
	}
}

// asked are the requests for servers.
func asked(w *bottest.World) (all []sandbox.Request) {
	for _, r := range w.Discord.REST().Requests() {
		if r.Method+" "+r.Route == routeGuild {
			all = append(all, r)
		}
	}
	return all
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

// TestRemovedBot: a server that nobody uses for thirty days is asked for, and keeps
// everything for thirty more once Discord has said twice that the bot is not there. It loses
// it then; people keep what is theirs, and the bot can be invited again.
func TestRemovedBot(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	before := profile(t, w)
	w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Guild().RemoveBot()
	pass(t, w, clock, 29*day)
	if n := len(asked(w)); n != 0 {
		t.Fatalf("asked %d times within the month", n)
	}
	pass(t, w, clock, day)
	if len(asked(w)) != 1 || departures(t, w) != 0 {
		t.Fatalf("asked %d times, %d gone; want it asked once", len(asked(w)), departures(t, w))
	}
	pass(t, w, clock, day)
	if departures(t, w) != 1 {
		t.Fatal("Discord has said it twice")
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

// TestUnusedServer: one that nobody uses and that still has the bot loses nothing, and is
// asked for once a month.
func TestUnusedServer(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	pass(t, w, clock, 95*day)
	if games(t, w) != 1 || len(asked(w)) != 3 {
		t.Errorf("%d games, asked %d times; want 1, and 3", games(t, w), len(asked(w)))
	}
}

// TestSeenAgain: one click on a server that has the bot again is enough, without any question,
// and so is that Discord says so when its time is over.
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
			pass(t, w, clock, 60*day) // gone since the day after a month
			if departures(t, w) != 1 {
				t.Fatal("Discord has said twice that the bot is gone")
			}
			w.Discord.Guild().InviteBot()
			before := len(asked(w))
			back(t, w, clock)
			waittest.Until(t, "the server to be known to have the bot", func() bool { return departures(t, w) == 0 })
			if games(t, w) != 1 {
				t.Error("erased though the bot is back")
			}
			if name == "by a click" && len(asked(w)) != before {
				t.Error("Discord was asked")
			}
		})
	}
}

// TestAnswersThatCountForNothing: where Discord does not say that the bot is not there, the
// server is asked for again in an hour.
func TestAnswersThatCountForNothing(t *testing.T) {
	t.Parallel()
	for name, arm := range map[string]func(*bottest.World){
		"failing":      func(w *bottest.World) { w.Discord.Faults().FailNext(routeGuild, 500, 20) },
		"forbidden":    func(w *bottest.World) { w.Discord.Faults().RefuseNext(routeGuild, 403, 40001) },
		"rate limited": func(w *bottest.World) { w.Discord.Faults().RateLimitNext(routeGuild, time.Hour, sandbox.ScopeUser) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := hadBot(t)
			arm(w)
			clock.Advance(30 * day)
			waittest.Until(t, "the question to fail", func() bool { return strings.Contains(w.Log.String(), "was not found out") })
			if now := clock.Now(); len(unused(t, w, now)) != 1 || departures(t, w) != 0 {
				t.Errorf("unused %v, %d gone", unused(t, w, now), departures(t, w))
			}
		})
	}
}

// TestManyUnusedServers: only so many are asked for in an hour.
func TestManyUnusedServers(t *testing.T) {
	t.Parallel()
	w, clock := hadBot(t)
	seen := store.Sighting{Application: store.ApplicationID(w.Discord.AppID()), At: clock.Now()}
	for n := range 30 {
		seen.Guilds = append(seen.Guilds, store.GuildID(w.Discord.World().AddGuild(fmt.Sprint("Server ", n)).ID()))
	}
	if err := w.Store.SeeGuilds(t.Context(), seen); err != nil {
		t.Fatal(err)
	}
	clock.Advance(30 * day)
	now := clock.Now()
	waittest.Until(t, "some to be asked for", func() bool { return len(unused(t, w, now)) == 11 })
	clock.Looked(t)
	if n := len(asked(w)); n != 20 {
		t.Errorf("%d are asked for at once", n)
	}
	clock.Advance(time.Hour)
	waittest.Until(t, "the others to be asked for", func() bool { return len(unused(t, w, now)) == 0 })
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
	pass(t, w, clock, 62*day)
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
	pass(t, w, clock, 65*day)
	if games(t, w) != 1 || len(asked(w)) != 0 {
		t.Errorf("%d games, asked %d times", games(t, w), len(asked(w)))
	}
}

// TestKeptForGood: who wants to keep everything asks Discord for nothing.
func TestKeptForGood(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock))
	w.Play(t, w.Ada)
	clock.Advance(65 * day)
	clock.Looked(t)
	if n := len(asked(w)); n > 0 {
		t.Errorf("asked %d times", n)
	}
}

// TestOneOfTwoProcessesAsks: who keeps the clock that stands for it asks, and nobody else.
func TestOneOfTwoProcessesAsks(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock), keepsFor(30*day))
	share(t, w, other)
	w.Finished(t)
	waittest.Until(t, "the server to be noted", func() bool { return len(unused(t, w, clock.Now().Add(31*day))) == 1 })
	pass(t, w, clock, 30*day)
	clock.Looked(t) // and looked again, all of them
	if n := len(asked(w)); n != 1 {
		t.Errorf("Discord was asked for the server %d times", n)
	}
}

// TestManagerErasesServer: who manages a server has everything about it erased at once, asked
// twice, with games under way, also where removed servers are kept for good. Another process
// goes on with it.
func TestManagerErasesServer(t *testing.T) {
	t.Parallel()
	var g gated
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.ClicksDelivered, bottest.Behind(func(real store.Store) store.Store { g.Store = real; return &g }))
	w.Finished(t)
	before := profile(t, w)
	board := w.Challenge(t, w.Ada, w.Bob)
	mona := manager(w, "Mona")
	w.Refused(t, w.Ada.ClickID(t, board, "1:gx", sandbox.Forced), "out of date")
	w.Refused(t, w.Ada.ClickID(t, board, "1:ga", sandbox.Forced), "Manage Server")
	panel := w.Answer(t, mona.Command(t, w.Channel, "tictactoe-admin settings"))
	skips(t, mona, panel)
	question := w.Answer(t, mona.Click(t, panel, "Delete…"))
	bottest.WantText(t, question, "**Delete everything about this server?**")
	mona.Click(t, question, "Keep it")
	question = w.Answer(t, mona.Click(t, panel, "Delete…"))
	mona.Click(t, question, "Delete…")
	bottest.WantText(t, question, "can't be undone")
	if games(t, w) != 1 || departures(t, w) != 0 {
		t.Error("erased before the second yes")
	}
	g.may.Store(2)
	mona.Click(t, question, "Delete everything")
	bottest.WantText(t, question, "I'm deleting everything")
	waittest.Until(t, "the erasure to begin", func() bool { return g.may.Load() < 0 })
	g.may.Store(1000)
	w.Restart(t)
	w.Refused(t, w.Ada.ClickID(t, board, "1:gx", sandbox.Forced), "out of date") // by a click it is known whose token it is
	clock.Advance(time.Minute)
	wantErased(t, w, before)
	if !strings.Contains(w.Log.String(), "everything about a server is to be erased") || !strings.Contains(w.Log.String(), "by="+mona.ID()) {
		t.Error("the log does not say who has had it erased")
	}
	w.Elsewhere("afterwards")
	w.Play(t, w.Ada)
}
