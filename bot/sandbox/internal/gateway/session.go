package gateway

import (
	"bytes"
	"compress/zlib"
	crand "crypto/rand"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// session is a Gateway session, which outlives its connection for a while.
type session struct {
	gateway  *Gateway
	app      App
	id       string
	shard    [2]int // number and count
	intents  int
	reads    bool // the content of messages
	compress bool
	conn     *conn // nil while it is lost
	ready    bool  // and not lost
	seq      int64
	buffer   [][]byte // the last dispatches, for a resume
	lostAt   time.Time
}

// receive handles one payload of the client.
func (c *conn) receive(data []byte) {
	if c.ending || c.silent {
		return
	}
	if c.sent.Take(time.Now(), sendLimit, sendWindow) > 0 {
		c.closeWith(closeTooFast, "You are sending payloads too quickly.")
		return
	}
	var p struct {
		Op *int            `json:"op"`
		D  json.RawMessage `json:"d"`
	}
	if len(data) > rules.MaxPayload || json.Unmarshal(data, &p) != nil || p.Op == nil {
		c.closeWith(closeDecode, "Error while decoding payload.")
		return
	}
	switch *p.Op {
	case opHeartbeat:
		var seq *int64
		if len(p.D) > 0 && json.Unmarshal(p.D, &seq) != nil {
			c.closeWith(closeDecode, "Error while decoding payload.")
		}
		c.sendLocked(opHeartbeatAck, nil) // unless that has ended it
	case opIdentify, opResume:
		switch {
		case c.session != nil:
			c.closeWith(closeIdentifiedTwice, "Already authenticated.")
		case *p.Op == opIdentify:
			c.identify(p.D)
		default:
			c.resume(p.D)
		}
	case opPresence, opVoiceState, opRequestMembers, opSoundboard, opChannelInfo:
		var d map[string]any
		switch {
		case c.session == nil:
			c.closeWith(closeNotIdentified, "Not authenticated.")
		case json.Unmarshal(p.D, &d) != nil || d == nil:
			c.closeWith(closeUnknownOp, "Invalid payload for the opcode.")
		case *p.Op == opRequestMembers:
			c.requestMembers(p.D)
		}
	default:
		c.closeWith(closeUnknownOp, "Unknown opcode.")
	}
}

// identify begins a session.
func (c *conn) identify(d json.RawMessage) {
	g := c.gateway
	var in struct {
		Token      string          `json:"token"`
		Properties map[string]any  `json:"properties"`
		Intents    *int            `json:"intents"`
		Shard      json.RawMessage `json:"shard"`
		Compress   bool            `json:"compress"`
	}
	if json.Unmarshal(d, &in) != nil || in.Properties == nil {
		c.closeWith(closeDecode, "Error while decoding payload.")
		return
	}
	app, ok := g.world.App(strings.TrimPrefix(in.Token, "Bot ")) // which discordgo leaves on it
	if !ok || !g.countIdentify() {
		c.closeWith(closeAuthentication, "Authentication failed.")
		return
	}
	shard, code := g.shardOf(app, in.Shard)
	f := &g.faults.armed
	switch {
	case code != 0:
		c.closeWith(code, "Invalid shard.")
		return
	case in.Intents == nil || *in.Intents < 0 || *in.Intents&^knownIntents != 0:
		c.closeWith(closeInvalidIntents, "Invalid intent(s).")
		return
	case *in.Intents&privilegedIntents&^app.Intents() != 0:
		c.closeWith(closeIntents, "Disallowed intent(s).")
		return
	case f.strikes("InvalidSession"):
		c.sendLocked(opInvalidSession, f.invalidOK)
		return
	case !g.mayIdentify(shard[0]):
		c.sendLocked(opInvalidSession, false)
		return
	}
	if p := f.takeFirst("FirstPacketAfterIdentify"); p != "" && c.first(p) {
		return
	}
	x := &session{gateway: g, app: app, id: crand.Text(), shard: shard, intents: *in.Intents, compress: in.Compress, conn: c}
	// From version 10 on a session has to ask for the intent; before, it is enough that the
	// application has it (Discord's documentation, API Changelog, February 2022).
	x.reads = x.intents&IntentMessageContent != 0 || c.version != "10" && app.Intents()&IntentMessageContent != 0
	c.session = x
	g.open[x.id] = x
	if f.strikes("NoReady") {
		return
	}
	x.ready = true
	g.world.Log().Info("connected", "bot", app.Name(), "intents", x.intents, "shard", x.shard)
	x.send("READY", x.readyData(c, in.Shard != nil))
	if x.intents&IntentGuilds != 0 {
		for _, id := range guildsOf(app, x.shard) {
			x.send("GUILD_CREATE", rules.Encode(app.Guild(id)))
		}
	}
	g.world.Tell(Connected)
}

// handles reports whether events of the guild, or of no guild, belong to the shard.
func (x *session) handles(guildID string) bool {
	if guildID == "" {
		return x.shard[0] == 0
	}
	return shardFor(guildID, x.shard[1]) == x.shard[0]
}

func (x *session) readyData(c *conn, sharded bool) json.RawMessage {
	guilds := []any{}
	for _, id := range guildsOf(x.app, x.shard) {
		guilds = append(guilds, map[string]any{"id": id, "unavailable": true})
	}
	v, _ := strconv.Atoi(c.version)
	d := map[string]any{
		"v": v, "user": x.app.User(), "guilds": guilds, "session_id": x.id, "resume_gateway_url": At(c.host),
		"application": map[string]any{"id": x.app.ID(), "flags": ApplicationFlags(x.app.Intents())}, "session_type": "normal", "private_channels": []any{},
		"relationships": []any{}, "presences": []any{}, "user_settings": map[string]any{}, "_trace": []any{"sandbox"},
	}
	if sharded {
		d["shard"] = x.shard
	}
	return rules.Encode(d)
}

// resume goes on with a session: what was missed first, RESUMED last.
func (c *conn) resume(d json.RawMessage) {
	g := c.gateway
	var in struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       *int64 `json:"seq"`
	}
	if json.Unmarshal(d, &in) != nil || in.Seq == nil {
		c.closeWith(closeDecode, "Error while decoding payload.")
		return
	}
	app, ok := g.world.App(strings.TrimPrefix(in.Token, "Bot "))
	if !ok {
		c.closeWith(closeAuthentication, "Authentication failed.")
		return
	}
	f := &g.faults.armed
	x := g.open[in.SessionID]
	switch {
	case f.strikes("RefuseResume"):
		delete(g.open, in.SessionID)
		c.sendLocked(opInvalidSession, false)
		return
	case f.strikes("InvalidSession"):
		c.sendLocked(opInvalidSession, f.invalidOK)
		return
	case x == nil || x.app != app || x.expired(): // somebody else's counts as none
		c.sendLocked(opInvalidSession, false)
		return
	case *in.Seq > x.seq || *in.Seq < 0:
		c.closeWith(closeInvalidSeq, "Invalid seq.")
		return
	case x.seq-*in.Seq > int64(len(x.buffer)): // something that was missed is kept no more
		delete(g.open, x.id)
		c.sendLocked(opInvalidSession, false)
		return
	}
	if p := f.takeFirst("FirstPacketAfterResume"); p != "" && c.first(p) {
		return
	}
	if old := x.conn; old != nil { // taken over from a connection that we still thought alive
		old.session = nil
		old.closeWith(4000, "The session was resumed elsewhere.")
	}
	x.conn, c.session = c, x
	if f.strikes("NoReady") {
		return
	}
	x.ready = true
	for _, missed := range x.buffer[len(x.buffer)-int(x.seq-*in.Seq):] {
		c.dispatch(missed)
	}
	g.world.Log().Info("resumed", "bot", app.Name())
	x.send("RESUMED", json.RawMessage(`{}`))
	g.world.Tell(Connected)
}

func (x *session) expired() bool {
	return x.conn == nil && x.gateway.world.Clock().Now().Sub(x.lostAt) >= resumeWindow
}

// lose notes that the connection is gone.
func (x *session) lose() {
	x.conn, x.ready, x.lostAt = nil, false, x.gateway.world.Clock().Now()
}

// send dispatches an event to the session: it is kept for a resume and, if there
// is a connection, put on the wire.
func (x *session) send(event string, data json.RawMessage) {
	if x.gateway.faults.armed.lasting["UnknownEvents"] {
		x.sendUnknown()
		if bytes.HasPrefix(data, []byte(`{"`)) {
			data = append([]byte(`{"unknown_field":{"new":[1]},`), data[1:]...)
		}
	}
	x.seq++
	x.dispatch(fmt.Appendf(nil, `{"t":%q,"s":%d,"op":0,"d":%s}`, event, x.seq, data))
}

// sendUnknown dispatches an event and an opcode that nobody knows.
func (x *session) sendUnknown() {
	x.seq++
	x.dispatch(fmt.Appendf(nil, `{"t":"SOMETHING_NEW","s":%d,"op":0,"d":{"value":[null,{"a":%d}]},"extra":true}`, x.seq, rand.IntN(100))) //nolint:gosec // any number will do
	if x.ready {
		x.conn.sendLocked(99, map[string]any{"new": true})
	}
}

// dispatch keeps what is dispatched for a resume, and puts it on the wire if there is one.
func (x *session) dispatch(b []byte) {
	x.buffer = append(x.buffer, b)
	if limit := x.gateway.opt.ReplayBuffer; len(x.buffer) > 2*limit {
		x.buffer = append([][]byte(nil), x.buffer[len(x.buffer)-limit:]...)
	}
	if x.ready {
		x.conn.dispatch(b)
	}
}

// dispatch queues an event, at once or after the delay of a fault.
func (c *conn) dispatch(b []byte) {
	if c.mute || c.ending {
		return
	}
	f := c.frame(b)
	d := c.gateway.faults.armed.delay
	if d <= 0 {
		c.push(f)
		return
	}
	// Timers of the same length may fire out of order: each sends the oldest.
	c.delayed = append(c.delayed, f)
	c.gateway.world.Clock().AfterFunc(d, func() {
		defer c.gateway.world.Hold()()
		c.push(c.delayed[0])
		c.delayed = c.delayed[1:]
	})
}

// frame wraps a payload, compressed on its own if a fault and the session want it.
func (c *conn) frame(b []byte) frame {
	if c.session == nil || !c.session.compress || !c.gateway.faults.armed.lasting["CompressedFrames"] || c.stream != nil {
		return frame{data: b}
	}
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	_, _ = z.Write(b) // a buffer does not fail
	_ = z.Close()
	return frame{data: out.Bytes(), binary: true}
}

// Readable is the data of an event that depends on whether a session may read the content of
// messages.
type Readable func(content bool) any

// Send dispatches an event to the sessions of an application: those of the guild's shard, or
// of the first one without a guild, that have one of the intents; 0 means that none is needed.
// It returns how many are connected to hear it. The world's lock is held.
func (g *Gateway) Send(a App, event string, data any, guildID string, intents int) (heard int) {
	raw := map[bool]json.RawMessage{}
	read, differs := data.(Readable)
	if !differs {
		read = func(bool) any { return data }
	}
	for id, x := range g.open {
		if x.expired() {
			delete(g.open, id)
			continue
		}
		if x.app != a || !x.handles(guildID) || intents != 0 && x.intents&intents == 0 {
			continue
		}
		reads := differs && x.reads
		if raw[reads] == nil {
			raw[reads] = rules.Encode(read(reads))
		}
		x.send(event, raw[reads])
		if x.ready && !x.conn.mute {
			heard++
		}
	}
	return heard
}
