package bot_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// evenDomains are those of the first of two shards.
const evenDomains store.DomainSet = 0x5555555555555555

const oddDomains = store.AllDomains &^ evenDomains

// Sessions of several processes on this database take turns: service looks whether its store has them.
var _ gateway.Turns = (*postgres.Store)(nil)

// TestProcessesShareShards: each of two processes has one of two shards, and keeps the clocks
// of its servers. They stand still while the shard is away, and a process that has lost its
// shard is not ready.
func TestProcessesShareShards(t *testing.T) {
	t.Parallel()
	split := func(ids ...int) func(*service.Options) {
		return func(o *service.Options) { o.Shards = service.Shards{Count: 2, IDs: ids} }
	}
	w := postgresWorld(t, bottest.Service(split(0)))
	w.Configure(split(1))
	other := w.Beside(t)
	served := func(s *service.Service, want store.DomainSet) func() bool {
		return func() bool { return s.Served() == want }
	}
	if got := w.Service.Served(); got != evenDomains {
		t.Errorf("the first serves %b", got)
	}
	waittest.Until(t, "the second to serve the rest", served(other.Service, oddDomains))
	if one, two := w.Store.(*postgres.Store).Leases(), other.Store.(*postgres.Store).Leases(); one != store.Domains/2 || two != one {
		t.Errorf("they own %d and %d clocks", one, two)
	}
	for shard := range 2 {
		g := w.Discord.World().AddGuildOn(fmt.Sprint("on shard ", shard), shard, 2)
		w.Ada.Join(g)
		if r := w.Ada.Command(t, g.Channel("general"), "tictactoe play"); !r.Answered() {
			t.Errorf("shard %d does not answer: %v", shard, r.Problems)
		}
	}
	w.Discord.Faults().RefuseUpgrade(1 << 20)
	w.Discord.Faults().DropShard(1)
	waittest.Until(t, "the shard to be away", served(other.Service, 0))
	if !w.Service.Ready() || other.Service.Ready() {
		t.Error("the process that has lost its shard, and not the other, is not ready")
	}
	w.Discord.Faults().Clear()
	waittest.Until(t, "the shard to come back", served(other.Service, oddDomains))
}

// standsBy starts a process that stands by for the world's.
func standsBy(t *testing.T, w *bottest.World) *bottest.Process {
	t.Helper()
	p := w.Beside(t)
	if n := w.Discord.Gateway().Sessions(); n != 1 {
		t.Fatalf("beside one that stands by %d sessions are open", n)
	}
	return p
}

// TestShardIsHandedOver: a process that ends in order leaves its shard and the session to the
// one that stands by. What people do meanwhile is answered, and no session is begun.
func TestShardIsHandedOver(t *testing.T) {
	t.Parallel()
	w := postgresWorld(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	next := standsBy(t, w)
	stopped := make(chan struct{})
	go func() { w.Stop(t); close(stopped) }()
	waittest.Until(t, "the first one to be gone", func() bool { return !w.Service.Ready() })
	click := w.Ada.StartClickCell(t, m, 1, 1)
	waittest.Until(t, "the next one to have the shard", func() bool { return next.Service.Served() == store.AllDomains })
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("the click in between is not answered: %v", r.Problems)
	}
	<-stopped
	if st := next.Service.Sessions()[0]; st.Identify != 0 || st.Resumes != 1 {
		t.Errorf("the next one has begun a session: %+v", st)
	}
	w.Store = next.Store
	w.Shows(t, m, ".../.X./...")
}

// TestShardOfADeadProcess: where a process is killed the one that stands by takes its shard
// when the lease has run out. A process that has lost its shard closes the session, and
// stands by in its turn.
func TestShardOfADeadProcess(t *testing.T) {
	t.Parallel()
	address := postgrestest.Empty(t)
	lease := postgres.WithDomainLease(waittest.Limit(time.Second))
	w := bottest.New(t, onPostgres(address, lease, postgres.WithTimeout(waittest.Limit(1500*time.Millisecond))))
	before := w.Session().Session
	next := standsBy(t, w)
	// The lease of the first one is the other's all at once, as if it had been stopped for long.
	var owner string
	postgrestest.Scan(t, address, "SELECT owner FROM leases WHERE name LIKE 'player %' AND owner <> (SELECT owner FROM uptime WHERE domain = 0)", &owner)
	postgrestest.Exec(t, address, "UPDATE uptime SET owner = $1, ends = now() + interval '5 seconds'", owner)
	waittest.Until(t, "the next one to have the shard", func() bool { return next.Service.Served() == store.AllDomains })
	waittest.Until(t, "the first one to stand by", func() bool { return w.Service.Served() == 0 && w.Service.Ready() })
	waittest.Until(t, "one session to be open", func() bool { return w.Discord.Gateway().Sessions() == 1 })
	if st := next.Service.Sessions()[0]; st.Identify != 1 || st.Resumes != 0 || st.Session == before {
		t.Errorf("the next one has %+v, want a session of its own", st)
	}
	next.Stop(t)
	waittest.Until(t, "the first one to have its shard again", func() bool { return w.Service.Served() == store.AllDomains })
	if st := w.Session(); st.Session == before {
		t.Error("the first one goes on with the session that it has lost")
	}
	w.Play(t, w.Ada)
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
				question := answeredBy(t, u.Click(t, board, "⋯ More"))
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
	return bottest.New(t, append([]bottest.Option{onPostgres(postgrestest.Empty(t), lease, patience)}, options...)...)
}
