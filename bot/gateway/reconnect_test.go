package gateway_test

import (
	"bytes"
	"errors"
	"log"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

// Fifty reconnections in a row, resumed and new, cut off at every stage, leave no
// goroutine and no memory behind.
func TestFiftyReconnectionsLeaveNothingBehind(t *testing.T) {
	const rounds = 50
	d := newDiscord(t, func(n int, p *peer) {
		if n >= rounds {
			p.connect()
			return
		}
		switch n % 6 {
		case 0:
			p.connect()
			p.interaction(n)
			p.cut()
		case 1:
			p.hello()
			p.cut()
		case 2:
			p.connect()
			p.send(`{"op":7,"d":null}`)
		case 3:
			p.hello()
			p.greeting()
			p.send(`{"op":11}`)
			p.send(`{"op":7,"d":null}`)
		case 4:
			p.connect()
			p.send(`{"op":9,"d":false}`)
		case 5:
			p.connect()
			p.close(4000)
		}
	})
	warm := newDiscord(t, func(_ int, p *peer) { p.connect() })
	w := run(t, warm)
	w.becomesReady()
	before, heapBefore := settled(t)

	s := run(t, d)
	waittest.Until(t, "the last connection", func() bool { n, _, _ := d.count(); return n > rounds && s.Ready() })
	s.stop()
	if err := s.wait(); err != nil {
		t.Fatal(err)
	}
	// The server's own: two per open connection, and its connections to the client
	// of /gateway/bot. What the library keeps ends a second after its connection.
	waittest.Until(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= before+6 })
	if _, heap := settled(t); heap > heapBefore+2<<20 {
		t.Errorf("heap: got %d bytes, want about %d", heap, heapBefore)
	}
}

// settled returns goroutines and live heap when nothing changes any more.
func settled(t *testing.T) (goroutines int, heap uint64) {
	t.Helper()
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

// The first attempt after a connection that worked is immediate, whatever the
// back-off is.
func TestFirstReconnectionIsImmediate(t *testing.T) {
	d := newDiscord(t, func(n int, p *peer) {
		p.connect()
		if n == 0 {
			p.cut()
		}
	})
	s := run(t, d, func(o *gateway.Options) { o.Timing.BackoffMin, o.Timing.BackoffMax = time.Hour, time.Hour })
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes == 1 })
}

// A server that accepts every connection and drops it again is followed at once a few
// times, since clicks are waiting, and then not hammered.
func TestShortConnectionsBackOff(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) { p.connect(); p.close(4000) })
	s := run(t, d, func(o *gateway.Options) { o.Timing.BackoffMin, o.Timing.BackoffMax = time.Hour, time.Hour })
	waittest.Until(t, "the pause", func() bool { return strings.Count(s.logged(), "gateway connection ended") == 6 })
	if n, _, _ := d.count(); n != 6 {
		t.Errorf("connections: got %d, want 6, then a pause", n)
	}
}

// Shards of one process share the pace of identifies.
func TestShardsShareThePace(t *testing.T) {
	t.Parallel()
	const pace = 150 * time.Millisecond
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	pacer := gateway.NewIdentifiesEvery(pace)
	for shard := range 3 {
		run(t, d, func(o *gateway.Options) {
			o.ShardID, o.ShardCount, o.Identifies = shard, 3, pacer
		})
		// The others send theirs once the first one has arrived, and a pace apart.
		waittest.Until(t, "an identify", func() bool { _, n, _ := d.count(); return n > 0 })
	}
	waittest.Until(t, "three identifies", func() bool { _, n, _ := d.count(); return n == 3 })
	d.mu.Lock()
	defer d.mu.Unlock()
	if took := d.identifies[2].Sub(d.identifies[0]); took < pace {
		t.Errorf("three identifies within %v, want %v at least", took, pace)
	}
}

// When the day's session starts are nearly used up, the supervisor waits and says
// so, and goes on by itself when Discord grants new ones.
func TestDailyBudgetIsNotExceeded(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d.remaining = 3
	s := run(t, d)
	waittest.Until(t, "the announcement", func() bool { return strings.Contains(s.logged(), "daily number of session starts") })
	if n, _, _ := d.count(); n != 0 {
		t.Errorf("connections: got %d, want 0", n)
	}
	d.mu.Lock()
	d.remaining = 1000
	d.mu.Unlock()
	s.becomesReady()
}

// Whatever happens, the log has neither token nor session id, at any level.
func TestLogKeepsSecrets(t *testing.T) {
	library := new(bytes.Buffer) // where the library writes its own log
	log.SetOutput(lockedWriter{new(sync.Mutex), library})
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	d := newDiscord(t, func(n int, p *peer) {
		p.connect()
		p.interaction(1)
		switch n {
		case 0:
			p.send(`{"op":99,"d":"` + botToken + `"}`)
			p.send(`not json ` + botToken)
			p.cut()
		case 1:
			p.send(`{"op":9,"d":false}`)
		case 2:
			p.close(4004)
		}
	})
	s := run(t, d)
	err := s.wait()
	var fatal *gateway.FatalError
	if !errors.As(err, &fatal) {
		t.Fatalf("Run: got %v, want a fatal error", err)
	}
	if library.Len() > 0 {
		t.Errorf("the library wrote: %s", library)
	}
	text := s.logged() + err.Error() + s.Status().LastError
	for _, secret := range []string{botToken, "interaction-token", "session-1"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the log:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "gateway ready") {
		t.Error("the log is empty")
	}
}

// The rest client's refusals reach the operator through the supervisor's status.
func TestStatusTellsWhyItWaits(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d.rest = rest.New(rest.Options{BaseURL: "http://127.0.0.1:1/api", Token: botToken})
	s := run(t, d)
	waittest.Until(t, "a reason", func() bool { return strings.Contains(s.Status().LastError, "/gateway/bot") })
}
