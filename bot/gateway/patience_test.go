package gateway_test

import (
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox"
)

// slack is for a busy machine, where a test says how soon something must be noticed.
const slack = time.Second

// Whatever goes dead or gets stuck, with the waits that a bot has by default: it is
// noticed within two heartbeat intervals, however short those are.
func TestDeadSessionsAreNoticedWithinTwoIntervals(t *testing.T) {
	const beat = time.Second
	drop := func(p *peer) { p.connect(); p.cut() }
	locked, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, c := range map[string]struct {
		before    []func(*peer) // connections that end by themselves
		dead      func(*peer)   // the next one, dead from here on
		configure func(*discordgo.Session)
	}{
		"no READY":        {nil, func(p *peer) { p.hello(); p.greeting() }, nil},
		"no RESUMED":      {[]func(*peer){drop}, func(p *peer) { p.hello(); p.greeting() }, nil},
		"half a replay":   {[]func(*peer){drop}, func(p *peer) { p.hello(); p.greeting(); p.interaction(5) }, nil},
		"no second Hello": {[]func(*peer){drop}, func(*peer) {}, nil},
		"no ACK":          {nil, func(p *peer) { p.deaf.Store(true); p.connect() }, nil},
		"a session that never opens": {[]func(*peer){drop}, func(p *peer) { p.hello() }, func(s *discordgo.Session) {
			s.Lock()
			t.Cleanup(s.Unlock)
		}},
		"a full session": {[]func(*peer){drop}, func(p *peer) {
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
			took := make(chan time.Duration, 1)
			d := newDiscord(t, func(n int, p *peer) {
				switch {
				case n < len(c.before):
					c.before[n](p)
				case n == len(c.before):
					c.dead(p)
					since := time.Now()
					<-p.gone
					took <- time.Since(since)
				default:
					p.connect()
				}
			})
			d.beat = beat
			sessions := 0
			s := run(t, d, func(o *gateway.Options) {
				o.Timing = gateway.Timing{}
				o.Configure = func(session *discordgo.Session) {
					if sessions == len(c.before) && c.configure != nil {
						c.configure(session)
					}
					sessions++
				}
			})
			select {
			case got := <-took:
				if got > 2*beat+slack {
					t.Errorf("noticed after %v, want at most two intervals, %v", got, 2*beat)
				}
			case <-time.After(2 * patience):
				t.Fatal("never noticed")
			}
			s.becomesReady()
		})
	}
}

// The same in the local Discord.
func TestDeadSessionsInTheLocalDiscord(t *testing.T) {
	const beat = time.Second
	for name, fault := range map[string]func(*sandbox.Server){
		"no READY":   func(s *sandbox.Server) { s.NoReady(); s.CloseGateway(4009) },
		"no RESUMED": func(s *sandbox.Server) { s.NoReady(); s.DropGateway() },
		"no Hello":   func(s *sandbox.Server) { s.NoHello(); s.DropGateway() },
		"silence":    func(s *sandbox.Server) { s.SilentGateway(); s.DropGateway() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := connectWith(t, gateway.Timing{}, func(o *sandbox.Options) {
				o.Heartbeat, o.IdentifyWindow = beat, 100*time.Millisecond
			})
			before, began := l.Status().Connects, time.Now()
			fault(l.srv)
			eventually(t, "another session", func() bool { return l.Status().Connects > before && l.Ready() })
			const most = 2*beat + 500*time.Millisecond + slack // the second attempt waits half a second
			if took := time.Since(began); took > most {
				t.Errorf("replaced after %v, want at most %v", took, most)
			}
			l.answers()
		})
	}
}
