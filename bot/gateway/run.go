package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/gorilla/websocket"

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
	// budgetPart of the daily identifies is never used: a person who restarts the
	// bot to see what is wrong needs some.
	budgetPart = 100
	// blindPart is never used without asking Discord how many are left: other
	// processes may be starting sessions under the same token.
	blindPart = 10
	// askPause bounds the pause while Discord does not tell where to connect. That is
	// a small request, and nobody can play meanwhile.
	askPause = 15 * time.Second
	// quickFree is how many connections in a row may end soon after they worked and
	// still be followed by another at once: a resume costs Discord little, and clicks
	// are waiting. quickMost bounds the doublings of the pause behind further ones.
	quickFree = 5
	quickMost = 3
	// budgetPoll is how often to ask whether Discord grants new identifies.
	budgetPoll = 10 * time.Minute
)

// Run connects and stays connected until ctx is cancelled, then says goodbye to
// Discord and returns nil. It returns a *FatalError when no further attempt can
// succeed. Call it once. The goroutines with which the library lets go of its last
// connection end by themselves a second after that.
func (s *Supervisor) Run(ctx context.Context) error {
	if s.opts.ShardID < 0 || s.opts.ShardID >= s.opts.ShardCount {
		return errShard
	}
	tries, quick := 0, 0 // attempts without success, and connections that soon ended, in a row
	for {
		e := s.connect(ctx)
		if ctx.Err() != nil {
			return nil
		}
		s.noteEnd(e)
		if e.fatal != nil {
			return e.fatal
		}
		if e.forget {
			s.resume.forget()
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
		if sleep(ctx, pause) != nil {
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
		d = s.timing.BackoffMin
		for i := 1; i < tries && d < most; i++ {
			d *= 2
		}
		d = min(d, most)
		d = d/2 + rand.N(d/2+1)
	}
	if e.invalid {
		// One to five seconds, as Discord's documentation asks for.
		d = max(d, s.timing.Invalid+rand.N(4*s.timing.Invalid))
	}
	return d
}

// connect makes one connection and stays until it ends.
func (s *Supervisor) connect(ctx context.Context) ending {
	s.mu.Lock()
	s.status.Attempts++
	s.mu.Unlock()

	address, resuming := s.resume.where()
	started := func() {}
	if resuming {
		// The address for resumes is a preference, not a need.
		if address == "" || s.misses%2 == 1 || !keepsSecrecy(s.known.URL, address) {
			if s.misses >= askAgain {
				if _, err := s.ask(ctx); errors.Is(err, rest.ErrUnauthorized) {
					return tokenRefused()
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
		used := false
		started = func() { // runs before the line ends, and only once
			used = true
			p.use()
			s.mu.Lock()
			s.status.Identify++
			s.mu.Unlock()
		}
		defer func() {
			if !used {
				p.giveBack()
			}
		}()
	}
	dialTime, helloTime := s.timing.Dial, s.timing.Hello
	if s.misses < hurried {
		helloTime = patience(helloTime, s.interval)
		if resuming {
			dialTime, helloTime = min(dialTime, resumeSoon), min(helloTime, resumeSoon)
		}
	}
	up, err := s.dial(ctx, address, dialTime)
	if err != nil {
		s.misses++
		return ending{reason: err.Error()}
	}
	l := &line{
		s: s, resume: &s.resume, resuming: resuming, helloTime: helloTime, started: started,
		up: up, begun: time.Now(), interval: s.interval,
	}
	e := l.run(ctx)
	l.mu.Lock()
	s.interval = l.interval
	l.mu.Unlock()
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

// permission asks Discord where to connect and waits until a session may start.
func (s *Supervisor) permission(ctx context.Context) (*rest.GatewayInfo, *permit, *ending) {
	for {
		info, err := s.ask(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, rest.ErrUnauthorized) && s.mayStartBlind() {
			s.log.Warn("Discord does not tell where to connect: trying where it was", "error", err)
			info, err = s.known, nil
		}
		var api *rest.Error
		switch {
		case errors.Is(err, rest.ErrUnauthorized):
			e := tokenRefused()
			return nil, nil, &e
		case errors.As(err, &api) && api.RetryAfter > 0:
			_ = sleep(ctx, api.RetryAfter) // the caller looks at ctx
			return nil, nil, &ending{reason: err.Error(), asking: true}
		case err != nil:
			return nil, nil, &ending{reason: err.Error(), asking: true}
		}
		limit := info.Limit
		if limit.Total > 0 && limit.Remaining <= limit.Total/budgetPart {
			wait := min(time.Duration(max(limit.ResetAfter, 1000))*time.Millisecond, budgetPoll)
			s.log.Error("daily number of session starts nearly used up: waiting, since Discord resets the token of a bot that exceeds it",
				"remaining", limit.Remaining, "total", limit.Total, "reset_after", (time.Duration(limit.ResetAfter) * time.Millisecond).String())
			s.noteError("waiting for Discord's daily number of session starts")
			if err := sleep(ctx, wait); err != nil {
				return nil, nil, &ending{reason: err.Error()}
			}
			continue
		}
		p, err := s.opts.Identifies.wait(ctx, s.opts.ShardID, limit.MaxConcurrency)
		if err != nil {
			return nil, nil, &ending{reason: err.Error()}
		}
		return info, p, nil
	}
}

func tokenRefused() ending {
	return ending{reason: "bot token refused", fatal: &FatalError{Status: http.StatusUnauthorized, Advice: adviceToken}}
}

// ask asks Discord where to connect, and remembers the answer.
func (s *Supervisor) ask(ctx context.Context) (*rest.GatewayInfo, error) {
	within := s.timing.Ask
	if s.known != nil {
		within /= 2
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	started := s.opts.Identifies.started() // before the answer: rather one too many
	info, err := s.opts.GatewayBot(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := dialURL(info.URL); err != nil {
		return nil, err
	}
	s.known, s.knownStarted = info, started
	return info, nil
}

// mayStartBlind reports whether a session may be started by what Discord said before.
func (s *Supervisor) mayStartBlind() bool {
	if s.known == nil {
		return false
	}
	limit, since := s.known.Limit, s.opts.Identifies.started()-s.knownStarted
	return limit.Remaining-since > limit.Total/blindPart
}

// dial connects to Discord.
func (s *Supervisor) dial(ctx context.Context, address string, within time.Duration) (*websocket.Conn, error) {
	target, err := dialURL(address)
	if err != nil {
		return nil, err
	}
	tcp := &net.Dialer{Timeout: within, KeepAlive: 15 * time.Second}
	d := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: within, NetDialContext: tcp.DialContext}
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
func (s *Supervisor) handle(raw json.RawMessage, received time.Time) {
	defer s.calls.end()
	defer func() {
		if v := recover(); v != nil {
			s.log.Error("panic in the interaction handler", "type", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
		}
	}()
	if s.opts.OnInteraction != nil {
		s.opts.OnInteraction(s.opts.ShardID, raw, received)
	}
}

func (s *Supervisor) becameReady(resumed bool, session string) {
	s.mu.Lock()
	s.status.Ready, s.status.Since = true, time.Now()
	s.status.Session, s.status.Attempts = session, 0
	s.status.Connects++
	if resumed {
		s.status.Resumes++
	}
	s.mu.Unlock()
	s.log.Info("gateway ready", "resumed", resumed, "session", session)
	if s.opts.OnReady != nil {
		s.opts.OnReady(s.opts.ShardID, true)
	}
}

func (s *Supervisor) becameUnready() {
	s.mu.Lock()
	was := s.status.Ready
	s.status.Ready = false
	if was {
		s.status.Since = time.Now()
	}
	s.mu.Unlock()
	if was && s.opts.OnReady != nil {
		s.opts.OnReady(s.opts.ShardID, false)
	}
}

func (s *Supervisor) noteEnd(e ending) {
	s.noteError(e.reason)
	if e.forget {
		s.mu.Lock()
		s.status.Session = ""
		s.mu.Unlock()
	}
}

func (s *Supervisor) noteError(reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.LastError = reason
}
