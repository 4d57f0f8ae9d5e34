package bot_test

import (
	"log/slog"
	"math"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

// TestNothingGrows plays the same round over and over, a thousand interactions in all.
// After the second half the bot holds no more than after the first: rounds are alike,
// what is kept for a time is gone when it is looked at, and of the heap only what the
// bot's own code has made is counted. So little that stays behind
// each interaction is seen, in which the soak's heap, most of it the local Discord's,
// would hide it.
func TestNothingGrows(t *testing.T) {
	const (
		warm, half = 12, 20 // rounds
		perClick   = 300    // bytes that may stay behind an interaction
		others     = 3      // goroutines and files that may happen to be there
	)
	if os.Getenv("TEST_LONG") == "" || raceEnabled {
		t.Skip("takes half a minute, under the race detector several: TEST_LONG=1 has it run without")
	}
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 512
	t.Cleanup(func() { runtime.MemProfileRate = rate })
	now := clock.NewMovable()
	w := bottest.New(t, bottest.LogLevel(slog.LevelError), bottest.ClicksDelivered, bottest.Discord(func(o *sandbox.Options) {
		o.World.Clock = now
	}), bottest.Service(func(o *service.Options) { o.Bot.Now = now.Now }))
	var clicks atomic.Int64
	w.Discord.REST().OnRequest(func(r sandbox.Request) {
		if strings.HasSuffix(r.Route, "/callback") {
			clicks.Add(1)
		}
	})
	play := func(rounds int) {
		for range rounds {
			growthRound(t, w)
		}
		w.Handled(t)
		w.Discord.Settle(t)
		now.Advance(31 * time.Minute) // for half an hour the newest token of a message is kept
		w.Service.CloseIdleConnections()
	}
	play(warm)
	play(half)
	begun := clicks.Load()
	before, held := measure(t), leastHeap(t)
	play(half)
	n := clicks.Load() - begun
	if n < 20*half {
		t.Fatalf("%d interactions in %d rounds", n, half)
	}
	t.Logf("before: %v, %d KB the bot's; after %d interactions: %v, %d KB the bot's", before, held>>10, n, measure(t), botHeap()>>10)
	waittest.Until(t, "the bot's heap to be where it was", func() bool { return leastHeap(t) < held+n*perClick })
	waittest.Until(t, "goroutines and files to be as many as before", func() bool {
		w.Service.CloseIdleConnections() // those of what fell due when the clock moved
		after := measure(t)
		return after.goroutines <= before.goroutines+others && after.files <= before.files+others
	})
}

// growthRound has many things happen that go wrong or right, and leaves no game behind.
func growthRound(t *testing.T, w *bottest.World) {
	t.Helper()
	m := w.Challenge(t, w.Ada, w.Bob)
	free := m.Snapshot().Rows()[0][0].CustomID
	move := func(who *sandbox.User, cell string) { // again, where the board was just redrawn for its times
		free := len(bottest.Empties(m.Snapshot()))
		waittest.Until(t, cell, func() bool {
			w.Cell(t, who, m, cell)
			return bottest.Over(m.Snapshot()) || len(bottest.Empties(m.Snapshot())) < free
		})
	}
	move(w.Ada, "a1")
	move(w.Bob, "a2")
	move(w.Ada, "b2")
	move(w.Bob, "a3")
	w.Bob.ClickID(t, m, free, sandbox.Forced)
	w.Cleo.ClickCell(t, m, 2, 2)
	more := w.More(t, w.Ada, m)
	w.Ada.Click(t, more, "Cell names")
	w.Ada.Click(t, more, "Hide cell names")
	m = w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board"))
	move(w.Ada, "c3")
	bottest.WantText(t, m, "wins")
	w.Ada.Click(t, m, "Rematch")
	bottest.WantText(t, m, "wants a rematch")
	w.Bob.Click(t, m, "Yes, rematch")
	w.Resign(t, w.Ada, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe board")))
	m = w.Play(t, w.Cleo)
	w.Cell(t, w.Cleo, m, "b2")
	w.Resign(t, w.Cleo, m)
	takeBack(t, w, w.Bob, w.Offer(t, w.Bob, w.Cleo))
	w.Discord.Faults().RedeliverNext()
	w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help"))
	w.Discord.Faults().FailNext(sandbox.RouteCallback, 500)
	w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe help"))
}

// leastHeap returns the least of several looks at the bot's heap: what is read four times a
// second comes and goes.
func leastHeap(t *testing.T) int64 {
	least := int64(math.MaxInt64)
	for range 6 {
		_ = measure(t)
		least = min(least, botHeap())
	}
	return least
}

// botHeap returns how many bytes of the heap were made by the bot's code, or for it,
// and are still in use, as of the last collection but one. Of small
// objects only some are seen, which stand for the others: see runtime.MemProfileRate.
func botHeap() (bytes int64) {
	n, _ := runtime.MemProfile(nil, true)
	records := make([]runtime.MemProfileRecord, n+1000)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		return botHeap() // there are more by now
	}
	for _, r := range records[:n] {
		if r.InUseObjects() <= 0 {
			continue
		}
		size := float64(r.InUseBytes()) / float64(r.InUseObjects())
		inUse := float64(r.InUseBytes()) / (1 - math.Exp(-size/float64(runtime.MemProfileRate)))
		frames := runtime.CallersFrames(r.Stack())
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			if ours, ok := strings.CutPrefix(f.Function, "tictactoe/"); ok {
				if !strings.HasPrefix(ours, "bot/sandbox") && !strings.HasPrefix(ours, "bot/bottest") && !strings.HasPrefix(ours, "bot_test") {
					bytes += int64(inUse)
				}
				break
			}
		}
	}
	return bytes
}
