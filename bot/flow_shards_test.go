package bot_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// evenDomains are those of the first of two shards.
const evenDomains store.DomainSet = 0x5555555555555555

// TestProcessesShareShards: each of two processes has one of two shards. People on either
// are answered, and whoever owns a clock knows whether its shard is connected anywhere. A
// process that no clicks reach gives its clocks to the other.
func TestProcessesShareShards(t *testing.T) {
	t.Parallel()
	split := func(ids ...int) func(*service.Options) {
		return func(o *service.Options) { o.Shards = service.Shards{Count: 2, IDs: ids} }
	}
	w := postgresWorld(t, bottest.Service(split(0)))
	if got := w.Service.Served(); got != evenDomains {
		t.Errorf("alone it serves %b", got)
	}
	w.Configure(split(1))
	other := w.Beside(t)
	everywhere := func() bool {
		return w.Service.Served() == store.AllDomains && other.Service.Served() == store.AllDomains
	}
	waittest.Until(t, "both to know of each other", everywhere)
	share(t, w, other)
	for shard := range 2 {
		g := w.Discord.AddGuildOn(fmt.Sprint("on shard ", shard), shard, 2)
		w.Ada.Join(g)
		if r := w.Ada.Command(t, g.Channel("general"), "tictactoe play"); !r.Answered() {
			t.Errorf("shard %d does not answer: %v", shard, r.Problems)
		}
	}
	w.Discord.RefuseUpgrade(1 << 20)
	w.Discord.DropShard(1)
	waittest.Until(t, "one shard to be away for both", func() bool {
		return w.Service.Served() == evenDomains && other.Service.Served() == evenDomains
	})
	if !w.Service.Ready() || other.Service.Ready() {
		t.Error("the process that has lost its shard, and not the other, is not ready")
	}
	waittest.Until(t, "all clocks to go to the process that clicks reach", func() bool {
		return w.Store.(*postgres.Store).Leases() == store.Domains && other.Store.(*postgres.Store).Leases() == 0
	})
	w.Discord.ClearFaults()
	waittest.Until(t, "the shard to come back", everywhere)
	share(t, w, other)
	other.Stop(t)
	waittest.Until(t, "the shard to be gone", func() bool { return w.Service.Served() == evenDomains })
}

// TestRollingRestart: each new process connects before the old one leaves, while people
// play. Nothing that they do is lost.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	w := postgresWorld(t, bottest.GoesBack(), bottest.StartLimit("none"))
	over := make(chan struct{})
	end := sync.OnceFunc(func() { close(over) })
	var crowd sync.WaitGroup
	t.Cleanup(func() { end(); crowd.Wait() })
	clicks := make(chan struct{}, 1<<16)
	for n := range 3 {
		u, c := w.Discord.User(fmt.Sprint("Player ", n)), w.Side(fmt.Sprint("table-", n))
		crowd.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				board := answeredBy(t, u.Command(t, c, "tictactoe play"))
				if board == nil || answeredBy(t, u.ClickCell(t, board, 1, 1)) == nil {
					return
				}
				question := answeredBy(t, u.Click(t, board, "Resign"))
				if question == nil || answeredBy(t, u.Click(t, question, "Resign")) == nil {
					return
				}
				clicks <- struct{}{}
			}
		})
	}
	some := func() {
		waittest.Until(t, "people to be answered", func() bool { return len(clicks) >= 6 })
		for len(clicks) > 0 {
			<-clicks
		}
	}
	some()
	second := w.Beside(t)
	some()
	w.Stop(t)
	some()
	third := w.Beside(t)
	some()
	second.Stop(t)
	some()
	end()
	crowd.Wait()
	w.Store = third.Store
}

// answeredBy returns the message of an answer, nil without one.
func answeredBy(t *testing.T, r *sandbox.Reply) *sandbox.Message {
	if !r.Answered() || r.Message == nil {
		t.Errorf("%v is not answered with a message: %v", r.State, r.Problems)
		return nil
	}
	return r.Message
}

// postgresWorld is a world beside whose bot others can start.
func postgresWorld(t *testing.T, options ...bottest.Option) *bottest.World {
	t.Helper()
	patience := postgres.WithTimeout(waittest.Limit(1500 * time.Millisecond))
	lease := postgres.WithDomainLease(waittest.Limit(time.Second))
	return bottest.New(t, append([]bottest.Option{onPostgres(postgrestest.URL(t), lease, patience)}, options...)...)
}
