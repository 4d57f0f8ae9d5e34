package gateway_test

import (
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

const op1 = `{"op":1,"d":null}`

// Discord may ask for a heartbeat at any time, also right after one.
func TestRequestedHeartbeatsAreSentAtOnce(t *testing.T) {
	peers := make(chan *peer, 1)
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		peers <- p
	})
	run(t, d).becomesReady()
	p := <-peers
	for n := range int64(4) {
		waittest.Until(t, "a heartbeat", func() bool { return p.beats.Load() == n+1 })
		p.send(op1)
	}
}

// A server that asks without end gets some, and the bot stays far below the 120
// packets a minute that Discord takes.
func TestRequestedHeartbeatsAreBounded(t *testing.T) {
	const asked = 1000
	peers := make(chan *peer, 1)
	d := newDiscord(t, func(_ int, p *peer) {
		p.connect()
		for range asked {
			p.send(op1)
		}
		p.interaction(9)
		peers <- p
	})
	s := run(t, d)
	waittest.Until(t, "the interaction behind them", func() bool { return len(s.interactions()) == 1 })
	s.stop()
	if err := s.wait(); err != nil {
		t.Fatal(err)
	}
	p := <-peers
	<-p.gone // all that was sent is read
	if got := p.beats.Load(); got < 2 || got > 60 {
		t.Errorf("heartbeats: got %d for %d requests, want some and at most 60", got, asked)
	}
}

// What the relay answers by itself says nothing about the session: one that is stuck
// is noticed as soon as if nobody had asked.
func TestRequestedHeartbeatsDoNotHideAStuckSession(t *testing.T) {
	t.Parallel()
	beat := slackBeat()
	locked, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	took := make(chan time.Duration, 1)
	d := newDiscord(t, func(n int, p *peer) {
		p.connect()
		if n > 0 {
			return
		}
		<-locked
		since := time.Now()
		again := time.NewTicker(beat * 5 / 4)
		defer again.Stop()
		for {
			select {
			case <-again.C:
				p.send(op1)
			case <-p.gone:
				took <- time.Since(since)
				return
			}
		}
	})
	d.beat = beat
	first := true
	s := run(t, d, func(o *gateway.Options) {
		o.Configure(func(session *discordgo.Session) {
			if !first {
				return
			}
			first = false
			session.AddHandler(func(session *discordgo.Session, _ *discordgo.Ready) {
				session.Lock()
				close(locked)
				<-release
				session.Unlock()
			})
		})
	})
	waittest.Until(t, "a resume", func() bool { return s.Status().Resumes >= 1 })
	if got := <-took; got > 2*beat+slack() {
		t.Errorf("noticed after %v, want at most two intervals, %v", got, 2*beat)
	}
}
