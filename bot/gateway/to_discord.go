package gateway

import (
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// Heartbeats that Discord asks for: so many at once, and one more every requestedEvery.
// That is 50 in the worst minute, and leaves enough of the 120 packets that Discord
// takes for those that the session sends.
const (
	requestedBurst = 20
	requestedEvery = 2 * time.Second
)

// minMoment is enough to read what is there already.
const minMoment = 100 * time.Millisecond

// readSession takes packets from the session until there are no more.
func (r *relay) readSession() {
	for {
		_, raw, err := r.session.ReadMessage()
		if err != nil {
			r.stop(ending{reason: "the session closed its end"})
			return
		}
		p, err := split(raw)
		if err != nil {
			continue // the session writes nothing unreadable
		}
		switch p.Op {
		case opIdentify:
			err = r.identify(raw)
		case opHeartbeat:
			r.heartbeat()
		}
		if err != nil {
			return
		}
	}
}

// identify sends what begins the session with Discord: the identify as the discordgo
// session wrote it, or a resume in its place. The session writes one: what would have it write
// another is not passed on to it.
func (r *relay) identify(identify []byte) error {
	r.started()
	if r.resuming {
		identify = r.s.resume.session().packet(r.s.token())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.writeLocked(identify); err != nil {
		return err
	}
	r.expectLocked(timeout(r.s.timing.Ready, r.interval), "READY or RESUMED")
	return nil
}

// heartbeat sends the session's heartbeat, with a sequence number that is up to date.
func (r *relay) heartbeat() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastHeartbeat = time.Now()
	r.heartbeatLocked()
}

// heartbeatRequested sends a heartbeat that Discord asked for, if there were not too many.
func (r *relay) heartbeatRequested() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if earliest := now.Add(-requestedBurst * requestedEvery); r.requested.Before(earliest) {
		r.requested = earliest
	}
	if next := r.requested.Add(requestedEvery); !next.After(now) {
		r.requested = next
		r.heartbeatLocked()
	}
}

func (r *relay) heartbeatLocked() {
	if r.leaving {
		return
	}
	_ = r.writeLocked(r.s.resume.heartbeat()) // what is read next says why it failed
}

// writeLocked writes to Discord. A failure does not end the connection by itself:
// often Discord has closed it, and what is there to be read says why. So the
// reader gets a moment to find out.
func (r *relay) writeLocked(raw []byte) error {
	_ = r.discord.SetWriteDeadline(r.writeByLocked()) // never fails
	err := r.discord.WriteMessage(websocket.TextMessage, raw)
	if err != nil {
		moment := r.s.timing.Close
		if r.interval > 0 {
			moment = min(moment, max(r.interval/4, minMoment))
		}
		r.expectLocked(moment, fmt.Sprintf("an answer after a failed write (%v)", err))
	}
	return err
}
