package gateway_test

import (
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

// answer makes /gateway/bot answer so from now on; nil is the usual.
func (d *discord) answer(bot func(http.ResponseWriter)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bot = bot
}

// Where to connect is remembered: a new session does not wait until Discord tells
// again. The waits are those that a bot has by default.
func TestStartsWhereItStartedBefore(t *testing.T) {
	t.Parallel()
	for name, bot := range map[string]func(http.ResponseWriter){
		"hangs": nil,
		"fails": func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"limited": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"garbage": func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>hello</html>")) },
		"no URL":  func(w http.ResponseWriter) { _, _ = w.Write([]byte(`{"url":"","shards":1}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, hung := newDiscord(t, nil), make(chan struct{})
			t.Cleanup(func() { close(hung) })
			if bot == nil {
				bot = func(http.ResponseWriter) { <-hung }
			}
			d.script = func(n int, p *peer) {
				p.connect()
				if n == 0 {
					d.answer(bot)
					p.close(4009)
				}
			}
			s := run(t, d, func(o *gateway.Options) { o.Timing = gateway.Timing{} })
			waittest.Until(t, "a second session", func() bool { return s.Status().Connects == 2 })
			if _, identifies, _ := d.count(); identifies != 2 {
				t.Errorf("identifies: got %d, want 2", identifies)
			}
		})
	}
}

// Without word from Discord only sessions are started that cannot be too many: a
// tenth of the day's stays untouched, and what was started since counts.
func TestRemembersTheDailyBudget(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, nil)
	d.script = func(_ int, p *peer) {
		p.connect()
		d.answer(func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) })
		p.close(4009)
	}
	d.remaining = 102 // of 1000
	s := run(t, d, func(o *gateway.Options) { o.Timing.Ask = waittest.Limit(100 * time.Millisecond) })
	waittest.Until(t, "some attempts in vain", func() bool { return s.Status().Attempts >= 3 })
	if _, identifies, _ := d.count(); identifies != 2 {
		t.Errorf("identifies: got %d, want 2", identifies)
	}
	d.answer(nil)
	waittest.Until(t, "a third session", func() bool { return s.Status().Connects > 2 })
}
