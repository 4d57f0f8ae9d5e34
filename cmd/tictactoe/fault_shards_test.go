//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

const (
	// shardKillsVariable says how many processes the long run kills.
	shardKillsVariable = "TICTACTOE_SHARD_KILLS"
	// shardKillsEveryVariable says how long after one kill the next one is. Without it
	// that depends on how much is played.
	shardKillsEveryVariable = "TICTACTOE_SHARD_KILLS_EVERY"
)

// shardKills reads the settings of the run.
func shardKills(t *testing.T) (kills int, every time.Duration) {
	t.Helper()
	kills = 2
	if v := os.Getenv(shardKillsVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s is no number: %q", shardKillsVariable, v)
		}
		kills = n
	}
	if v := os.Getenv(shardKillsEveryVariable); v != "" {
		d, err := time.ParseDuration(v)
		if err != nil {
			t.Fatalf("%s: %v", shardKillsEveryVariable, err)
		}
		every = d
	}
	return kills, every
}

// TestKilledWithShards has three processes share sixteen shards, of which Discord lets
// sixteen identify at once, and kills one process after the other while pairs of people
// race on shards of each. What people on the shards of the others do is answered all the
// time, and everything is once the killed one is back. Every game is legal, all boards show
// what is stored in the end, and no clock has run faster than time.
func TestKilledWithShards(t *testing.T) {
	t.Parallel()
	const count = 16
	kills, every := shardKills(t)
	address := postgrestest.URL(t)
	srv, settings := discord(t, func(o *sandbox.Options) {
		o.Gateway.MaxConcurrency, o.Gateway.IdentifyWindow = count, 5*time.Second // as Discord has it
		o.World.KeepCalls = 100_000
	})
	srv.AllowUnanswered() // by a process that is dead; see below
	srv.Gateway().RequireShards(count)
	settings = append(settings, "DATABASE_URL="+address, "START_LIMIT=none", "SHARD_COUNT="+strconv.Itoa(count))
	parts := []*shardPart{
		{ids: "0-5", first: 0, last: 5}, {ids: "6-10", first: 6, last: 10}, {ids: "11-15", first: 11, last: 15},
	}
	start := func(p *shardPart) {
		t.Helper()
		p.program = launch(t, "", append(settings, "SHARD_IDS="+p.ids))
		srv.WaitFor(t, "all shards", func() bool { return len(srv.Gateway().Shards()) == count })
		p.turns.Add(1)
	}
	for i, p := range parts {
		p.program = launch(t, "", append(settings, "SHARD_IDS="+p.ids))
		if i == 0 {
			connected(t, srv, p.program)
		}
	}
	srv.WaitFor(t, "all shards", func() bool { return len(srv.Gateway().Shards()) == count })
	db, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	clocks := watchClocks(t, db)

	over := make(chan struct{})
	var crowd sync.WaitGroup
	var excused sync.Map
	for i, p := range parts {
		for _, shard := range []int{p.first, p.last} {
			g := srv.World().AddGuildOn(fmt.Sprint("on shard ", shard), shard, count)
			r := &racers{
				pair: &pair{
					srv: srv, channel: g.Channel("general"), dice: rand.New(rand.NewPCG(uint64(shard), 5)), //nolint:gosec // a few
					people: [2]*sandbox.User{srv.User(fmt.Sprint("First-", shard)), srv.User(fmt.Sprint("Second-", shard))},
				},
				answered: &parts[i].answered,
				gone:     p.gone(&excused),
			}
			for _, u := range r.people {
				u.Join(g)
			}
			crowd.Go(func() { r.race(t, over) })
		}
	}
	more := func(n int64) {
		t.Helper()
		for _, p := range parts {
			if p.turns.Load()%2 == 0 {
				target := p.answered.Load() + n
				waittest.Until(t, "people on shards "+p.ids+" to be answered", func() bool { return p.answered.Load() >= target })
			}
		}
	}
	for n := range kills {
		next := time.NewTimer(every)
		more(10)
		p := parts[n%len(parts)]
		p.turns.Add(1)
		p.program.kill(t)
		more(10) // the others
		start(p)
		more(10)
		<-next.C
	}
	close(over)
	crowd.Wait()

	answered, lost := 0, 0
	for _, c := range srv.World().Calls() {
		switch r := c.Reply(); {
		case r.Answered():
			answered++
		case r.Refused != "":
		default:
			if lost++; !isExcused(&excused, c) {
				t.Errorf("not answered: %s: %v", c, r.Problems)
			}
		}
	}
	clocks.check()
	matches := converges(t, srv, address, db)
	t.Logf("%d kills, %d answers, %d lost with a killed process, %d matches stored", kills, answered, lost, matches)
}

// shardPart is the process that has some of the shards.
type shardPart struct {
	ids         string
	first, last int
	program     *program
	answered    atomic.Int64
	turns       atomic.Int64 // odd while it is dead
}

// gone returns what tells, of a call that is made now, whether its process has died since.
// Such a call is excused: nobody else has its shard.
func (p *shardPart) gone(excused *sync.Map) func() func(c *sandbox.Call) bool {
	return func() func(*sandbox.Call) bool {
		for p.turns.Load()%2 != 0 {
			time.Sleep(time.Millisecond) // polls; nobody clicks where nobody answers
		}
		before := p.turns.Load()
		return func(c *sandbox.Call) bool {
			if p.turns.Load() == before {
				return false
			}
			excused.Store(c.ID(), true)
			return true
		}
	}
}

func isExcused(excused *sync.Map, c *sandbox.Call) bool {
	_, ok := excused.Load(c.ID())
	return ok
}
