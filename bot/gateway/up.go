package gateway

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// Heartbeats that Discord asks for: so many at once, and one more every askedEvery.
// That is 50 in the worst minute, and leaves enough of the 120 packets that Discord
// takes for those that the session sends.
const (
	askedBurst = 20
	askedEvery = 2 * time.Second
)

// minMoment is enough to read what is there already.
const minMoment = 100 * time.Millisecond

// pumpUp takes packets from the session until there are no more.
func (l *line) pumpUp() {
	for {
		frame, raw, err := l.down.ReadMessage()
		if err != nil {
			l.stop(ending{reason: "the session closed its end"})
			return
		}
		p, err := parsePacket(frame, raw)
		if err != nil {
			continue // the session writes nothing unreadable
		}
		switch p.Op {
		case opIdentify:
			err = l.greet(raw)
		case opHeartbeat:
			l.beat()
		case opResume: // never: each session is new
		default:
			err = l.write(raw)
		}
		if err != nil {
			return
		}
	}
}

// greet sends what begins the session with Discord: the identify as the discordgo
// session wrote it, or a resume in its place.
func (l *line) greet(identify []byte) error {
	if l.greeted {
		return nil
	}
	l.greeted = true
	l.started()
	raw := identify
	if l.resuming {
		var err error
		if raw, err = l.resume.packet(identify); err != nil {
			l.stop(ending{reason: fmt.Sprintf("resume: %v", err)})
			return err
		}
	}
	if err := l.write(raw); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.leaving {
		l.expectLocked(patience(l.s.timing.Ready, l.interval), "READY or RESUMED")
	}
	return nil
}

// beat sends the session's heartbeat, with a sequence number that is up to date.
func (l *line) beat() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.beaten = time.Now()
	l.beatLocked()
}

// beatAsked sends a heartbeat that Discord asked for, if there were not too many.
func (l *line) beatAsked() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if earliest := now.Add(-askedBurst * askedEvery); l.asked.Before(earliest) {
		l.asked = earliest
	}
	if next := l.asked.Add(askedEvery); !next.After(now) {
		l.asked = next
		l.beatLocked()
	}
}

func (l *line) beatLocked() {
	if l.leaving {
		return
	}
	raw, err := json.Marshal(packet{Op: opHeartbeat, Data: l.resume.sequence()})
	if err == nil {
		_ = l.writeLocked(raw) // what is read next says why
	}
}

func (l *line) write(raw []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.writeLocked(raw)
}

// writeLocked writes to Discord. A failure does not end the connection by itself:
// often Discord has closed it, and what is there to be read says why. So the
// reader gets a moment to find out.
func (l *line) writeLocked(raw []byte) error {
	err := l.up.SetWriteDeadline(l.writeByLocked())
	if err == nil {
		err = l.up.WriteMessage(websocket.TextMessage, raw)
	}
	if err != nil && !l.leaving {
		moment := l.s.timing.Close
		if l.interval > 0 {
			moment = min(moment, max(l.interval/4, minMoment))
		}
		l.expectLocked(moment, fmt.Sprintf("an answer after a failed write (%v)", err))
	}
	return err
}
