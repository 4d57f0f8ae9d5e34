package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/gorilla/websocket"
)

// pumpDown takes packets from Discord until there are no more.
func (l *line) pumpDown() {
	for {
		frame, raw, err := l.up.ReadMessage()
		if err != nil {
			l.stop(l.ended(err))
			return
		}
		p, err := parsePacket(frame, raw)
		if err != nil {
			l.s.log.Warn("unreadable gateway packet", "error", err, "bytes", len(raw))
			continue
		}
		if e := l.fromDiscord(p); e != nil {
			l.stop(*e)
			return
		}
	}
}

// ended translates a read error.
func (l *line) ended(err error) ending {
	l.mu.Lock()
	awaiting := l.awaiting
	l.mu.Unlock()
	var c *websocket.CloseError
	var timeout net.Error
	switch {
	case errors.As(err, &c):
		return ending{
			reason: fmt.Sprintf("closed by Discord with code %d", c.Code),
			fatal:  fatalClose(c.Code),
			// 4003 is also sent for a session that is no longer valid.
			forget: c.Code == 4003 || c.Code == 4007 || c.Code == 4009,
		}
	case errors.As(err, &timeout) && timeout.Timeout():
		return ending{reason: "waited too long for " + awaiting}
	}
	return ending{reason: fmt.Sprintf("connection lost: %v", err)}
}

// fromDiscord handles one packet; a result ends the connection.
func (l *line) fromDiscord(p packet) *ending {
	if !l.hello && (p.Op == opDispatch || p.Op == opHeartbeatAck) {
		return nil // cannot be, before Hello
	}
	switch p.Op {
	case opHello:
		return l.onHello(p)
	case opDispatch:
		return l.onDispatch(p)
	case opHeartbeat:
		l.beatAsked()
	case opHeartbeatAck:
		return l.onAck()
	case opReconnect:
		return &ending{reason: "Discord asked to reconnect"}
	case opInvalid:
		var canResume bool
		_ = json.Unmarshal(p.Data, &canResume) // anything else means no
		return &ending{reason: "Discord called the session invalid", forget: !canResume, invalid: true}
	default:
		l.s.log.Debug("unknown gateway operation", "op", p.Op)
	}
	return nil
}

func (l *line) onHello(p packet) *ending {
	var d struct {
		Interval int64 `json:"heartbeat_interval"`
	}
	if err := json.Unmarshal(p.Data, &d); err != nil || d.Interval <= 0 || d.Interval > time.Hour.Milliseconds() {
		return &ending{reason: "Hello without a usable heartbeat interval"}
	}
	if l.hello {
		return nil
	}
	l.mu.Lock()
	l.hello = true
	l.interval = time.Duration(d.Interval) * time.Millisecond
	l.mu.Unlock()
	l.expect(patience(l.s.timing.Ready, l.interval), "the session's start")
	return l.forward(packet{Op: opHello, Data: p.Data})
}

func (l *line) onDispatch(p packet) *ending {
	if p.Seq != nil {
		l.resume.seen(*p.Seq)
	}
	switch p.Type {
	case "READY":
		r, err := parseReady(p.Data)
		if err != nil {
			return &ending{reason: err.Error(), forget: true}
		}
		l.resume.begin(r.SessionID, r.ResumeURL, p.Seq)
		data, err := json.Marshal(r)
		if err != nil {
			return &ending{reason: fmt.Sprintf("encode READY: %v", err)}
		}
		l.becomeReady(false)
		return l.dispatch(packet{Data: data, Seq: p.Seq, Type: p.Type})
	case "RESUMED":
		l.becomeReady(true)
		return l.dispatch(packet{Data: json.RawMessage("{}"), Seq: p.Seq, Type: p.Type})
	case "INTERACTION_CREATE":
		l.progress()
		l.hand()
		return l.dispatch(p)
	}
	l.progress()
	if slices.Contains(l.s.opts.Events, p.Type) {
		return l.dispatch(p)
	}
	return nil
}

// dispatch passes an event to the session, which listens from its first one on.
func (l *line) dispatch(p packet) *ending {
	p.Op = opDispatch
	if e := l.forward(p); e != nil {
		return e
	}
	l.listening = true
	return nil
}

// progress grants more time while a resume replays what was missed.
func (l *line) progress() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready && !l.leaving {
		l.expectLocked(patience(l.s.timing.Ready, l.interval), "READY or RESUMED")
	}
}

func (l *line) becomeReady(resumed bool) {
	l.mu.Lock()
	first := !l.ready
	l.ready = true
	if first && !l.leaving {
		l.beaten = time.Now()
		l.expectPulseLocked()
	}
	l.mu.Unlock()
	if first {
		l.s.becameReady(resumed, l.resume.hash())
	}
}

// onAck notes that Discord is there. The session must not see an acknowledgement
// as its first packet: it would wait for a lock that it holds.
func (l *line) onAck() *ending {
	l.mu.Lock()
	if l.ready && !l.leaving {
		l.expectPulseLocked()
	}
	l.mu.Unlock()
	if !l.listening {
		return nil
	}
	return l.forward(packet{Op: opHeartbeatAck})
}

// expectPulseLocked expects the next acknowledgement. The session sends a heartbeat
// every interval; one and a half without an acknowledgement means that the link
// is dead, or the session stuck. They count from the session's heartbeat: those that
// the line adds on request say nothing about the session.
func (l *line) expectPulseLocked() {
	l.expectLocked(time.Until(l.beaten.Add(pulse(l.interval))), "a heartbeat and its acknowledgement")
}

// forward writes to the session.
func (l *line) forward(p packet) *ending {
	raw, err := json.Marshal(p)
	if err != nil {
		return &ending{reason: fmt.Sprintf("encode packet: %v", err)}
	}
	l.mu.Lock()
	by := l.writeByLocked()
	l.mu.Unlock()
	if err := l.down.SetWriteDeadline(by); err != nil {
		return &ending{reason: fmt.Sprintf("session: %v", err)}
	}
	if err := l.down.WriteMessage(websocket.TextMessage, raw); err != nil {
		return &ending{reason: "the session takes no packets"}
	}
	return nil
}
