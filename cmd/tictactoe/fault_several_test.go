//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// severalVariable says how many processes the long run stops.
const severalVariable = "TICTACTOE_SEVERAL"

// balancer passes interactions on to one process after the other that is ready. It asks the
// next one when a connection is refused, or when a process says that it does not know yet
// whose token it has, and when it came to one later after its look than balancers may. Where none is
// ready it tries all the same.
type balancer struct {
	client http.Client
	next   atomic.Int64
	kills  atomic.Bool // what is lost now was lost with a killed process

	mu    sync.Mutex
	addrs []string            // empty for one that does not run
	lost  map[string]bool     // interactions that a process had taken and did not answer
	taken map[string][]string // by address, interactions that are to be answered by the callback route
	dead  map[string]bool     // addresses of processes that were killed
}

func newBalancer(processes int) *balancer {
	return &balancer{
		client: http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute},
		addrs:  make([]string, processes), lost: map[string]bool{}, taken: map[string][]string{}, dead: map[string]bool{},
	}
}

// runs says where a process serves from now on, nowhere for an empty address: the port of
// one that has ended may become somebody else's.
func (b *balancer) runs(i int, addr string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.addrs[i] = addr
}

// turn returns the address of the process whose turn it is, which may be empty.
func (b *balancer) turn() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.addrs[int(b.next.Add(1))%len(b.addrs)]
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	began := time.Now()
	for n := range 10 * len(b.addrs) {
		addr, looked := b.turn(), time.Now()
		if addr == "" || n < 5*len(b.addrs) && looked.Sub(began) < answerTime/4 && !b.ready(addr) {
			continue
		}
		req, err := http.NewRequest(http.MethodPost, "http://"+addr+"/interactions", bytes.NewReader(content)) //nolint:noctx // it has a time limit
		if err != nil {
			return
		}
		req.Header = r.Header.Clone()
		var came time.Time
		trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { came = time.Now() }}
		resp, err := b.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
		var dial *net.OpError
		switch {
		case errors.As(err, &dial) && dial.Op == "dial", err != nil && came.Sub(looked) >= noticeTime:
			continue
		case err != nil:
			b.lose(content)
			w.WriteHeader(http.StatusBadGateway)
			return
		case resp.StatusCode == http.StatusServiceUnavailable:
			_ = resp.Body.Close()
			continue
		}
		answer, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			b.lose(content)
		}
		if resp.StatusCode == http.StatusAccepted {
			b.took(addr, content)
		}
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = w.Write(answer)
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
}

// ready reports whether a process says soon that it is. Without its database it thinks about
// that for a while, and somebody waits for an answer meanwhile.
func (b *balancer) ready(addr string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime/8)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// lose notes an interaction whose process was killed.
func (b *balancer) lose(content []byte) {
	if !b.kills.Load() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost[idOf(content)] = true
}

// took notes an interaction that a process has taken, to be answered by the callback route.
func (b *balancer) took(addr string, content []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead[addr] {
		b.lost[idOf(content)] = true
		return
	}
	b.taken[addr] = append(b.taken[addr], idOf(content))
}

// died notes that a process was killed, and with it what it had taken.
func (b *balancer) died(i int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	addr := b.addrs[i]
	b.dead[addr] = true
	for _, id := range b.taken[addr] {
		b.lost[id] = true
	}
}

func idOf(content []byte) string {
	var in struct{ ID string }
	_ = json.Unmarshal(content, &in)
	return in.ID
}

func (b *balancer) isLost(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lost[id]
}

// TestSeveralProcesses has three processes play on one PostgreSQL behind a balancer while
// pairs of people race for every move, and stops one process after the other, by turns
// with SIGKILL and in order; once the database goes as by a loss of power and comes back.
// Every game is legal, everything is answered but what a killed process had taken, all
// boards show what is stored in the end, and no clock has run faster than time.
func TestSeveralProcesses(t *testing.T) {
	t.Parallel()
	stops := 3
	if v := os.Getenv(severalVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s is no number: %q", severalVariable, v)
		}
		stops = n
	}
	cluster := postgrestest.NewCluster(t)
	// A server of a second's age that three programs ask at once takes its time on a busy machine.
	address := postgrestest.With(t, cluster.URL, "connect_timeout", "60")
	srv := sandbox.NewServer(t, func(o *sandbox.Options) {
		o.REST.BucketLimit, o.REST.GlobalLimit = 10_000, -1
		o.World.LookTime = 450 * time.Millisecond
		o.World.Deadline = answerTime
		o.World.KeepCalls = 100_000
	})
	srv.AllowUnanswered() // what a killed process had taken; see below
	bottest.WatchRequests(t, srv, behindAnother)
	settings := []string{
		"DISCORD_TOKEN=" + srv.Token(), "DISCORD_API_URL=" + srv.APIURL(), "DATABASE_URL=" + address, "DISCORD_GATEWAY=off",
		"DISCORD_PUBLIC_KEY=" + srv.PublicKey(), "START_LIMIT=none", "HTTP_ADDR=" + anyPort,
	}
	programs := make([]*program, 3)
	balance := newBalancer(len(programs))
	isReady := func(i int) (addr string) {
		t.Helper()
		addr = programs[i].serves(t, "HTTP_ADDR")
		becomes(t, addr, http.StatusOK, "ready")
		return addr
	}
	joins := func(i int) {
		t.Helper()
		balance.runs(i, isReady(i))
	}
	for i := range programs {
		programs[i] = launch(t, "", settings)
	}
	for i := range programs {
		joins(i)
	}
	waittest.Until(t, "the commands", func() bool { return len(srv.App().Commands("")) > 0 })
	front := httptest.NewServer(balance)
	t.Cleanup(front.Close)
	if err := srv.REST().SetEndpoint(t.Context(), srv.App(), front.URL+"/interactions"); err != nil {
		t.Fatal(err)
	}
	db, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	clocks := watchClocks(t, db)

	over := make(chan struct{})
	var crowd sync.WaitGroup
	var answered atomic.Int64
	for i := range 4 {
		r := &racers{
			pair: &pair{
				srv: srv, channel: srv.Guild().Channel(fmt.Sprint("race-", i)), dice: rand.New(rand.NewPCG(uint64(i), 3)), //nolint:gosec // a few
				people: [2]*sandbox.User{srv.User(fmt.Sprint("First-", i)), srv.User(fmt.Sprint("Second-", i))},
			},
			answered: &answered,
		}
		crowd.Go(func() { r.race(t, over) })
	}
	more := func(n int64) {
		t.Helper()
		target := answered.Load() + n
		waittest.Until(t, "people to be answered", func() bool { return answered.Load() >= target })
	}
	for n := range stops {
		more(20)
		if n == stops/2 {
			balance.kills.Store(false)
			cluster.Stop(t, "immediate")
			more(10) // in words
			cluster.Start(t)
			for i := range programs {
				isReady(i)
			}
			more(10)
		}
		i := n % len(programs)
		p := programs[i]
		if balance.kills.Store(n%2 == 0); n%2 == 0 {
			p.kill(t)
			balance.died(i)
		} else {
			if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if code, out := p.wait(t); code != exitOK {
				t.Errorf("exit code %d after SIGTERM:\n%s", code, out)
			}
		}
		balance.runs(i, "")
		more(10)
		programs[i] = launch(t, "", settings)
		joins(i)
	}
	close(over)
	crowd.Wait()

	lost := 0
	for _, c := range srv.World().Calls() {
		if r := c.Reply(); !r.Answered() && r.Refused == "" {
			if lost++; !balance.isLost(c.ID()) {
				t.Errorf("not answered: %s: %v", c, r.Problems)
			}
		}
	}
	clocks.check()
	matches := converges(t, srv, address, db)
	t.Logf("%d stops, %d answers, %d lost with a killed process, %d matches stored", stops, answered.Load(), lost, matches)
}

// clockWatch holds clocks to the time that passes.
type clockWatch struct {
	t      *testing.T
	db     *postgres.Store
	began  [store.Domains]time.Time // no later than the clock was saved that is in before
	before store.Uptimes
}

// watchClocks begins with each clock when it is saved next.
func watchClocks(t *testing.T, db *postgres.Store) *clockWatch {
	t.Helper()
	w := &clockWatch{t: t, db: db}
	first, looked := w.uptimes(), time.Now()
	waittest.Until(t, "every clock to be saved", func() bool {
		now, all := w.uptimes(), true
		for d := range now {
			if w.began[d].IsZero() && now[d] > first[d] {
				w.began[d], w.before[d] = looked, now[d]
			}
			all = all && !w.began[d].IsZero()
		}
		looked = time.Now()
		return all
	})
	return w
}

func (w *clockWatch) uptimes() store.Uptimes {
	w.t.Helper()
	up, err := w.db.Uptime(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return up
}

// check fails the test where a clock has run faster than time, as one does that two
// processes keep.
func (w *clockWatch) check() {
	w.t.Helper()
	after := w.uptimes()
	for d := range after {
		took := time.Since(w.began[d])
		if made := after[d] - w.before[d]; made > took+time.Second {
			w.t.Errorf("the clock of domain %d has made %v in %v", d, made, took)
		}
	}
}

// converges waits until all boards show what is stored and every clock has an owner, and
// returns how many matches there are, each of which is legal.
func converges(t *testing.T, srv *sandbox.Server, address string, db store.Store) (matches int) {
	t.Helper()
	all := storedLegally(t, address, db)
	for _, m := range all {
		message := srv.World().MessageByID(string(m.Message))
		if message == nil || m.Private() || message.Deleted() {
			continue
		}
		message.Wait(t, "the board of a match to show what is stored", func(s sandbox.Snapshot) bool {
			id, ply, _ := bottest.Shown(s.Components)
			return id != m.ID || ply == len(m.Moves)
		})
	}
	waittest.Until(t, "every clock to have a living owner", func() bool {
		var owned int
		postgrestest.Scan(t, address, "SELECT count(*) FROM uptime WHERE owner <> '' AND ends > now()", &owned)
		return owned == store.Domains
	})
	return len(all)
}

// storedLegally returns all matches, each of which is a legal sequence of moves.
func storedLegally(t *testing.T, address string, db store.Store) (all []store.Match) {
	t.Helper()
	var ids []int64
	postgrestest.Scan(t, address, "SELECT coalesce(array_agg(id), '{}') FROM matches", &ids)
	for _, id := range ids {
		m, err := db.Match(t.Context(), store.MatchID(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Replay(m.Rules, m.Moves); err != nil {
			t.Errorf("match %d is no legal sequence of moves: %v: %v", m.ID, m.Moves, err)
		}
		all = append(all, m)
	}
	return all
}

// racers are a pair of whom both want to have the next move.
type racers struct {
	*pair
	answered *atomic.Int64
	// gone waits until somebody is there to answer, and returns what tells whether nobody
	// is any more who could answer a call. Nil where calls are waited for in any case.
	gone func() func(c *sandbox.Call) bool
}

// race goes on until the round is over.
func (r *racers) race(t *testing.T, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		default:
		}
		gone := func(*sandbox.Call) bool { return false }
		if r.gone != nil {
			gone = r.gone()
		}
		who, action := r.next()
		calls := make([]*sandbox.Call, 0, 2)
		for _, u := range r.people {
			if _, click := action.(sandbox.ButtonClick); !click && u != who {
				continue // one of them begins, both press what is there
			}
			if c, err := u.Do(action); err == nil {
				calls = append(calls, c)
			}
		}
		for _, c := range calls {
			r.srv.WaitFor(t, "an answer", func() bool {
				state := c.Reply().State
				return gone(c) || state == sandbox.CallAnswered || state == sandbox.CallFailed
			})
			if c.Reply().Answered() {
				r.answered.Add(1)
			}
		}
	}
}
