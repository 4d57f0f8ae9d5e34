package gateway

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Close codes that the relay sends. Any but 1000 and 1001 leaves the session open
// for a resume, as Discord's documentation specifies.
const (
	closeGoodbye = websocket.CloseNormalClosure
	closeResume  = 4000
)

// ending says why a connection is over and what that means for the next one.
type ending struct {
	reason  string
	fatal   error // no further attempt can succeed
	forget  bool  // the session cannot be resumed
	asking  bool  // Discord did not tell where to connect
	hello   bool  // Hello had come
	invalid bool  // Discord wants a pause first
	ready   bool  // the connection had been usable
	lasted  time.Duration
}

// relay is one connection: Discord on one side, a discordgo session on the other,
// every packet between them in view.
type relay struct {
	s         *Supervisor
	resuming  bool          // begins with a resume rather than an identify
	helloTime time.Duration // for Hello to come
	started   func()        // called when the session asked to identify or resume
	discord   *websocket.Conn
	session   *websocket.Conn // the pipe to it
	begun     time.Time
	handoffs  chan *handoff // interactions on their way through the session

	// Only readDiscord touches these.
	listening bool   // the session has its first event
	in        inbox  // the packet that Discord sent
	out       []byte // the packet for the session

	mu            sync.Mutex // guards writes to discord, and all below
	end           *ending    // the first reason to stop
	leaving       bool       // goodbye is said
	ready         bool
	hello         bool
	awaiting      string
	due           time.Time     // when that must be here; zero before anything is expected
	interval      time.Duration // between heartbeats: of the connection before until Hello tells
	lastHeartbeat time.Time     // the session's last heartbeat; before, when it became ready
	requested     time.Time     // moves on with each heartbeat that Discord asked for
}

// run carries packets until the connection ends, for whatever reason.
func (r *relay) run(ctx context.Context) ending {
	near, far := net.Pipe()
	defer func() { _, _, _ = near.Close(), far.Close(), r.discord.Close() }() // what is not closed yet
	session := r.s.newSession(far)
	session.AddHandler(r.onEvent)
	go func() {
		// What goes wrong while it opens shows on the relay as well.
		if err := session.Open(); err != nil {
			_ = far.Close() // it may not have got as far as dialing
		}
	}()
	var err error
	r.session, err = accept(near, timeout(r.s.timing.Stall, r.interval))
	if err != nil {
		return ending{reason: fmt.Sprintf("session: %v", err)}
	}
	r.discord.SetReadLimit(maxPacket)
	r.expect(r.helloTime, "Hello")

	stop := context.AfterFunc(ctx, r.goodbye)
	defer stop()
	var reading sync.WaitGroup
	reading.Go(r.readSession)
	r.readDiscord()
	_ = r.discord.Close()
	r.s.note(func(st *Status) { st.Ready = false })
	_ = near.Close()           // what the session was given, it has read: a pipe holds nothing
	r.settle(r.s.timing.Stall) // until then what a stuck session holds counts as begun
	reading.Wait()

	r.mu.Lock()
	defer r.mu.Unlock()
	e := *r.end
	e.hello, e.ready, e.lasted = r.hello, r.ready, time.Since(r.begun)
	return e
}

// stop records why the connection ends, unless that is known, and wakes readDiscord.
func (r *relay) stop(e ending) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		return
	}
	r.end = &e
	if !r.leaving {
		r.sayCloseLocked(closeResume)
	}
	_ = r.discord.NetConn().SetReadDeadline(time.Now()) // fails only if closed, which is as good
}

// goodbye ends the session with Discord for good, or leaves it for another process. Packets that are on their way
// are still taken until Discord closes as well, for a bounded time.
func (r *relay) goodbye() {
	left := r.s.opts.Leave != nil && r.s.opts.Leave()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.end != nil {
		return
	}
	r.expectLocked(r.s.timing.Close, "the end")
	r.leaving = true
	if left {
		r.sayCloseLocked(closeResume)
	} else {
		r.s.resume.keep(Session{})
		r.sayCloseLocked(closeGoodbye)
	}
}

func (r *relay) sayCloseLocked(code int) {
	// An error means that the connection is gone already.
	_ = r.discord.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(r.s.timing.Close))
}

// expect sets what must arrive from Discord within d, unless goodbye is said.
func (r *relay) expect(d time.Duration, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.expectLocked(d, what)
}

func (r *relay) expectLocked(d time.Duration, what string) {
	if r.end != nil || r.leaving {
		return
	}
	r.awaiting, r.due = what, time.Now().Add(d)
	_ = r.discord.NetConn().SetReadDeadline(r.due) // fails only if closed: reading tells
}

// writeBy is when a write must be done with: nobody looks at what is due from
// Discord while one blocks, so it ends no later than that.
func (r *relay) writeBy() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.writeByLocked()
}

func (r *relay) writeByLocked() time.Time {
	by := time.Now().Add(r.s.timing.Stall)
	if !r.due.IsZero() && r.due.Before(by) {
		return r.due
	}
	return by
}

// minTimeout is what even the shortest heartbeat interval leaves for an answer.
const minTimeout = 500 * time.Millisecond

// timeout is how long to wait for what the other side owes: most, or one and a half
// heartbeat intervals where those are shorter.
func timeout(most, interval time.Duration) time.Duration {
	if interval <= 0 {
		return most
	}
	return min(most, heartbeatTimeout(interval))
}

// heartbeatTimeout is how long there may be no sign of life at a heartbeat every interval.
func heartbeatTimeout(interval time.Duration) time.Duration {
	return max(interval+interval/2, minTimeout)
}
