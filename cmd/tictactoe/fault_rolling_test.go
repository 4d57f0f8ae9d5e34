//go:build unix

package main

import (
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// looker is a balancer that passes requests on by turns to the processes that said that
// they were ready when it last looked, and tries nothing twice.
type looker struct {
	httputil.ReverseProxy

	mu           sync.Mutex
	addrs, ready []string
	next         int
}

// looks has a balancer look for as long as the test runs.
func looks(t *testing.T, every time.Duration) *looker {
	t.Helper()
	l := &looker{}
	l.ErrorLog = log.New(io.Discard, "", 0)
	l.Rewrite = func(r *httputil.ProxyRequest) {
		l.mu.Lock()
		defer l.mu.Unlock()
		r.Out.URL.Scheme = "http"
		if len(l.ready) > 0 {
			l.next++
			r.Out.URL.Host = l.ready[l.next%len(l.ready)]
		}
	}
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-over:
				return
			case <-tick.C:
				l.look()
			}
		}
	}()
	t.Cleanup(func() { close(over); <-ended })
	return l
}

func (l *looker) look() {
	l.mu.Lock()
	addrs := slices.Clone(l.addrs)
	l.mu.Unlock()
	var ready []string
	for _, addr := range addrs {
		resp, err := http.Get("http://" + addr + "/readyz") //nolint:noctx,gosec // of a test
		if err != nil {
			continue
		}
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			ready = append(ready, addr)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ready = ready
}

// has tells it of a process, and waits until that gets requests.
func (l *looker) has(t *testing.T, addr string) {
	t.Helper()
	l.mu.Lock()
	l.addrs = append(l.addrs, addr)
	l.mu.Unlock()
	waittest.Until(t, "the balancer to find a process ready", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return slices.Contains(l.ready, addr)
	})
}

// TestRollingRestartByHTTP: people play behind a balancer that looks at /readyz, and each of
// two processes is replaced by another. Not one interaction fails, and a process that was
// told to end has ended eight seconds later.
func TestRollingRestartByHTTP(t *testing.T) {
	t.Parallel()
	address := postgrestest.URL(t)
	srv, settings := discordOf(t, []string{behindAnother}, func(o *sandbox.Options) { o.World.KeepCalls = 100_000 })
	settings = append(settings, "DATABASE_URL="+address, "DISCORD_GATEWAY=off", "DISCORD_PUBLIC_KEY="+srv.PublicKey(),
		"START_LIMIT=none", "HTTP_ADDR="+anyPort)
	balance := looks(t, noticeTime/4)
	start := func() *program {
		t.Helper()
		p := launch(t, "", settings)
		balance.has(t, p.serves(t, "HTTP_ADDR"))
		return p
	}
	programs := [...]*program{start(), start()}
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
				srv: srv, channel: srv.Guild().Channel(fmt.Sprint("race-", i)), dice: rand.New(rand.NewPCG(uint64(i), 7)), //nolint:gosec // a few
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
	for i, p := range programs {
		more(20)
		programs[i] = start()
		told := time.Now()
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if code, out := p.wait(t); code != exitOK {
			t.Errorf("exit code %d after SIGTERM:\n%s", code, out)
		}
		if took := time.Since(told); took < noticeTime || took > waittest.Limit(8*time.Second) {
			t.Errorf("it ended after %v", took)
		}
	}
	more(20)
	close(over)
	crowd.Wait()
	for _, c := range srv.World().Calls() {
		if r := c.Reply(); !r.Answered() && r.Refused == "" {
			t.Errorf("not answered: %s: %v", c, r.Problems)
		}
	}
	clocks.check()
	t.Logf("%d answers, %d matches stored", answered.Load(), converges(t, srv, address, store.Store(db)))
}

// TestASecondSignalEndsAtOnce: while balancers have time to notice the first.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	srv, settings := discord(t)
	p := launch(t, "", append(settings, "DISCORD_PUBLIC_KEY="+srv.PublicKey(), "DISCORD_GATEWAY=off", "HTTP_ADDR="+anyPort))
	addr := p.serves(t, "HTTP_ADDR")
	becomes(t, addr, http.StatusOK, "ready")
	waittest.Until(t, "the program to be ended by a signal", func() bool {
		_ = p.cmd.Process.Signal(syscall.SIGTERM) // again and again
		select {
		case <-p.exited:
			return true
		default:
			return false
		}
	})
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() {
		t.Errorf("it ended by itself: %v", p.cmd.ProcessState)
	}
}
