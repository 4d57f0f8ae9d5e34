package gateway

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// Close codes that the line sends. Any but 1000 and 1001 leaves the session open
// for a resume, as Discord's documentation specifies.
const (
	closeGoodbye = websocket.CloseNormalClosure
	closeResume  = 4000
)

// ending says why a connection is over and what that means for the next one.
type ending struct {
	reason  string
	fatal   *FatalError
	forget  bool // the session cannot be resumed
	asking  bool // Discord did not tell where to connect
	hello   bool // Hello had come
	invalid bool // Discord wants a pause first
	ready   bool // the connection had been usable
	lasted  time.Duration
}

// line is one connection: Discord on one side, a discordgo session on the other,
// every packet between them in view.
type line struct {
	s         *Supervisor
	resume    *resumable    // what a later connection needs; kept up to date
	resuming  bool          // begins with a resume rather than an identify
	helloTime time.Duration // for Hello to come
	started   func()        // called when the session asked to identify or resume
	up        *websocket.Conn
	down      *websocket.Conn
	begun     time.Time
	listening bool // the session has its first event; only pumpDown touches it

	mu       sync.Mutex // guards writes to up, and all below
	end      *ending    // the first reason to stop
	leaving  bool       // goodbye is said
	ready    bool
	hello    bool
	greeted  bool // identify or resume is sent
	awaiting string
	due      time.Time     // when that must be here; zero before anything is expected
	interval time.Duration // between heartbeats: of the connection before until Hello tells
	beaten   time.Time     // the session's last heartbeat; before, when it became ready
	asked    time.Time     // moves on with each heartbeat that Discord asked for
	handed   int           // interactions given to the session, not yet seen by the handler
	closed   bool          // interactions are no longer taken from the session
	caughtUp chan struct{}
}

// run carries packets until the connection ends, for whatever reason.
func (l *line) run(ctx context.Context) ending {
	near, far := net.Pipe()
	defer func() { _ = near.Close() }()
	session, err := l.s.newSession(far)
	if err != nil {
		_ = l.up.Close()
		return ending{reason: fmt.Sprintf("session: %v", err)}
	}
	session.AddHandler(l.onEvent)
	go func() {
		// What goes wrong while it opens shows on the line as well.
		if err := session.Open(); err != nil {
			_ = far.Close() // it may not have got as far as dialing
		}
	}()
	l.down, err = accept(near, patience(l.s.timing.Stall, l.interval))
	if err != nil {
		_ = l.up.Close()
		_ = far.Close()
		return ending{reason: fmt.Sprintf("session: %v", err)}
	}
	l.up.SetReadLimit(maxPacket)
	l.expect(l.helloTime, "Hello")

	stop := context.AfterFunc(ctx, l.goodbye)
	defer stop()
	var up sync.WaitGroup
	up.Go(l.pumpUp)
	l.pumpDown()
	_ = l.up.Close()
	l.s.becameUnready()
	_ = near.Close() // what the session was given, it has read: a pipe holds nothing
	go l.settle()    // nobody waits for a stuck session; Drain counts what it holds
	up.Wait()

	l.mu.Lock()
	defer l.mu.Unlock()
	e := *l.end
	e.hello, e.ready, e.lasted = l.hello, l.ready, time.Since(l.begun)
	return e
}

// stop records why the connection ends, unless that is known, and wakes pumpDown.
func (l *line) stop(e ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopLocked(e)
}

func (l *line) stopLocked(e ending) {
	if l.end != nil {
		return
	}
	l.end = &e
	if !l.leaving {
		l.sayCloseLocked(closeResume)
	}
	_ = l.up.NetConn().SetReadDeadline(time.Now()) // fails only if closed, which is as good
}

// goodbye ends the session with Discord for good. Packets that are on their way
// are still taken until Discord closes as well, for a bounded time.
func (l *line) goodbye() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil || l.leaving {
		return
	}
	l.leaving = true
	l.sayCloseLocked(closeGoodbye)
	l.expectLocked(l.s.timing.Close, "the end")
}

func (l *line) sayCloseLocked(code int) {
	// An error means that the connection is gone already.
	_ = l.up.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(l.s.timing.Close))
}

// expect sets what must arrive from Discord within d.
func (l *line) expect(d time.Duration, what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.leaving {
		l.expectLocked(d, what)
	}
}

func (l *line) expectLocked(d time.Duration, what string) {
	if l.end != nil {
		return
	}
	l.awaiting, l.due = what, time.Now().Add(d)
	_ = l.up.NetConn().SetReadDeadline(l.due) // fails only if closed: reading tells
}

// writeByLocked is when a write must be done with: nobody looks at what is due from
// Discord while one blocks, so it ends no later than that.
func (l *line) writeByLocked() time.Time {
	by := time.Now().Add(l.s.timing.Stall)
	if !l.due.IsZero() && l.due.Before(by) {
		return l.due
	}
	return by
}

// minPatience is what even the shortest heartbeat interval leaves for an answer.
const minPatience = 500 * time.Millisecond

// patience is how long to wait for what the other side owes: most, or one and a half
// heartbeat intervals where those are shorter.
func patience(most, interval time.Duration) time.Duration {
	if interval <= 0 {
		return most
	}
	return min(most, pulse(interval))
}

// pulse is how long there may be no sign of life at a heartbeat every interval.
func pulse(interval time.Duration) time.Duration { return max(interval+interval/2, minPatience) }
