package gateway

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/transport"
)

// Path is where the Gateway is on its server.
const Path = "/gateway"

// Gateway opcodes, as specified by Discord's documentation.
const (
	opDispatch       = 0
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoiceState     = 4
	opResume         = 6
	opReconnect      = 7
	opRequestMembers = 8
	opInvalidSession = 9
	opHello          = 10
	opHeartbeatAck   = 11
	opSoundboard     = 31
	opChannelInfo    = 43
)

// Gateway close codes, as specified by Discord's documentation.
const (
	closeUnknownOp       = 4001
	closeDecode          = 4002
	closeNotIdentified   = 4003
	closeAuthentication  = 4004
	closeIdentifiedTwice = 4005
	closeInvalidSeq      = 4007
	closeTooFast         = 4008
	closeTimedOut        = 4009
	closeInvalidShard    = 4010
	closeShardingNeeded  = 4011
	closeVersion         = 4012
	closeInvalidIntents  = 4013
	closeIntents         = 4014
)

// Gateway is where bots connect to hear what happens. Its methods may be called by several
// goroutines at once.
type Gateway struct {
	world      World
	opt        Options
	address    string             // host and port
	conns      map[*conn]struct{} // the world's lock guards this and what follows
	open       map[string]*session
	wg         sync.WaitGroup       // of connections
	identifies map[int]rules.Window // in IdentifyWindow, by bucket
	starts     rules.Window         // in a day
	required   int                  // shards, by RequireShards
	faults     Faults
}

// conn is one websocket connection. The world's lock guards its fields;
// a goroutine of its own writes what is queued, so that nothing waits for a
// client that does not read.
type conn struct {
	gateway *Gateway
	ws      *websocket.Conn
	stream  *transport.Stream // nil: payloads go as they are
	version string
	host    string // by which the server was asked
	session *session
	mute    bool // a half-open link: nothing is sent any more
	silent  bool // never says anything from the start
	noHello bool
	inPlace FirstPacket // of Hello
	after   FirstPacket // Hello
	ending  bool        // a close frame is queued
	queue   []frame
	wake    chan struct{}
	delayed []frame
	sent    rules.Window // payloads of the client
}

// frame is something to write: a payload, or a close frame. The zero value ends the
// connection without one.
type frame struct {
	data   []byte
	binary bool
	code   int // of a close frame
	text   string
}

// New returns a Gateway of the server at an address.
func New(w World, o Options, address string) *Gateway {
	o = o.withDefaults()
	g := &Gateway{
		world: w, opt: o, address: address, conns: map[*conn]struct{}{}, open: map[string]*session{}, identifies: map[int]rules.Window{},
	}
	g.faults = Faults{g, nothingArmed()}
	return g
}

// Faults are what goes wrong with the Gateway on purpose.
func (g *Gateway) Faults() *Faults { return &g.faults }

// URL is where the Gateway is. What /gateway gives out has the name by which the
// server was asked.
func (g *Gateway) URL() string { return At(g.address) }

// At is where the Gateway is under a name of its server.
func At(host string) string { return "ws://" + host + Path }

// Bot is what /gateway/bot answers. The world's lock is held.
func (g *Gateway) Bot(host string) map[string]any {
	g.starts.Roll(time.Now(), 24*time.Hour)
	return map[string]any{
		"url": At(host), "shards": max(g.opt.Shards, g.required),
		"session_start_limit": map[string]any{
			"total": g.opt.SessionStarts, "remaining": max(0, g.opt.SessionStarts-g.starts.Used),
			"reset_after": time.Until(g.starts.Reset).Milliseconds(), "max_concurrency": g.opt.MaxConcurrency,
		},
	}
}

// welcome makes a connection, nil for one that is refused, as faults want it met. They choose
// before the handshake is answered, so that they strike in the order in which clients dialled.
func (g *Gateway) welcome() *conn {
	defer g.world.Hold()()
	f := &g.faults.armed
	c := &conn{gateway: g, wake: make(chan struct{}, 1), mute: f.lasting["NoAcks"]}
	switch {
	case g.world.Closing().Err() != nil, f.strikes("RefuseUpgrade"):
		return nil
	case f.strikes("SilentGateway"):
		c.silent, c.mute = true, true
	case f.strikes("NoHello"):
		c.noHello = true
	default:
		if c.inPlace = f.takeFirst("FirstPacketInsteadOfHello"); c.inPlace == "" {
			c.after = f.takeFirst("FirstPacketAfterHello")
		}
	}
	g.wg.Add(1)
	return c
}

// ServeHTTP takes one websocket connection and reads it to its end.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := g.welcome()
	if c == nil {
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
		return
	}
	defer g.wg.Done()
	query := r.URL.Query()
	if kind := query.Get("compress"); kind != "" {
		var ok bool
		if c.stream, ok = transport.New(kind); !ok {
			http.Error(w, "sandbox: Discord has no such transport compression", http.StatusBadRequest)
			return
		}
	}
	// A browser's page has no business here.
	upgrader := websocket.Upgrader{CheckOrigin: func(r *http.Request) bool { return r.Header.Get("Origin") == "" }}
	var err error
	if c.ws, err = upgrader.Upgrade(w, r, nil); err != nil {
		return // Upgrade has answered
	}
	c.version, c.host = query.Get("v"), r.Host
	if g.opt.HelloDelay > 0 {
		select {
		case <-time.After(g.opt.HelloDelay):
		case <-g.world.Closing().Done():
		}
	}
	if g.greet(c, query.Get("encoding")) {
		c.read()
	}
	g.hangUp(c)
}

// greet adds the connection and sends Hello, or what a fault puts in its place.
func (g *Gateway) greet(c *conn, encoding string) bool {
	defer g.world.Hold()()
	if g.world.Closing().Err() != nil {
		_ = c.ws.Close()
		return false
	}
	g.conns[c] = struct{}{}
	g.world.Tell(Counted)
	g.wg.Add(1)
	go c.write()
	switch {
	case c.silent, c.noHello:
	case c.version != "9" && c.version != "10":
		c.closeWith(closeVersion, "Invalid API version.")
	case encoding != "json" && encoding != "":
		c.closeWith(closeDecode, "Unknown encoding.")
	case c.inPlace != "":
		c.first(c.inPlace)
	default:
		c.sendLocked(opHello, map[string]any{"heartbeat_interval": g.opt.Heartbeat.Milliseconds()})
		c.first(c.after)
	}
	return true
}

// first sends a packet that a fault asked for, and reports whether nothing else follows it.
func (c *conn) first(p FirstPacket) (ends bool) {
	switch p {
	case PacketReconnect:
		c.sendLocked(opReconnect, nil)
	case PacketInvalid:
		c.invalidateLocked(false)
	case PacketInvalidResume:
		c.invalidateLocked(true)
	case PacketAck:
		c.sendLocked(opHeartbeatAck, nil)
	case PacketHeartbeat:
		c.sendLocked(opHeartbeat, nil)
	case PacketEvent:
		c.push(frame{data: rules.Encode(map[string]any{"op": opDispatch, "t": "TYPING_START", "s": 1, "d": map[string]any{
			"channel_id": "1", "user_id": "1", "timestamp": c.gateway.world.Clock().Now().Unix(),
		}})})
	case PacketClose:
		c.closeWith(4000, "Unknown error.")
	case PacketConnectionLoss:
		c.cut()
	}
	return p != PacketAck && p != PacketHeartbeat && p != PacketEvent
}

// read handles what the client sends until the connection ends.
func (c *conn) read() {
	c.ws.SetReadLimit(1 << 20)
	c.ws.SetCloseHandler(func(int, string) error { return nil })
	for {
		// A client that misses two heartbeats and a half is gone.
		if !c.silent {
			_ = c.ws.SetReadDeadline(time.Now().Add(c.gateway.opt.Heartbeat*5/2 + time.Second))
		}
		_, data, err := c.ws.ReadMessage()
		c.handle(data, err)
		if err != nil {
			return
		}
	}
}

// handle takes one payload, or the end of the connection.
func (c *conn) handle(data []byte, err error) {
	defer c.gateway.world.Hold()()
	if err == nil {
		c.receive(data)
	} else if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		if closed.Code == websocket.CloseNormalClosure || closed.Code == websocket.CloseGoingAway {
			c.endSession() // documented: these two make the session invalid
		}
		if !c.ending {
			// An answer to the close frame, as a websocket owes one.
			c.push(frame{code: closed.Code})
		}
	} else if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		c.closeWith(closeTimedOut, "Session timed out.")
	}
}

// hangUp takes the connection away; its session waits to be resumed.
func (g *Gateway) hangUp(c *conn) {
	defer g.world.Hold()()
	delete(g.conns, c)
	g.world.Tell(Counted)
	if c.session != nil && c.session.conn == c {
		c.session.lose()
		g.world.Log().Info("disconnected", "bot", c.session.app.Name())
		g.world.Tell(Lost)
	}
	c.push(frame{}) // ends the writer, and with it the socket
}

// write sends what is queued, in order.
func (c *conn) write() {
	defer c.gateway.wg.Done()
	defer func() { _ = c.ws.Close() }()
	for {
		release := c.gateway.world.Hold()
		queue := c.queue
		c.queue = nil
		release()
		for _, f := range queue {
			_ = c.ws.SetWriteDeadline(time.Now().Add(10 * time.Second))
			kind := websocket.TextMessage
			switch {
			case f.code != 0:
				_ = c.ws.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(f.code, f.text))
				c.linger()
				return
			case f.data == nil:
				return
			case c.stream != nil:
				kind, f.data = websocket.BinaryMessage, c.stream.Frame(f.data)
			case f.binary:
				kind = websocket.BinaryMessage
			}
			if c.ws.WriteMessage(kind, f.data) != nil {
				return
			}
		}
		<-c.wake
	}
}

// linger leaves the client a moment to read the close frame before the socket
// is closed: until it answers or hangs up, which ends the reader.
func (c *conn) linger() {
	late := time.After(2 * time.Second)
	for {
		select {
		case <-c.wake:
			release := c.gateway.world.Hold()
			over := len(c.queue) > 0 && c.queue[len(c.queue)-1].data == nil
			release()
			if over {
				return
			}
		case <-late:
			return
		case <-c.gateway.world.Closing().Done():
			return
		}
	}
}

// push queues a frame.
func (c *conn) push(f frame) {
	c.queue = append(c.queue, f)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// sendLocked queues a payload that is no dispatch. A half-open link still says hello.
func (c *conn) sendLocked(op int, d any) {
	if c.mute && op != opHello || c.ending {
		return
	}
	c.push(c.frame(rules.Encode(map[string]any{"op": op, "d": d, "s": nil, "t": nil})))
}

// closeWith ends the connection with a close frame; code 0 sends one without a
// code. The codes after which Discord wants a new session end the session.
func (c *conn) closeWith(code int, text string) {
	if c.ending {
		return
	}
	c.ending = true
	c.gateway.logClosed(code, text)
	switch code {
	case closeAuthentication, closeInvalidSeq, closeTimedOut, closeInvalidShard, closeShardingNeeded,
		closeVersion, closeInvalidIntents, closeIntents:
		c.endSession()
	}
	if code <= 0 {
		code = websocket.CloseNoStatusReceived // which is written as no code
	}
	c.push(frame{code: code, text: text})
}

// cut ends the TCP connection without a word.
func (c *conn) cut() { _ = c.ws.NetConn().Close() }

// invalidateLocked says that the session is invalid; unless resumable it is gone.
func (c *conn) invalidateLocked(resumable bool) {
	c.sendLocked(opInvalidSession, resumable)
	if resumable {
		if c.session != nil {
			c.session.lose()
			c.session = nil
		}
		return
	}
	c.endSession()
}

// endSession makes the session impossible to resume.
func (c *conn) endSession() {
	if c.session != nil {
		delete(c.gateway.open, c.session.id)
		c.session.conn = nil
		c.session = nil
		c.gateway.world.Tell(Lost)
	}
}

// eachConn does f to all connections, as a fault: what is pending is excused.
func (g *Gateway) eachConn(f func(*conn)) {
	defer g.world.Hold()()
	g.world.Excuse(true)
	for c := range g.conns {
		f(c)
	}
}

// Cut ends all connections. The world's lock is held.
func (g *Gateway) Cut() {
	for c := range g.conns {
		c.cut()
	}
}

// Wait waits for the end of all connections.
func (g *Gateway) Wait() { g.wg.Wait() }

// Sessions returns how many Gateway sessions are connected and ready now.
func (g *Gateway) Sessions() int {
	return len(g.Shards())
}

// Ready returns how many sessions of an application are ready. The world's lock is held.
func (g *Gateway) Ready(a App) int {
	n := 0
	for _, x := range g.open {
		if x.ready && x.app == a {
			n++
		}
	}
	return n
}

// Connections returns how many Gateway connections are open now, whether they
// have a session or not.
func (g *Gateway) Connections() int {
	defer g.world.Hold()()
	return len(g.conns)
}

// Identifies returns how many identifies were taken since the server started.
func (g *Gateway) Identifies() int {
	defer g.world.Hold()()
	return g.starts.Used
}

// logClosed writes why a Gateway connection was closed.
func (g *Gateway) logClosed(code int, reason string) {
	attrs := []any{"code", code, "reason", reason}
	switch code {
	case closeAuthentication:
		attrs = append(attrs, "hint", "the bot sent another token than the one that was printed at start")
	case closeIntents:
		attrs = append(attrs, "hint", "the application does not have a privileged intent that the bot asks for")
	}
	g.world.Log().Warn("gateway closed", attrs...)
}
