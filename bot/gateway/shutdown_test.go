package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

// Shutdown says 1000, so that Discord shows the bot as offline at once, and is
// quick wherever it falls.
func TestShutdown(t *testing.T) {
	t.Run("while connected", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		s := run(t, d)
		s.becomesReady()
		s.stop()
		if err := s.wait(); err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
		d.mu.Lock()
		p := d.conns[0]
		d.mu.Unlock()
		<-p.gone
		if got, want := p.closeCode.Load(), int64(1000); got != want {
			t.Errorf("close code: got %d, want %d", got, want)
		}
		if s.Ready() {
			t.Error("still ready")
		}
	})
	for name, script := range map[string]func(*peer){
		"before Hello": func(*peer) {},
		"before READY": func(p *peer) { p.hello() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, func(_ int, p *peer) { script(p) })
			s := run(t, d, func(o *gateway.Options) { o.Timing.Hello, o.Timing.Ready = time.Hour, time.Hour })
			waittest.Until(t, "a connection", func() bool { n, _, _ := d.count(); return n == 1 })
			s.stop()
			if err := s.wait(); err != nil {
				t.Errorf("Run: got %v, want nil", err)
			}
		})
	}
	t.Run("during a pause", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		d.refuse = 1000
		s := run(t, d, func(o *gateway.Options) { o.Timing.BackoffMin, o.Timing.BackoffMax = time.Hour, time.Hour })
		waittest.Until(t, "a failed attempt", func() bool { return s.Status().LastError != "" })
		s.stop()
		if err := s.wait(); err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
		if n, _, _ := d.count(); n != 0 {
			t.Errorf("connections after shutdown: got %d, want 0", n)
		}
	})
	t.Run("while waiting to identify", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		pacer := gateway.NewIdentifiesEvery(time.Hour)
		run(t, d, func(o *gateway.Options) { o.Identifies = pacer }).becomesReady()
		s := run(t, d, func(o *gateway.Options) { o.Identifies = pacer })
		waittest.Until(t, "the question where to connect", func() bool { d.mu.Lock(); defer d.mu.Unlock(); return d.botCalls == 2 })
		s.stop()
		if err := s.wait(); err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
	})
	t.Run("while /gateway/bot hangs", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		entered, release := make(chan struct{}, 10), make(chan struct{})
		t.Cleanup(func() { close(release) })
		d.bot = func(http.ResponseWriter) { entered <- struct{}{}; <-release }
		s := run(t, d)
		<-entered
		s.stop()
		if err := s.wait(); err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
	})
}

// Interactions that were begun are waited for; one that does not end is reported.
func TestWaitsForInteractionsBegun(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		for i := range 20 {
			p.interaction(i)
		}
	})
	begun, release := make(chan struct{}, 20), make(chan struct{})
	s := run(t, d, func(o *gateway.Options) {
		o.OnInteraction = func(json.RawMessage, time.Time) {
			begun <- struct{}{}
			<-release
		}
	})
	for range 20 {
		<-begun
	}
	s.stop()
	if err := s.wait(); err != nil {
		t.Fatalf("Run: got %v, want nil", err)
	}
	if got, want := s.handling.Running(), 20; got != want {
		t.Errorf("handling: got %d, want %d", got, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.handling.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the wait with handlers at work: got %v, want the end of its context", err)
	}
	close(release)
	ctx, cancel = context.WithTimeout(context.Background(), waittest.Patience())
	defer cancel()
	if err := s.handling.Wait(ctx); err != nil {
		t.Errorf("the wait: got %v, want nil", err)
	}
}

// An interaction that Discord sent before it heard of the shutdown is still
// handled: somebody waits for its answer.
func TestInteractionsThatCrossGoodbyeAreHandled(t *testing.T) {
	goodbye := make(chan struct{})
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d.onClose = func(p *peer, code int) {
		p.interaction(7)
		p.close(code)
		close(goodbye)
	}
	s := run(t, d, func(o *gateway.Options) { o.Timing.Close = waittest.Patience() / 2 })
	s.becomesReady()
	s.stop()
	if err := s.wait(); err != nil {
		t.Fatalf("Run: got %v, want nil", err)
	}
	<-goodbye
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Patience())
	defer cancel()
	if err := s.handling.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	if got := s.interactions(); len(got) != 1 || got[0] != "7" {
		t.Errorf("interactions: got %v, want [7]", got)
	}
}
