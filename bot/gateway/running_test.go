package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/sandbox/waittest"
)

// running is a supervisor under test.
type running struct {
	*gateway.Supervisor
	handling tasks.Group
	t        testing.TB
	err      chan error
	stop     context.CancelFunc
	log      *bytes.Buffer
	logMu    *sync.Mutex

	mu   sync.Mutex
	got  []string // interaction ids, in the order of arrival
	more chan struct{}
}

// quick are waits for tests: long enough for a slow machine where the test does
// not wait for them to pass.
var quick = gateway.Timing{
	BackoffMin: 5 * time.Millisecond, BackoffMax: 20 * time.Millisecond, Invalid: 5 * time.Millisecond,
}

func run(t testing.TB, d *discord, change ...func(*gateway.Options)) *running {
	t.Helper()
	r := &running{t: t, err: make(chan error, 1), log: new(bytes.Buffer), logMu: new(sync.Mutex), more: make(chan struct{}, 1)}
	o := gateway.Options{
		Token: botToken, GatewayBot: d.rest.GatewayBot, Timing: quick,
		Identifies:    gateway.NewIdentifiesEvery(time.Millisecond),
		OnInteraction: func(raw json.RawMessage, _ time.Time) { r.record(raw) },
		Handling:      &r.handling,
		Logger:        slog.New(slog.NewTextHandler(lockedWriter{r.logMu, r.log}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if d.pipes != nil {
		o.DialBy(d.pipes.dial)
	}
	for _, f := range change {
		f(&o)
	}
	r.Supervisor = gateway.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.err <- r.Run(ctx) }()
	t.Cleanup(func() {
		if d.pipes != nil {
			// The library holds a lock while it sleeps as it closes. A heartbeat that fails
			// meanwhile waits for that lock, which stops the bubble's clock for good.
			synctest.Wait()
		}
		cancel()
		_ = r.wait() // fails the test if there is nothing to return
		if t.Failed() {
			t.Log(r.logged())
		}
	})
	return r
}

type lockedWriter struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (r *running) logged() string {
	r.logMu.Lock()
	defer r.logMu.Unlock()
	return r.log.String()
}

func (r *running) record(raw json.RawMessage) {
	var in struct{ ID string }
	_ = json.Unmarshal(raw, &in) // an interaction without id is recorded as ""
	r.mu.Lock()
	r.got = append(r.got, in.ID)
	r.mu.Unlock()
}

func (r *running) interactions() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.got...)
}

// wait returns what Run returned.
func (r *running) wait() error {
	r.t.Helper()
	select {
	case err := <-r.err:
		r.err <- err
		return err
	case <-time.After(waittest.Patience()):
		r.t.Error("Run did not return")
		return nil
	}
}

func (r *running) becomesReady() {
	r.t.Helper()
	waittest.Until(r.t, "readiness", r.Ready)
}
