package gateway_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// slack is for a busy machine, where a test on the real clock says how soon something
// must be noticed, and slackBeat an interval that it is half of: what takes a third one is
// seen everywhere.
func slack() time.Duration     { return waittest.Limit(time.Second) }
func slackBeat() time.Duration { return 2 * slack() }

// drop is a connection that works and then breaks. It breaks at a moment when the
// library does nothing: it would stop a bubble's clock by a lock otherwise.
func drop(p *peer) {
	p.connect()
	for p.beats.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(p.d.beat / 10)
	p.cut()
}

// noticed runs connections that end by themselves, and then one that is dead from some
// point on. It returns how long that took to be noticed.
func noticed(t *testing.T, d *discord, before []func(*peer), dead func(*peer), configure func(*discordgo.Session)) time.Duration {
	t.Helper()
	took := make(chan time.Duration, 1)
	d.script = func(n int, p *peer) {
		switch {
		case n < len(before):
			before[n](p)
		case n == len(before):
			dead(p)
			since := time.Now()
			<-p.gone
			took <- time.Since(since)
		default:
			p.connect()
		}
	}
	sessions := 0
	s := run(t, d, func(o *gateway.Options) {
		o.Timing = gateway.Timing{} // the waits that a bot has by default
		o.Configure(func(session *discordgo.Session) {
			if sessions == len(before) && configure != nil {
				configure(session)
			}
			sessions++
		})
	})
	select {
	case got := <-took:
		s.becomesReady()
		return got
	case <-time.After(10*d.beat + waittest.Patience()):
		t.Fatal("never noticed")
		return 0
	}
}

// Whatever goes dead: it is noticed within two heartbeat intervals, however short or
// long those are, and not a moment later. Time is the bubble's.
func TestDeadSessionsAreNoticedWithinTwoIntervals(t *testing.T) {
	for _, beat := range []time.Duration{500 * time.Millisecond, 3 * time.Second, 41250 * time.Millisecond} {
		for name, c := range map[string]struct {
			before []func(*peer)
			dead   func(*peer)
		}{
			"no READY":        {nil, func(p *peer) { p.hello(); p.greeting() }},
			"no RESUMED":      {[]func(*peer){drop}, func(p *peer) { p.hello(); p.greeting() }},
			"half a replay":   {[]func(*peer){drop}, func(p *peer) { p.hello(); p.greeting(); p.interaction(5) }},
			"no second Hello": {[]func(*peer){drop}, func(*peer) {}},
			"no ACK":          {nil, func(p *peer) { p.deaf.Store(true); p.connect() }},
			"no ACK after a while": {nil, func(p *peer) {
				p.connect()
				time.Sleep(4*beat + beat/3)
				p.deaf.Store(true)
			}},
			"no ACK right after one": {nil, func(p *peer) {
				p.connect()
				for p.beats.Load() < 3 {
					time.Sleep(beat / 50)
				}
				p.deaf.Store(true)
			}},
		} {
			t.Run(beat.String()+" "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newPipedDiscord(t, nil)
					d.beat = beat
					if got := noticed(t, d, c.before, c.dead, nil); got > 2*beat {
						t.Errorf("noticed after %v, want at most two intervals, %v", got, 2*beat)
					}
				})
			})
		}
	}
}

// A link is not dead because acknowledgements take a third of an interval.
func TestSlowAcknowledgementsAreNoDeath(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const beat = 41250 * time.Millisecond
		d := newPipedDiscord(t, func(_ int, p *peer) {
			p.deaf.Store(true)
			p.connect()
			late := time.NewTicker(beat)
			defer late.Stop()
			for {
				time.Sleep(beat / 3)
				p.send(`{"op":11}`) // of the heartbeat a third of an interval ago
				select {
				case <-late.C:
				case <-p.gone:
					return
				}
			}
		})
		d.beat = beat
		s := run(t, d)
		s.becomesReady()
		time.Sleep(15 * beat) // on the bubble's clock
		if st := s.Status(); !st.Ready || st.Connects != 1 {
			t.Errorf("status: got %+v, want the first connection", st)
		}
	})
}

// The same for a session that is stuck. A lock stops a bubble's clock, so that these
// run on the real one.
func TestStuckSessionsAreNoticedWithinTwoIntervals(t *testing.T) {
	t.Parallel()
	beat := slackBeat()
	locked, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, c := range map[string]struct {
		dead      func(*peer)
		configure func(*discordgo.Session)
	}{
		"a session that never opens": {func(p *peer) { p.hello() }, func(s *discordgo.Session) {
			s.Lock()
			t.Cleanup(s.Unlock)
		}},
		"a full session": {func(p *peer) {
			p.connect()
			<-locked
			p.send(`{"op":11}`) // waits for a lock, and all behind it
			p.interaction(5)
			p.interaction(6)
		}, func(s *discordgo.Session) {
			s.AddHandler(func(s *discordgo.Session, _ *discordgo.Resumed) {
				s.Lock()
				close(locked)
				<-release
				s.Unlock()
			})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, nil)
			d.beat = beat
			if got := noticed(t, d, []func(*peer){drop}, c.dead, c.configure); got > 2*beat+slack() {
				t.Errorf("noticed after %v, want at most two intervals, %v", got, 2*beat)
			}
		})
	}
}

// The same in the local Discord.
func TestDeadSessionsInTheLocalDiscord(t *testing.T) {
	t.Parallel()
	beat := slackBeat()
	for name, fault := range map[string]func(*sandbox.Server){
		"no READY":   func(s *sandbox.Server) { s.Faults().NoReady(); s.Faults().CloseGateway(4009) },
		"no RESUMED": func(s *sandbox.Server) { s.Faults().NoReady(); s.Faults().DropGateway() },
		"no Hello":   func(s *sandbox.Server) { s.Faults().NoHello(); s.Faults().DropGateway() },
		"silence":    func(s *sandbox.Server) { s.Faults().SilentGateway(); s.Faults().DropGateway() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := connectWith(t, gateway.Timing{}, func(o *sandbox.Options) {
				o.Gateway.Heartbeat, o.Gateway.IdentifyWindow = beat, 100*time.Millisecond
			})
			before, began := l.Status().Connects, time.Now()
			fault(l.srv)
			waittest.Until(t, "another session", func() bool { return l.Status().Connects > before && l.Ready() })
			most := 2*beat + 500*time.Millisecond + slack() // the second attempt waits half a second
			if took := time.Since(began); took > most {
				t.Errorf("replaced after %v, want at most %v", took, most)
			}
			l.answers()
		})
	}
}

// What the real Gateway does once a day, a second Hello or a replay that takes long,
// is no death, whatever time passes.
func TestWhatIsNoDeath(t *testing.T) {
	const beat = 41250 * time.Millisecond
	for name, script := range map[string]func(n int, p *peer){
		"a second Hello": func(_ int, p *peer) {
			p.connect()
			time.Sleep(3 * time.Second)
			p.send(`{"op":10,"d":{"heartbeat_interval":1000}}`)
		},
		"a replay longer than READY may take": func(n int, p *peer) {
			if n == 0 {
				drop(p)
				return
			}
			p.hello()
			p.greeting()
			for i := range 10 {
				time.Sleep(15 * time.Second) // of 20
				p.interaction(i)
			}
			p.resumed()
		},
		"heartbeats that Discord asks for": func(_ int, p *peer) {
			p.connect()
			for range 100 {
				time.Sleep(7 * time.Second)
				p.send(`{"op":1,"d":null}`)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newPipedDiscord(t, script)
				d.beat = beat
				s := run(t, d)
				time.Sleep(20 * time.Minute) // on the bubble's clock
				st := s.Status()
				if conns, _, _ := d.count(); !st.Ready || int64(conns) != st.Connects || conns > 2 {
					t.Errorf("%d connections, status %+v, want the last one to live", conns, st)
				}
			})
		})
	}
}

// Intervals that cannot be meant end the connection; the next one may do better.
func TestHelloOfADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newPipedDiscord(t, func(n int, p *peer) {
			if n == 0 {
				p.send(`{"op":10,"d":{"heartbeat_interval":86400000}}`)
				return
			}
			p.connect()
		})
		s := run(t, d)
		s.becomesReady()
		if conns, _, _ := d.count(); conns != 2 {
			t.Errorf("connections: got %d, want 2", conns)
		}
	})
}
