package gateway

import "time"

// The packets for the First... faults.
const (
	PacketReconnect      FirstPacket = "op7"   // op 7
	PacketInvalid        FirstPacket = "op9"   // op 9, not resumable
	PacketInvalidResume  FirstPacket = "op9r"  // op 9, resumable
	PacketAck            FirstPacket = "op11"  // an ACK that nobody asked for
	PacketHeartbeat      FirstPacket = "op1"   // a request for a heartbeat
	PacketEvent          FirstPacket = "event" // a dispatch of an event
	PacketClose          FirstPacket = "close" // a close frame with code 4000
	PacketConnectionLoss FirstPacket = "cut"   // the TCP connection ends
)

// FirstPacket is what a Gateway says in place of, or before, what was expected.
type FirstPacket string

// Faults are what goes wrong with a Gateway on purpose. Its methods may be called by several
// goroutines at once.
type Faults struct {
	gateway *Gateway
	armed   armed
}

// armed is what will go wrong, by the names of the faults.
type armed struct {
	left      map[string]int           // how many more times those strike that are counted
	packets   map[string][]FirstPacket // what the First... faults say, one connection after the other
	lasting   map[string]bool
	delay     time.Duration // of everything that is told
	invalidOK bool          // InvalidSession leaves sessions to be resumed
}

func nothingArmed() armed {
	return armed{left: map[string]int{}, packets: map[string][]FirstPacket{}, lasting: map[string]bool{}}
}

// strikes reports whether a fault that is counted strikes now.
func (a *armed) strikes(name string) bool {
	if a.left[name] <= 0 {
		return false
	}
	a.left[name]--
	return true
}

// takeFirst removes and returns the first packet of a fault, "" when there is none.
func (a *armed) takeFirst(name string) FirstPacket {
	if len(a.packets[name]) == 0 {
		return ""
	}
	p := a.packets[name][0]
	a.packets[name] = a.packets[name][1:]
	return p
}

// set changes what is armed.
func (f *Faults) set(change func(*armed)) {
	defer f.gateway.world.Hold()()
	f.gateway.world.Excuse(false)
	change(&f.armed)
	f.gateway.world.Tell(FaultsChanged)
}

// Armed is how many more times the fault of that name will strike; -1 for one that lasts. The
// world's lock is held.
func (f *Faults) Armed(name string) int {
	if name != "NoAcks" && f.armed.lasting[name] {
		return -1
	}
	return f.armed.left[name] + len(f.armed.packets[name])
}

// more arms a fault for n more times, once if n is left out, or for a packet.
func (f *Faults) more(name string, n ...int) {
	f.set(func(a *armed) { a.left[name] += append(n, 1)[0] })
}

func (f *Faults) packet(name string, p FirstPacket) {
	f.set(func(a *armed) { a.packets[name] = append(a.packets[name], p) })
}

func (f *Faults) last(name string, on bool) {
	f.set(func(a *armed) { a.lasting[name] = on })
}

// Disarm disarms everything. The world's lock is held.
func (f *Faults) Disarm() {
	f.armed = nothingArmed()
	for c := range f.gateway.conns {
		c.mute = false
	}
}

// Revoked reports whether no token is right. The world's lock is held, as for what follows.
func (f *Faults) Revoked() bool { return f.armed.lasting["RevokeToken"] }

// Redelivers reports whether the interaction at hand is delivered twice.
func (f *Faults) Redelivers() bool { return f.armed.strikes("RedeliverNext") }

// Delay is for how long everything that is told is held back.
func (f *Faults) Delay() time.Duration { return f.armed.delay }

// RevokeToken makes the bot token wrong: 401 on every route that carries it,
// close code 4004 for sessions and for those who identify or resume.
func (f *Faults) RevokeToken() {
	f.last("RevokeToken", true)
	f.CloseGateway(closeAuthentication)
}

// RedeliverNext delivers each of the next n interactions (one if left out) twice.
func (f *Faults) RedeliverNext(n ...int) { f.more("RedeliverNext", n...) }

// DelayDelivery holds back every event of the Gateway for d on the server's
// clock, while an interaction's deadline already runs; 0 ends it.
func (f *Faults) DelayDelivery(d time.Duration) {
	f.set(func(a *armed) { a.delay, a.lasting["DelayDelivery"] = d, d > 0 })
}

// DropGateway ends the TCP connections of all sessions without a close frame.
// The sessions can be resumed.
func (f *Faults) DropGateway() { f.gateway.eachConn(func(c *conn) { c.cut() }) }

// CloseGateway closes all sessions with that close code, 0 for a close frame
// without one. After 4004, 4007, 4009 and 4010 to 4014 a session cannot be resumed.
func (f *Faults) CloseGateway(code int) {
	f.gateway.eachConn(func(c *conn) { c.closeWith(code, "") })
}

// DropShard ends the TCP connections of a shard's sessions without a close frame.
// They can be resumed.
func (f *Faults) DropShard(shard int) { f.gateway.eachOf(shard, (*conn).cut) }

// CloseShard closes a shard's sessions with that close code; see CloseGateway.
func (f *Faults) CloseShard(shard, code int) {
	f.gateway.eachOf(shard, func(c *conn) { c.closeWith(code, "") })
}

// ReconnectOp7 asks all sessions to reconnect.
func (f *Faults) ReconnectOp7() {
	f.gateway.eachConn(func(c *conn) { c.sendLocked(opReconnect, nil) })
}

// InvalidSession sends op 9 to all sessions; unless resumable they cannot be
// resumed afterwards. With n the next n identifies or resumes are answered so too.
func (f *Faults) InvalidSession(resumable bool, n ...int) {
	f.set(func(g *armed) {
		g.invalidOK = resumable
		if len(n) > 0 {
			g.left["InvalidSession"] += n[0]
		}
	})
	f.gateway.eachConn(func(c *conn) { c.invalidateLocked(resumable) })
}

// SilentGateway makes the next n Gateway connections (one if left out) be
// accepted and never hear anything.
func (f *Faults) SilentGateway(n ...int) { f.more("SilentGateway", n...) }

// NoHello makes the next n connections wait for Hello in vain; what they send is
// still read.
func (f *Faults) NoHello(n ...int) { f.more("NoHello", n...) }

// NoReady makes the next n identifies be taken without READY and the next
// resumes without RESUMED.
func (f *Faults) NoReady(n ...int) { f.more("NoReady", n...) }

// NoAcks stops the answers to heartbeats, and every event, on all connections
// that are open now and, while on is true, on later ones: links that are half open.
func (f *Faults) NoAcks(on bool) {
	f.last("NoAcks", on)
	f.gateway.eachConn(func(c *conn) { c.mute = on })
}

// FirstPacketInsteadOfHello sends p to the next connection and no Hello.
func (f *Faults) FirstPacketInsteadOfHello(p FirstPacket) { f.packet("FirstPacketInsteadOfHello", p) }

// FirstPacketAfterHello sends p to the next connection right after Hello, before
// it could identify.
func (f *Faults) FirstPacketAfterHello(p FirstPacket) { f.packet("FirstPacketAfterHello", p) }

// FirstPacketAfterIdentify sends p before READY at the next identify; after a p
// that ends a session there is no READY.
func (f *Faults) FirstPacketAfterIdentify(p FirstPacket) { f.packet("FirstPacketAfterIdentify", p) }

// FirstPacketAfterResume sends p before the replay at the next resume; after a
// p that ends a session there is no RESUMED.
func (f *Faults) FirstPacketAfterResume(p FirstPacket) { f.packet("FirstPacketAfterResume", p) }

// RefuseResume answers the next n resumes (one if left out) with op 9 false.
func (f *Faults) RefuseResume(n ...int) { f.more("RefuseResume", n...) }

// RefuseUpgrade answers the next n websocket handshakes with 503.
func (f *Faults) RefuseUpgrade(n ...int) { f.more("RefuseUpgrade", n...) }

// CompressedFrames sends everything as binary frames of one zlib stream each to
// sessions that identified with compress, while on is true.
func (f *Faults) CompressedFrames(on bool) { f.last("CompressedFrames", on) }

// UnknownEvents puts an unknown event, an unknown op and unknown fields before
// every dispatch while on is true.
func (f *Faults) UnknownEvents(on bool) { f.last("UnknownEvents", on) }

// HalfOpen is NoAcks for the connections that are open now, and for no later one.
func (f *Faults) HalfOpen() {
	f.set(func(*armed) {})
	f.gateway.eachConn(func(c *conn) { c.mute = true })
}
