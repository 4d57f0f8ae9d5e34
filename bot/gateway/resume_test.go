package gateway_test

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

// An address for resumes that answers nothing, in whatever way, costs neither the
// session nor more than a few seconds. The waits are those that a bot has by default.
func TestSilentResumeAddress(t *testing.T) {
	t.Parallel()
	for name, silent := range map[string]func(p *peer){
		"no handshake": nil,
		"no Hello":     func(*peer) {},
		"no RESUMED":   func(p *peer) { p.hello(); p.greeting() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resumeURL := "ws://" + deafListener(t)
			d := newDiscord(t, nil)
			d.beat = time.Second
			d.script = func(n int, p *peer) {
				d.mu.Lock()
				path := d.paths[n]
				d.mu.Unlock()
				switch {
				case strings.HasPrefix(path, "/resume"):
					silent(p)
				case n == 0 && silent == nil:
					p.hello()
					p.greeting()
					p.send(fmt.Sprintf(`{"op":0,"t":"READY","s":1,"d":{"session_id":"session-1","resume_gateway_url":%q,"guilds":[]}}`, resumeURL))
					p.cut()
				default:
					p.connect()
					if n == 0 {
						p.cut()
					}
				}
			}
			s := run(t, d, func(o *gateway.Options) { o.Timing = gateway.Timing{} })
			waittest.Until(t, "the first session", func() bool { return s.Status().Connects == 1 })
			began := time.Now()
			waittest.Until(t, "the second connection", func() bool { return s.Status().Connects == 2 })
			if took, most := time.Since(began), 3*time.Second+500*time.Millisecond+slack(); took > most {
				t.Errorf("back after %v, want at most %v", took, most)
			}
			if st := s.Status(); st.Identify != 1 || st.Resumes != 1 {
				t.Errorf("status: got %+v, want one session, resumed once", st)
			}
		})
	}
}

// deafListener takes connections and never says a word.
func deafListener(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String() // the kernel accepts, nobody answers
}

// A Gateway that is silent for long does not cost the session, and if it has moved
// meanwhile it is found.
func TestSessionOutlastsASilentGateway(t *testing.T) {
	t.Parallel()
	moved := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d, s := thenSilent(t, func(w http.ResponseWriter) {
		fmt.Fprintf(w, `{"url":%q,"shards":1}`, "ws"+strings.TrimPrefix(moved.http.URL, "http"))
	})
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes >= 1 })
	if _, identifies, resumes := moved.count(); identifies != 0 || resumes == 0 {
		t.Errorf("where it moved to: got %d identifies, %d resumes, want a resume", identifies, resumes)
	}
	if _, _, resumes := d.count(); resumes != 0 {
		t.Errorf("where it was silent: got %d resumes", resumes)
	}
}

// thenSilent runs a supervisor whose session breaks off, on a Gateway that is silent from
// then on. What /gateway/bot answers is another thing from then on, too.
func thenSilent(t *testing.T, bot func(http.ResponseWriter)) (*discord, *running) {
	t.Helper()
	d := newDiscord(t, nil)
	var silent atomic.Bool
	sessions := make(chan *running, 1)
	d.script = func(_ int, p *peer) {
		if silent.Load() {
			return
		}
		p.connect() // which a busy machine may do too late, and then does again
		s := <-sessions
		sessions <- s
		for s.Status().Connects == 0 {
			select {
			case <-p.gone:
				return
			case <-time.After(time.Millisecond): // polls; nothing depends on its length
			}
		}
		silent.Store(true)
		d.answer(bot)
		p.cut()
	}
	s := run(t, d, func(o *gateway.Options) { o.Timing.Hello = waittest.Limit(100 * time.Millisecond) })
	sessions <- s
	return d, s
}

// A first attempt is short, since clicks are waiting; a Gateway that is only slow is
// given its time afterwards.
func TestSlowHelloIsWaitedForInTheEnd(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, nil)
	d.beat = 300 * time.Millisecond
	d.script = func(n int, p *peer) {
		if n == 0 {
			p.connect()
			p.cut()
			return
		}
		late := time.NewTimer(4 * d.beat)
		defer late.Stop()
		select {
		case <-late.C:
			p.connect()
		case <-p.gone:
		}
	}
	s := run(t, d)
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes >= 1 })
}

// A token that was revoked while the Gateway is silent is heard of there, too.
func TestRefusedTokenEndsTheRunOnTheWayToAResume(t *testing.T) {
	t.Parallel()
	_, s := thenSilent(t, func(w http.ResponseWriter) { w.WriteHeader(http.StatusUnauthorized) })
	if err := s.wait(); !errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("Run: got %v, want that the token was refused", err)
	}
}

// An address for resumes that is none of a Gateway is not gone to.
func TestResumeAddressThatIsNone(t *testing.T) {
	elsewhere := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d := newDiscord(t, nil)
	d.script = func(n int, p *peer) {
		if n > 0 {
			p.connect()
			return
		}
		p.hello()
		p.greeting()
		p.send(fmt.Sprintf(`{"op":0,"t":"READY","s":1,"d":{"session_id":"session-1","resume_gateway_url":%q,"guilds":[]}}`,
			"http"+strings.TrimPrefix(elsewhere.http.URL, "http")))
		p.cut()
	}
	s := run(t, d)
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes == 1 })
	if conns, _, _ := elsewhere.count(); conns != 0 {
		t.Errorf("connections there: got %d, want 0", conns)
	}
}
