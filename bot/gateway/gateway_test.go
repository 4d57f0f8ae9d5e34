package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
)

func TestConnectsAndHandsOnInteractions(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(1)
		p.sendCompressed(interactionJSON(p.seq.Add(1), 2))
	})
	var user atomic.Value
	s := run(t, d, func(o *gateway.Options) {
		o.Configure = func(session *discordgo.Session) {
			session.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) { user.Store(r.User.ID) })
		}
	})
	s.becomesReady()
	eventually(t, "two interactions", func() bool { return len(s.interactions()) == 2 })
	eventually(t, "READY in the session", func() bool { return user.Load() != nil })
	if got, want := user.Load(), "77"; got != want {
		t.Errorf("user in READY: got %v, want %v", got, want)
	}
	d.mu.Lock()
	path := d.paths[0]
	d.mu.Unlock()
	if want := "/?encoding=json&v=9"; path != want {
		t.Errorf("gateway path: got %q, want %q", path, want)
	}
	if st := s.Status(); st.Connects != 1 || st.Identify != 1 || st.Session == "" || st.Session == "session-1" {
		t.Errorf("status: got %+v", st)
	}
}

func TestIdentifyAsksForNoIntents(t *testing.T) {
	identify := make(chan json.RawMessage, 1)
	d := newDiscord(t, func(_ int, p *peer) {
		p.hello()
		for m := range p.in {
			if m.Op == 2 {
				identify <- m.Data
				p.ready()
				return
			}
		}
	})
	s := run(t, d, func(o *gateway.Options) { o.ShardID, o.ShardCount = 2, 3 })
	s.becomesReady()
	var got struct {
		Intents  *int   `json:"intents"`
		Shard    []int  `json:"shard"`
		Compress bool   `json:"compress"`
		Token    string `json:"token"`
	}
	if err := json.Unmarshal(<-identify, &got); err != nil {
		t.Fatal(err)
	}
	if got.Intents == nil || *got.Intents != 0 {
		t.Errorf("intents: got %v, want 0", got.Intents)
	}
	if !slices.Equal(got.Shard, []int{2, 3}) {
		t.Errorf("shard: got %v, want [2 3]", got.Shard)
	}
}

// A Gateway that is not there yet, in every way it may not be, is waited for.
func TestStartSurvivesAnAbsentGateway(t *testing.T) {
	t.Run("gateway/bot fails", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		d.bot = func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }
		s := run(t, d)
		eventually(t, "a second attempt", func() bool { return s.Status().Attempts > 1 })
		d.mu.Lock()
		d.bot = nil
		d.mu.Unlock()
		s.becomesReady()
	})
	t.Run("upgrade refused", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		d.refuse = 3
		run(t, d).becomesReady()
	})
	for name, first := range map[string]func(*peer){
		"no Hello": func(*peer) {},
		"no READY": func(p *peer) { p.hello() },
		"cut":      func(p *peer) { p.cut() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, func(n int, p *peer) {
				if n < 2 {
					first(p)
					return
				}
				p.connect()
			})
			run(t, d, func(o *gateway.Options) {
				o.Timing.Hello, o.Timing.Ready = time.Second, time.Second
			}).becomesReady()
		})
	}
}

// After a fatal close code there is one connection and no more, and an error that
// an operator understands.
func TestFatalCloseCodesEndTheRun(t *testing.T) {
	for _, code := range []int{4004, 4010, 4011, 4012, 4013, 4014} {
		for name, before := range map[string]func(*peer){
			"at start": func(p *peer) { p.hello(); p.greeting() },
			"later":    func(p *peer) { p.connect() },
		} {
			t.Run(name+" "+strconv.Itoa(code), func(t *testing.T) {
				d := newDiscord(t, func(_ int, p *peer) {
					before(p)
					p.close(code)
				})
				s := run(t, d)
				var fatal *gateway.FatalError
				if err := s.wait(); !errors.As(err, &fatal) || fatal.CloseCode != code || fatal.Advice == "" {
					t.Errorf("Run: got %v, want a fatal error of code %d", err, code)
				}
				if conns, _, _ := d.count(); conns != 1 {
					t.Errorf("connections: got %d, want 1", conns)
				}
				if s.Ready() {
					t.Error("still ready")
				}
			})
		}
	}
}

func TestRefusedTokenEndsTheRun(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	d.bot = func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"message":"401: Unauthorized","code":0}`))
	}
	s := run(t, d)
	var fatal *gateway.FatalError
	if err := s.wait(); !errors.As(err, &fatal) || fatal.Status != http.StatusUnauthorized {
		t.Errorf("Run: got %v, want a fatal error of status 401", err)
	}
	if d.botCalls != 1 {
		t.Errorf("calls of /gateway/bot: got %d, want 1", d.botCalls)
	}
}

func TestImpossibleShardEndsTheRun(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	s := run(t, d, func(o *gateway.Options) { o.ShardID = 3; o.ShardCount = 3 })
	var fatal *gateway.FatalError
	if err := s.wait(); !errors.As(err, &fatal) {
		t.Errorf("Run: got %v, want a fatal error", err)
	}
}

// What Discord may send at moments when the library would lock itself up for ever.
func TestPacketsThatDeadlockTheLibrary(t *testing.T) {
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
			eventually(t, "an interaction after it all", func() bool { return slices.Contains(s.interactions(), "9") })
			eventually(t, "readiness", s.Ready)
			if _, _, got := d.count(); got < c.resumes {
				t.Errorf("resumes: got %d, want at least %d", got, c.resumes)
			}
			// It lives: heartbeats go on, on the same connection.
			eventually(t, "a second heartbeat", func() bool {
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

func TestInvalidSession(t *testing.T) {
	t.Run("resumable", func(t *testing.T) {
		d := newDiscord(t, func(n int, p *peer) {
			p.connect()
			if n == 0 {
				p.send(`{"op":9,"d":true}`)
			}
		})
		s := run(t, d)
		eventually(t, "a resume", func() bool { return s.Status().Resumes == 1 })
		if _, identifies, _ := d.count(); identifies != 1 {
			t.Errorf("identifies: got %d, want 1", identifies)
		}
	})
	t.Run("not resumable", func(t *testing.T) {
		d := newDiscord(t, func(n int, p *peer) {
			p.connect()
			if n == 0 {
				p.send(`{"op":9,"d":false}`)
			}
		})
		s := run(t, d)
		eventually(t, "a new session", func() bool { return s.Status().Connects == 2 })
		if _, identifies, resumes := d.count(); identifies != 2 || resumes != 0 {
			t.Errorf("identifies, resumes: got %d, %d, want 2, 0", identifies, resumes)
		}
	})
	t.Run("resume refused for ever", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) {
			p.hello()
			if resume, ok := p.greeting(); !ok || resume {
				p.send(`{"op":9,"d":true}`)
				return
			}
			p.ready()
			p.cut()
		})
		run(t, d)
		eventually(t, "a second session", func() bool { _, n, _ := d.count(); return n >= 2 })
	})
}

// A server that calls every session invalid gets identifies at the agreed pace,
// not as fast as it can refuse them.
func TestRepeatedInvalidSessionIdentifiesSlowly(t *testing.T) {
	const pace = 100 * time.Millisecond
	d := newDiscord(t, func(_ int, p *peer) {
		p.hello()
		for {
			if _, ok := p.greeting(); !ok {
				return
			}
			p.send(`{"op":9,"d":false}`)
		}
	})
	run(t, d, func(o *gateway.Options) { o.Identifies = gateway.NewIdentifiesEvery(pace) })
	eventually(t, "six identifies", func() bool { _, n, _ := d.count(); return n >= 6 })
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := 1; i < len(d.identifies); i++ {
		// The server's clock starts when a packet arrives: allow for uneven transport.
		if gap := d.identifies[i].Sub(d.identifies[i-1]); gap < pace/2 {
			t.Errorf("identify %d came %v after the one before, want about %v at least", i, gap, pace)
		}
	}
	if elapsed := d.identifies[5].Sub(d.identifies[0]); elapsed < 4*pace {
		t.Errorf("six identifies took %v, want at least %v", elapsed, 4*pace)
	}
}

func TestLostConnectionsResumeOrStartAnew(t *testing.T) {
	for name, c := range map[string]struct {
		end    func(*peer)
		resume bool
	}{
		"cut":  {func(p *peer) { p.cut() }, true},
		"1000": {func(p *peer) { p.close(1000) }, true},
		"1001": {func(p *peer) { p.close(1001) }, true},
		"4000": {func(p *peer) { p.close(4000) }, true},
		"4001": {func(p *peer) { p.close(4001) }, true},
		"4002": {func(p *peer) { p.close(4002) }, true},
		"4003": {func(p *peer) { p.close(4003) }, false},
		"4005": {func(p *peer) { p.close(4005) }, true},
		"4007": {func(p *peer) { p.close(4007) }, false},
		"4008": {func(p *peer) { p.close(4008) }, true},
		"4009": {func(p *peer) { p.close(4009) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, func(n int, p *peer) {
				p.connect()
				if n == 0 {
					p.interaction(1)
					c.end(p)
				}
			})
			s := run(t, d)
			eventually(t, "a second connection", func() bool { return s.Status().Connects == 2 })
			_, identifies, resumes := d.count()
			if c.resume && (identifies != 1 || resumes != 1) || !c.resume && (identifies != 2 || resumes != 0) {
				t.Errorf("identifies, resumes: got %d, %d, want a resume: %v", identifies, resumes, c.resume)
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			if c.resume && name != "cut" { // a cut may overtake the interaction
				if d.resumes[0] != "session-1" || d.resumeSeqs[0] != 2 {
					t.Errorf("resume: got session %q, seq %d, want session-1, 2", d.resumes[0], d.resumeSeqs[0])
				}
				if want := "/resume?encoding=json&v=9"; d.paths[1] != want {
					t.Errorf("resume path: got %q, want %q", d.paths[1], want)
				}
			}
		})
	}
}

// Discord prefers resumes at the address it gave; if that is dead, the ordinary
// one must do.
func TestResumeFallsBackToTheOrdinaryAddress(t *testing.T) {
	d := newDiscord(t, func(n int, p *peer) {
		if n > 0 {
			p.connect()
			return
		}
		p.hello()
		p.greeting()
		p.send(`{"op":0,"t":"READY","s":1,"d":{"session_id":"session-1","resume_gateway_url":"ws://127.0.0.1:1","guilds":[]}}`)
		p.cut()
	})
	s := run(t, d)
	eventually(t, "a resume", func() bool { return s.Status().Resumes == 1 })
}

// A link that is dead without a word, or a server that no longer acknowledges, is
// noticed within two heartbeat intervals and the session resumed.
func TestMissingAcknowledgements(t *testing.T) {
	var quiet atomic.Int64
	d := newDiscord(t, func(n int, p *peer) {
		p.connect()
		if n == 0 {
			// The first heartbeat is answered, so that the silence falls into the
			// ordinary course.
			eventually(t, "a heartbeat", func() bool { return p.beats.Load() > 0 })
			p.deaf.Store(true)
			quiet.Store(time.Now().UnixNano())
		}
	})
	d.beat = shortBeat
	var lost atomic.Int64
	s := run(t, d, func(o *gateway.Options) {
		o.OnReady = func(_ int, ready bool) {
			if !ready {
				lost.CompareAndSwap(0, time.Now().UnixNano())
			}
		}
	})
	eventually(t, "a resume", func() bool { return s.Status().Resumes == 1 })
	took := time.Duration(lost.Load() - quiet.Load())
	if took > 2*shortBeat+time.Second { // the second is for a busy machine
		t.Errorf("noticed after %v, want at most two intervals, %v", took, 2*shortBeat)
	}
}

// A session whose lock is held for ever, as by a fault of the library, stops its
// heartbeats. It is left behind and replaced.
func TestStuckSessionIsReplaced(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(3)
	})
	d.beat = shortBeat
	first := true
	s := run(t, d, func(o *gateway.Options) {
		o.Configure = func(session *discordgo.Session) {
			if !first {
				return
			}
			first = false
			session.AddHandler(func(session *discordgo.Session, _ *discordgo.Ready) {
				session.Lock()
				<-release
				session.Unlock()
			})
		}
	})
	eventually(t, "a resume", func() bool { return s.Status().Resumes == 1 })
	s.stop()
	if err := s.wait(); err != nil {
		t.Errorf("Run: got %v, want nil", err)
	}
}

// A session that does not even open is replaced as well.
func TestSessionThatNeverOpensIsReplaced(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) { p.connect() })
	var first *discordgo.Session
	t.Cleanup(func() { first.Unlock() })
	s := run(t, d, func(o *gateway.Options) {
		o.Timing.Stall = time.Second
		o.Configure = func(session *discordgo.Session) {
			if first == nil {
				first = session
				session.Lock() // Open waits for it
			}
		}
	})
	s.becomesReady()
}

// A resume replays what was missed before it says that it is done. All of it
// arrives, once.
func TestResumeReplaysMissedInteractions(t *testing.T) {
	const missed = 500
	d := newDiscord(t, func(n int, p *peer) {
		if n == 0 {
			p.connect()
			p.cut()
			return
		}
		p.hello()
		p.greeting()
		p.seq.Store(1)
		for i := range missed {
			p.interaction(i)
		}
		p.resumed()
	})
	s := run(t, d)
	eventually(t, "all interactions", func() bool { return len(s.interactions()) >= missed })
	eventually(t, "readiness", s.Ready)
	got := s.interactions()
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != missed {
		t.Errorf("different interactions: got %d, want %d", n, missed)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Drain(ctx); err != nil {
		t.Error(err)
	}
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
			eventually(t, "the interaction after it", func() bool { return slices.Contains(s.interactions(), "42") })
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
	t.Run("garbage in a binary frame", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) {
			p.connect()
			p.write.Lock()
			_ = p.conn.WriteMessage(2, []byte{1, 2, 3})
			p.write.Unlock()
			p.interaction(42)
		})
		s := run(t, d)
		eventually(t, "the interaction after it", func() bool { return slices.Contains(s.interactions(), "42") })
	})
}

func TestHandlerPanicIsCaught(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(1)
		p.interaction(2)
	})
	var calls atomic.Int64
	s := run(t, d, func(o *gateway.Options) {
		o.OnInteraction = func(int, json.RawMessage, time.Time) {
			calls.Add(1)
			panic("interaction-token-1")
		}
	})
	eventually(t, "both calls", func() bool { return calls.Load() == 2 })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Drain(ctx); err != nil {
		t.Error(err)
	}
}
