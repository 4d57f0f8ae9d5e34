package gateway

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// minBeat keeps answers to heartbeat requests below Discord's limit of 120 packets
// a minute, whatever the server asks for.
const minBeat = time.Second

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

// beat sends a heartbeat, unless the last one was only just sent.
func (l *line) beat() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if l.leaving || now.Sub(l.beatSent) < min(minBeat, l.interval/2) {
		return
	}
	raw, err := json.Marshal(packet{Op: opHeartbeat, Data: l.resume.sequence()})
	if err != nil || l.writeLocked(raw) != nil {
		return
	}
	l.beatSent = now
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
