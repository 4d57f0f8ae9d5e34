package bottest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// Disarmed waits until every armed fault of a request has struck.
func (w *World) Disarmed(t testing.TB) {
	t.Helper()
	w.Discord.WaitFor(t, "the fault to strike", func() bool {
		return !slices.ContainsFunc(w.Discord.Faults().List(), func(f sandbox.FaultInfo) bool { return f.Armed > 0 })
	})
}

// Handled waits until the bot has finished with every interaction that has arrived.
func (w *World) Handled(t testing.TB) {
	t.Helper()
	waittest.Until(t, "the bot to be done", func() bool { return w.Service.Handling() == 0 })
}

// Bystander has somebody ask for help in another channel, which has to be answered
// whatever goes on elsewhere.
func (w *World) Bystander(t testing.TB) {
	t.Helper()
	w.Refused(t, w.Cleo.Command(t, w.Side("side"), "tictactoe help"), "from 🎲 Random to 💀 Perfect")
}

// Outcome waits until the call is answered or, where the answer is to be lost, the bot
// has given it up.
func (w *World) Outcome(t testing.TB, c *sandbox.Call, lost bool) *sandbox.Reply {
	t.Helper()
	if lost {
		w.failed++
		waittest.Until(t, "the bot to give up the answer", func() bool { return w.Service.Counts().Failed >= w.failed })
	} else if r := c.Wait(t); !r.Answered() {
		t.Fatalf("not answered: %v", r.Problems)
	}
	return c.Reply()
}

// Reconnected does something that ends the connection and waits for the next one.
func (w *World) Reconnected(t testing.TB, cut func()) {
	t.Helper()
	before := w.Session().Connects
	cut()
	waittest.Until(t, "the bot to connect again", func() bool {
		s := w.Session()
		return s.Ready && s.Connects > before
	})
}

// Gate keeps requests of the bot from being sent until it is opened. Its zero value, given
// to a world as an option, lets everything through. Its methods are safe for concurrent use.
type Gate struct {
	*http.Transport

	mu             sync.Mutex
	method, suffix string
	next, held     int // how many are still to be held, and are
	open           chan struct{}
}

// Through has all requests of the bot come to the gate.
func (g *Gate) Through() Option {
	g.Transport = http.DefaultTransport.(*http.Transport).Clone()
	return REST(func(o *rest.Options) { o.Transport = g })
}

// Hold holds the next n requests with the method whose path ends so. What was held before
// goes on.
func (g *Gate) Hold(n int, method, suffix string) {
	g.Open()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.method, g.suffix, g.next, g.held, g.open = method, suffix, n, 0, make(chan struct{})
}

// Open lets everything through from now on, also what is held.
func (g *Gate) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.next = 0
	if g.open != nil {
		close(g.open)
		g.open = nil
	}
}

// Await waits until n requests are held.
func (g *Gate) Await(t testing.TB, n int) {
	t.Helper()
	waittest.Until(t, fmt.Sprint(n, " requests to be held"), func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.held >= n
	})
}

// RoundTrip implements http.RoundTripper.
func (g *Gate) RoundTrip(r *http.Request) (*http.Response, error) {
	var open chan struct{} // nil where there is nothing to wait for
	g.mu.Lock()
	if g.next > 0 && r.Method == g.method && strings.HasSuffix(r.URL.Path, g.suffix) {
		g.next, g.held, open = g.next-1, g.held+1, g.open
	}
	g.mu.Unlock()
	if open != nil {
		select {
		case <-open:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return g.Transport.RoundTrip(r)
}

// Failing is a store that fails when it is told to. Its zero value, put before a real
// store, does not. Its methods are safe for concurrent use.
type Failing struct {
	store.Store
	fail atomic.Pointer[func(store.Change) error]
}

// Between puts the failing store before the real one.
func (s *Failing) Between() Option {
	return Behind(func(real store.Store) store.Store { s.Store = real; return s })
}

// Fail makes f decide what becomes of every change from now on; nil ends that.
func (s *Failing) Fail(f func(store.Change) error) {
	s.fail.Store(&f)
}

// Apply implements store.Store.
func (s *Failing) Apply(ctx context.Context, c store.Change) error {
	if fail := s.fail.Load(); fail != nil && *fail != nil {
		return (*fail)(c)
	}
	return s.Store.Apply(ctx, c)
}
