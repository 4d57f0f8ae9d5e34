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
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

func TestConnectsAndHandsOnInteractions(t *testing.T) {
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		p.interaction(1)
		p.interaction(2)
	})
	var user atomic.Value
	s := run(t, d, func(o *gateway.Options) {
		o.Configure(func(session *discordgo.Session) {
			session.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) { user.Store(r.User.ID) })
		})
	})
	s.becomesReady()
	waittest.Until(t, "two interactions", func() bool { return len(s.interactions()) == 2 })
	waittest.Until(t, "READY in the session", func() bool { return user.Load() != nil })
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
	t.Parallel()
	t.Run("gateway/bot fails", func(t *testing.T) {
		d := newDiscord(t, func(_ int, p *peer) { p.connect() })
		d.bot = func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) }
		s := run(t, d)
		waittest.Until(t, "a second attempt", func() bool { return s.Status().Attempts > 1 })
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
			t.Parallel()
			d := newDiscord(t, func(n int, p *peer) {
				if n < 2 {
					first(p)
					return
				}
				p.connect()
			})
			run(t, d, func(o *gateway.Options) {
				o.Timing.Hello, o.Timing.Ready = waittest.Limit(time.Second), waittest.Limit(time.Second)
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
	if err := s.wait(); !errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("Run: got %v, want that the token was refused", err)
	}
	if d.botCalls != 1 {
		t.Errorf("calls of /gateway/bot: got %d, want 1", d.botCalls)
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
		waittest.Until(t, "a resume", func() bool { return s.Status().Resumes == 1 })
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
		waittest.Until(t, "a new session", func() bool { return s.Status().Connects == 2 })
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
		waittest.Until(t, "a second session", func() bool { _, n, _ := d.count(); return n >= 2 })
	})
}

// A server that calls every session invalid gets identifies at the agreed pace,
// not as fast as it can refuse them.
func TestRepeatedInvalidSessionIdentifiesSlowly(t *testing.T) {
	t.Parallel()
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
	waittest.Until(t, "six identifies", func() bool { _, n, _ := d.count(); return n >= 6 })
	d.mu.Lock()
	defer d.mu.Unlock()
	// One may be long on its way, and the next one not. But each is sent after the one
	// before was refused, and so a pace before the next one is.
	for i := 2; i < len(d.identifies); i++ {
		if gap := d.identifies[i].Sub(d.identifies[i-2]); gap < pace {
			t.Errorf("identify %d came %v after the last but one, want %v at least", i, gap, pace)
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
			waittest.Until(t, "a second connection", func() bool { return s.Status().Connects == 2 })
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
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes == 1 })
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
	waittest.Until(t, "all interactions", func() bool { return len(s.interactions()) >= missed })
	waittest.Until(t, "readiness", s.Ready)
	got := s.interactions()
	slices.Sort(got)
	if n := len(slices.Compact(got)); n != missed {
		t.Errorf("different interactions: got %d, want %d", n, missed)
	}
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Patience())
	defer cancel()
	if err := s.handling.Wait(ctx); err != nil {
		t.Error(err)
	}
}
