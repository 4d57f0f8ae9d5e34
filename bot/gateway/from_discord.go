package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/gorilla/websocket"
)

var errCompressed = errors.New("a compressed packet, which nobody asked for")

// readDiscord takes packets from Discord until there are no more.
func (r *relay) readDiscord() {
	for {
		r.in.release()
		frame, in, err := r.discord.NextReader()
		if err == nil {
			_, err = r.in.ReadFrom(in)
		}
		if err != nil {
			r.stop(r.ended(err))
			return
		}
		p, err := split(r.in.Bytes())
		if frame == websocket.BinaryMessage {
			err = errCompressed // identify says that we take none
		}
		if err != nil {
			r.s.log.Warn("unreadable gateway packet", "error", err, "bytes", r.in.Len())
			continue
		}
		if e := r.fromDiscord(p); e != nil {
			r.stop(*e)
			return
		}
	}
}

// ended translates a read error.
func (r *relay) ended(err error) ending {
	r.mu.Lock()
	awaiting := r.awaiting
	r.mu.Unlock()
	var c *websocket.CloseError
	var netErr net.Error
	switch {
	case errors.As(err, &c):
		e := ending{
			reason: fmt.Sprintf("closed by Discord with code %d", c.Code),
			// 4003 is also sent for a session that is no longer valid.
			forget: c.Code == 4003 || c.Code == 4007 || c.Code == 4009,
		}
		if advice, ok := fatalAdvice[c.Code]; ok {
			e.fatal = &FatalError{CloseCode: c.Code, Advice: advice}
		}
		return e
	case errors.As(err, &netErr) && netErr.Timeout():
		return ending{reason: "waited too long for " + awaiting}
	}
	return ending{reason: fmt.Sprintf("connection lost: %v", err)}
}

// fromDiscord handles one packet; a result ends the connection.
func (r *relay) fromDiscord(p packet) *ending {
	if !r.hello && (p.Op == opDispatch || p.Op == opHeartbeatAck) {
		return nil // cannot be, before Hello
	}
	switch p.Op {
	case opHello:
		return r.onHello(p)
	case opDispatch:
		return r.onDispatch(p)
	case opHeartbeat:
		r.heartbeatRequested()
	case opHeartbeatAck:
		return r.onAck()
	case opReconnect:
		return &ending{reason: "Discord asked to reconnect"}
	case opInvalid:
		var canResume bool
		_ = json.Unmarshal(p.Data.json, &canResume) // anything else means no
		return &ending{reason: "Discord called the session invalid", forget: !canResume, invalid: true}
	default:
		r.s.log.Debug("unknown gateway operation", "op", p.Op)
	}
	return nil
}

func (r *relay) onHello(p packet) *ending {
	var d struct {
		Interval int64 `json:"heartbeat_interval"`
	}
	if err := json.Unmarshal(p.Data.json, &d); err != nil || d.Interval <= 0 || d.Interval > time.Hour.Milliseconds() {
		return &ending{reason: "Hello without a usable heartbeat interval"}
	}
	if r.hello {
		return nil
	}
	r.mu.Lock()
	r.hello = true
	r.interval = time.Duration(d.Interval) * time.Millisecond
	r.mu.Unlock()
	r.expect(timeout(r.s.timing.Ready, r.interval), "the session's start")
	return r.forward(opHello, "", p.Data.json)
}

func (r *relay) onDispatch(p packet) *ending {
	if p.Seq > 0 {
		r.s.resume.seen(p.Seq)
	}
	switch p.Event {
	case eventReady:
		var ready struct {
			Session string `json:"session_id"`
			URL     string `json:"resume_gateway_url"`
		}
		if err := json.Unmarshal(p.Data.json, &ready); err != nil {
			return &ending{reason: fmt.Sprintf("decode READY: %v", err), forget: true}
		}
		r.s.resume.keep(Session{ready.Session, ready.URL, p.Seq})
		r.becomeReady(false)
	case eventResumed:
		r.becomeReady(true)
	case eventInteraction:
		in := handoff{bytes.Clone(p.Data.json), time.Now()}
		r.progress()
		if !r.handOver(in, time.Until(r.writeBy())) {
			return &ending{reason: "the session begins no interactions"}
		}
	default:
		r.progress()
		return nil
	}
	if e := r.forward(opDispatch, p.Event, p.Data.usable); e != nil {
		return e
	}
	r.listening = true // as the session does from its first event on
	return nil
}

// progress grants more time while a resume replays what was missed.
func (r *relay) progress() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ready {
		r.expectLocked(timeout(r.s.timing.Ready, r.interval), "READY or RESUMED")
	}
}

func (r *relay) becomeReady(resumed bool) {
	r.mu.Lock()
	first := !r.ready
	r.ready = true
	if first {
		r.lastHeartbeat = time.Now()
		r.expectAckLocked()
	}
	r.mu.Unlock()
	if first {
		r.s.becameReady(resumed)
	}
}

// onAck notes that Discord is there. The session must not see an acknowledgement
// as its first packet: it would wait for a lock that it holds.
func (r *relay) onAck() *ending {
	r.mu.Lock()
	if r.ready {
		r.expectAckLocked()
	}
	r.mu.Unlock()
	if !r.listening {
		return nil
	}
	return r.forward(opHeartbeatAck, "", []byte("null"))
}

// expectAckLocked expects the next acknowledgement. The session sends a heartbeat
// every interval; one and a half without an acknowledgement means that the link
// is dead, or the session stuck. They count from the session's heartbeat: those that
// the relay adds on request say nothing about the session.
func (r *relay) expectAckLocked() {
	r.expectLocked(time.Until(r.lastHeartbeat.Add(heartbeatTimeout(r.interval))), "a heartbeat and its acknowledgement")
}

// forward writes a packet to the session. data is JSON, event needs no quoting. There is no
// sequence number in it: the session's heartbeats get Discord's.
func (r *relay) forward(op int, event string, data []byte) *ending {
	r.out = fmt.Appendf(r.out[:0], `{"op":%d,"t":"%s","d":%s}`, op, event, data)
	_ = r.session.SetWriteDeadline(r.writeBy()) // never fails
	if err := r.session.WriteMessage(websocket.TextMessage, r.out); err != nil {
		return &ending{reason: "the session takes no packets"}
	}
	return nil
}
