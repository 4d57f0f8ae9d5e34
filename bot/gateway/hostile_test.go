package gateway_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

// What Discord may send at moments when the library would lock itself up for ever.
func TestPacketsThatDeadlockTheLibrary(t *testing.T) {
	t.Parallel()
	const op7, op11 = `{"op":7,"d":null}`, `{"op":11}`
	drop := func(p *peer) { p.connect(); p.cut() }
	for name, c := range map[string]struct {
		scripts []func(*peer) // of the first connections; later ones go well
		resumes int           // at least so many
	}{
		"op 7 at idle":              {[]func(*peer){func(p *peer) { p.connect(); p.send(op7) }}, 1},
		"op 7 instead of Hello":     {[]func(*peer){func(p *peer) { p.send(op7) }}, 0},
		"op 7 after Hello":          {[]func(*peer){func(p *peer) { p.hello(); p.send(op7) }}, 0},
		"op 7 after identify":       {[]func(*peer){func(p *peer) { p.hello(); p.greeting(); p.send(op7) }}, 0},
		"op 7 after resume":         {[]func(*peer){drop, func(p *peer) { p.hello(); p.greeting(); p.send(op7) }}, 2},
		"op 7 twice":                {[]func(*peer){func(p *peer) { p.connect(); p.send(op7); p.send(op7) }, func(p *peer) { p.connect(); p.send(op7) }}, 2},
		"op 11 instead of Hello":    {[]func(*peer){func(p *peer) { p.send(op11); p.connect() }}, 0},
		"op 11 after identify":      {[]func(*peer){func(p *peer) { p.hello(); p.greeting(); p.send(op11); p.ready() }}, 0},
		"op 11 after resume":        {[]func(*peer){drop, func(p *peer) { p.hello(); p.greeting(); p.send(op11); p.resumed() }}, 1},
		"op 1 after identify":       {[]func(*peer){func(p *peer) { p.hello(); p.greeting(); p.send(`{"op":1,"d":null}`); p.ready() }}, 0},
		"an event after identify":   {[]func(*peer){func(p *peer) { p.hello(); p.greeting(); p.interaction(5); p.ready() }}, 0},
		"an event after resume":     {[]func(*peer){drop, func(p *peer) { p.hello(); p.greeting(); p.interaction(5); p.resumed() }}, 1},
		"unknown op after identify": {[]func(*peer){func(p *peer) { p.hello(); p.greeting(); p.send(`{"op":99,"d":[1]}`); p.ready() }}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, func(n int, p *peer) {
				if n < len(c.scripts) {
					c.scripts[n](p)
					if n+1 < len(c.scripts) || c.resumes > n {
						return
					}
				} else {
					p.connect()
				}
				p.interaction(9)
			})
			d.beat = shortBeat
			s := run(t, d)
			waittest.Until(t, "an interaction after it all", func() bool { return slices.Contains(s.interactions(), "9") })
			waittest.Until(t, "readiness", s.Ready)
			if _, _, got := d.count(); got < c.resumes {
				t.Errorf("resumes: got %d, want at least %d", got, c.resumes)
			}
			// It lives: heartbeats go on, on the same connection.
			waittest.Until(t, "a second heartbeat", func() bool {
				d.mu.Lock()
				defer d.mu.Unlock()
				return d.conns[len(d.conns)-1].beats.Load() >= 2
			})
			if !s.Ready() {
				t.Error("not ready after two heartbeats")
			}
		})
	}
}

// A session whose lock is held for ever, as by a fault of the library, stops its
// heartbeats. It is left behind and replaced.
func TestStuckSessionIsReplaced(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(3)
	})
	d.beat = shortBeat
	first := true
	s := run(t, d, func(o *gateway.Options) {
		o.Configure(func(session *discordgo.Session) {
			if !first {
				return
			}
			first = false
			session.AddHandler(func(session *discordgo.Session, _ *discordgo.Ready) {
				session.Lock()
				<-release
				session.Unlock()
			})
		})
	})
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes == 1 })
	s.stop()
	if err := s.wait(); err != nil {
		t.Errorf("Run: got %v, want nil", err)
	}
}

// A session that does not even open is replaced as well.
func TestSessionThatNeverOpensIsReplaced(t *testing.T) {
	t.Parallel()
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	var first *discordgo.Session
	t.Cleanup(func() { first.Unlock() })
	s := run(t, d, func(o *gateway.Options) {
		o.Timing.Stall = waittest.Limit(time.Second)
		o.Configure(func(session *discordgo.Session) {
			if first == nil {
				first = session
				session.Lock() // Open waits for it
			}
		})
	})
	s.becomesReady()
}

// Packets that end the process in the library, or that nobody specified, change
// nothing.
func TestHostilePackets(t *testing.T) {
	for _, raw := range []string{
		`null`, `{}`, `[]`, `7`, `"x"`, ``, `{"op":null}`, `{"op":0}`, `{"op":0,"t":null,"s":null,"d":null}`,
		`{"op":0,"t":"GUILD_CREATE","s":3,"d":null}`,
		`{"op":0,"t":"GUILD_CREATE","s":4,"d":{"channels":[null],"members":[null]}}`,
		`{"op":0,"t":"VOICE_STATE_UPDATE","s":5,"d":null}`,
		`{"op":0,"t":"INTERACTION_CREATE","s":6,"d":null}`,
		`{"op":0,"t":"INTERACTION_CREATE","s":7,"d":[]}`,
		`{"op":0,"t":"INTERACTION_CREATE","s":8,"d":{"id":"8","type":3,"data":{},"message":{"components":[{"type":99},null]}}}`,
		`{"op":0,"t":"READY","s":9,"d":{"session_id":"session-1","guilds":[null],"user":null}}`,
		`{"op":10,"d":{"heartbeat_interval":41250}}`,
		`{"op":11,"d":{"x":1}}`, `{"op":99}`, `{"op":-1}`, `{"op":0,"s":"x"}`,
	} {
		t.Run(raw, func(t *testing.T) {
			d := newDiscord(t, func(_ int, p *peer) {
				p.connect()
				p.send(raw)
				p.seq.Store(100)
				p.interaction(42)
			})
			s := run(t, d)
			waittest.Until(t, "the interaction after it", func() bool { return slices.Contains(s.interactions(), "42") })
			if conns, _, _ := d.count(); conns != 1 {
				t.Errorf("connections: got %d, want 1", conns)
			}
		})
	}
	for _, hello := range []string{`null`, `{}`, `{"heartbeat_interval":0}`, `{"heartbeat_interval":-5}`, `{"heartbeat_interval":9223372036854775807}`} {
		t.Run("Hello "+hello, func(t *testing.T) {
			d := newDiscord(t, func(n int, p *peer) {
				if n == 0 {
					p.send(`{"op":10,"d":` + hello + `}`)
					return
				}
				p.connect()
			})
			run(t, d).becomesReady()
		})
	}
	var compressed bytes.Buffer
	z := zlib.NewWriter(&compressed)
	_, _ = z.Write([]byte(interactionJSON(50, 50))) // a bytes.Buffer takes everything
	_ = z.Close()
	for name, raw := range map[string][]byte{"garbage": {1, 2, 3}, "a compressed packet": compressed.Bytes(), "a packet": []byte(interactionJSON(50, 50))} {
		t.Run(name+" in a binary frame", func(t *testing.T) {
			d := newDiscord(t, func(_ int, p *peer) {
				p.connect()
				p.sendBinary(raw) // nobody asked for compression
				p.interaction(42)
			})
			s := run(t, d)
			waittest.Until(t, "the interaction after it", func() bool { return slices.Contains(s.interactions(), "42") })
			if got := s.interactions(); len(got) != 1 {
				t.Errorf("interactions: got %v, want [42]", got)
			}
			if !strings.Contains(s.logged(), "unreadable gateway packet") {
				t.Error("the log does not tell")
			}
		})
	}
}

func TestHandlerPanicIsCaught(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(1)
		p.interaction(2)
	})
	var calls atomic.Int64
	s := run(t, d, func(o *gateway.Options) {
		o.OnInteraction = func(json.RawMessage, time.Time) {
			calls.Add(1)
			panic("interaction-token-1")
		}
	})
	waittest.Until(t, "both calls", func() bool { return calls.Load() == 2 })
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Patience())
	defer cancel()
	if err := s.handling.Wait(ctx); err != nil {
		t.Error(err)
	}
}

// A packet larger than any that Discord has reason to send ends the connection, and is
// not kept; the next one resumes.
func TestHugePacketsAreNotTaken(t *testing.T) {
	d := newDiscord(t, func(n int, p *peer) {
		p.connect()
		if n == 0 {
			p.send(`{"op":0,"t":"NOISE","s":2,"d":"` + strings.Repeat("x", 9<<20) + `"}`)
			return
		}
		p.interaction(9)
	})
	s := run(t, d)
	waittest.Until(t, "an interaction after it", func() bool { return slices.Contains(s.interactions(), "9") })
	if _, _, resumes := d.count(); resumes != 1 {
		t.Errorf("resumes: got %d, want 1", resumes)
	}
}
