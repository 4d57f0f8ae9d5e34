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
	mu     sync.Mutex
	method string
	suffix string
	next   int // how many are still to be held
	held   int
	open   chan struct{}
}

// Through has all requests of the bot come to the gate.
func (g *Gate) Through() Option {
	return REST(func(o *rest.Options) { o.Transport = gated{g, http.DefaultTransport.(*http.Transport).Clone()} })
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

// stop returns what the request has to wait for, nil for nothing.
func (g *Gate) stop(r *http.Request) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next == 0 || r.Method != g.method || !strings.HasSuffix(r.URL.Path, g.suffix) {
		return nil
	}
	g.next--
	g.held++
	return g.open
}

// gated sends requests that the gate lets through.
type gated struct {
	gate *Gate
	*http.Transport
}

// RoundTrip implements http.RoundTripper.
func (t gated) RoundTrip(r *http.Request) (*http.Response, error) {
	if wait := t.gate.stop(r); wait != nil {
		select {
		case <-wait:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return t.Transport.RoundTrip(r)
}

// Failing is a store that fails when it is told to. Its zero value, put before a real
// store, does not. Its methods are safe for concurrent use.
type Failing struct {
	store.Store
	Unreadable atomic.Bool // matches cannot be read
	Timeless   atomic.Bool // what falls due next cannot be read

	mu   sync.Mutex
	fail func(store.Change) error
}

// Between puts the failing store before the real one.
func (s *Failing) Between() Option {
	return Behind(func(real store.Store) store.Store { s.Store = real; return s })
}

// Fail makes f decide what becomes of every change from now on; nil ends that.
func (s *Failing) Fail(f func(store.Change) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = f
}

// Apply implements store.Store.
func (s *Failing) Apply(ctx context.Context, c store.Change) error {
	s.mu.Lock()
	fail := s.fail
	s.mu.Unlock()
	if fail != nil {
		return fail(c)
	}
	return s.Store.Apply(ctx, c)
}

// Match implements store.Store.
func (s *Failing) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	if s.Unreadable.Load() {
		return store.Match{}, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return s.Store.Match(ctx, id)
}

// NextDeadlines implements store.Store.
func (s *Failing) NextDeadlines(ctx context.Context) (store.Uptimes, error) {
	if s.Timeless.Load() {
		return store.Uptimes{}, fmt.Errorf("sqlite: %w", store.ErrDamaged)
	}
	return s.Store.NextDeadlines(ctx)
}
