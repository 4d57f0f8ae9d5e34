package gateway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

const (
	// maxRefusals is how many resumes in a row may come to nothing before the
	// session is given up and a new one started. A Gateway that does not even say
	// Hello has refused nothing: it would not start a new session either.
	maxRefusals = 3
	// A resume that takes longer than resumeSoon comes too late for the clicks that are
	// waiting: so long have the handshake and Hello in the first hurried attempts, one
	// at each address. Later ones take the time that a slow network needs.
	hurried    = 2
	resumeSoon = 3 * time.Second
	// askAgain is after how many attempts to resume the ordinary address is asked for
	// anew: it may have changed.
	askAgain = 3
	// askPause bounds the pause while Discord does not tell where to connect. That is
	// a small request, and nobody can play meanwhile.
	askPause = 15 * time.Second
	// quickFree is how many connections in a row may end soon after they worked and
	// still be followed by another at once: a resume costs Discord little, and clicks
	// are waiting. quickMost bounds the doublings of the pause behind further ones.
	quickFree = 5
	quickMost = 3
)

// Run connects and stays connected until ctx is cancelled, then says goodbye to
// Discord and returns nil. It returns a *FatalError, or one that is rest.ErrUnauthorized, when no
// further attempt can succeed. Call it once. The goroutines with which the library lets go of its last
// connection end by themselves a second after that.
func (s *Supervisor) Run(ctx context.Context) error {
	tries, quick := 0, 0 // attempts without success, and connections that soon ended, in a row
	for {
		if s.opts.May != nil && s.opts.May(ctx) != nil {
			return nil
		}
		e := s.connect(ctx)
		if e.forget {
			s.resume.keep(Session{})
		}
		if ctx.Err() != nil {
			return nil
		}
		s.note(func(st *Status) {
			if st.LastError = e.reason; e.forget {
				st.Session = ""
			}
		})
		if e.fatal != nil {
			return e.fatal
		}
		switch {
		case !e.ready:
			tries++
		case e.lasted >= s.timing.Stable:
			tries, quick = 0, 0
		default:
			tries = 0
			quick++
		}
		pause := s.pause(tries+max(0, quick-quickFree), e)
		s.log.Warn("gateway connection ended", "reason", e.reason, "ready", e.ready, "lasted", e.lasted.Round(time.Millisecond), "retry_in", pause.Round(time.Millisecond))
		if tasks.Sleep(ctx, pause) != nil {
			return nil
		}
	}
}

// pause is how long to wait before the next attempt. The first one after a
// connection that worked is immediate: whoever clicks meanwhile has three seconds.
func (s *Supervisor) pause(tries int, e ending) time.Duration {
	d, most := time.Duration(0), s.timing.BackoffMax
	if e.asking {
		most = min(most, askPause)
	}
	if e.ready {
		tries = min(tries, quickMost)
	}
	if tries > 0 {
		d = min(s.timing.BackoffMin<<min(tries-1, 16), most)
		d = d/2 + rand.N(d/2+1) //nolint:gosec // jitter
	}
	if e.invalid {
		// One to five seconds, as Discord's documentation asks for.
		d = max(d, s.timing.Invalid+rand.N(4*s.timing.Invalid)) //nolint:gosec // jitter
	}
	return d
}

// connect makes one connection and stays until it ends.
func (s *Supervisor) connect(ctx context.Context) ending {
	s.note(func(st *Status) { st.Attempts++ })
	kept := s.resume.session()
	address, resuming := kept.URL, kept.ID != ""
	started := func() {}
	if resuming {
		if s.known == nil {
			if _, err := s.ask(ctx); err != nil {
				return *unasked(ctx, err)
			}
		}
		// The address for resumes is a preference, not a need.
		if s.resumesElsewhere(address) {
			if s.misses >= askAgain {
				if _, err := s.ask(ctx); errors.Is(err, rest.ErrUnauthorized) {
					return *unasked(ctx, err)
				}
			}
			address = s.known.URL
		}
	} else {
		info, p, e := s.permission(ctx)
		if e != nil {
			return *e
		}
		address = info.URL
		started = func() { // runs before the relay ends, and only once
			p.use()
			s.note(func(st *Status) { st.Identify++ })
		}
		defer p.giveBack()
	}
	dialTime, helloTime := s.timing.Dial, s.timing.Hello
	if s.misses < hurried {
		helloTime = timeout(helloTime, s.interval)
		if resuming {
			dialTime, helloTime = min(dialTime, resumeSoon), min(helloTime, resumeSoon)
		}
	}
	up, err := s.dial(ctx, address, dialTime)
	if err != nil {
		s.misses++
		return ending{reason: err.Error()}
	}
	r := &relay{
		s: s, resuming: resuming, helloTime: helloTime, started: started,
		discord: up, handoffs: make(chan *handoff, maxHandoffs), begun: time.Now(), interval: s.interval,
	}
	e := r.run(ctx)
	r.mu.Lock()
	s.interval = r.interval
	r.mu.Unlock()
	s.misses++
	switch {
	case e.ready:
		s.misses, s.resumeRefusal = 0, 0
	case resuming && (e.hello || e.invalid):
		s.resumeRefusal++
		if s.resumeRefusal >= maxRefusals {
			s.resumeRefusal = 0
			e.forget = true
		}
	}
	return e
}

// resumesElsewhere reports whether the next attempt to resume goes to the ordinary
// address instead of the one that Discord gave for resumes.
func (s *Supervisor) resumesElsewhere(address string) bool {
	return address == "" || s.misses%2 == 1 || !follows(s.known.URL, address)
}

// dial connects to Discord.
func (s *Supervisor) dial(ctx context.Context, address string, within time.Duration) (*websocket.Conn, error) {
	target, err := dialURL(address)
	if err != nil {
		return nil, err
	}
	tcp := &net.Dialer{Timeout: within, KeepAlive: 15 * time.Second}
	d := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: within, NetDialContext: tcp.DialContext}
	if s.opts.dial != nil {
		d.NetDialContext = s.opts.dial
	}
	up, resp, err := d.DialContext(ctx, target, nil)
	if err == nil {
		return up, nil
	}
	if resp != nil {
		_ = resp.Body.Close() // holds what was read already
		return nil, fmt.Errorf("gateway handshake: HTTP %d", resp.StatusCode)
	}
	return nil, fmt.Errorf("gateway: %w", err)
}

// handle runs the caller's function for one interaction that was counted as begun.
func (s *Supervisor) handle(in handoff) {
	defer s.opts.Handling.End()
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("panic in the interaction handler", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
		}
	}()
	if s.opts.OnInteraction != nil {
		s.opts.OnInteraction(in.raw, in.received)
	}
}

func (s *Supervisor) becameReady(resumed bool) {
	session := s.resume.session().hash()
	s.note(func(st *Status) {
		st.Ready, st.Session, st.Attempts = true, session, 0
		st.Connects++
		if resumed {
			st.Resumes++
		}
	})
	s.log.Info("gateway ready", "resumed", resumed, "session", session)
}

// note changes the status.
func (s *Supervisor) note(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}
