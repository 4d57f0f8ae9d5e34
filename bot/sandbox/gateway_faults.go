package sandbox

import "slices"

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

// gatewayFaults are what goes wrong with a Gateway on purpose. Its methods may be called by several
// goroutines at once.
type gatewayFaults struct {
	gateway *Gateway
	armed   gatewayArmed
}

// gatewayArmed is what will go wrong.
type gatewayArmed struct {
	refuseUp    int // websocket handshakes refused
	invalid     int // sessions answered with op 9 at identify
	invalidOK   bool
	silent      int
	noHello     int
	noReady     int
	noAcks      bool
	refuse      int // resumes answered with op 9 false
	forHello    []FirstPacket
	afterHello  []FirstPacket
	afterIdent  []FirstPacket
	afterResume []FirstPacket
	compressed  bool
	unknown     bool
}

// takeFirst removes and returns the first of list, "" when there is none.
func takeFirst(list *[]FirstPacket) FirstPacket {
	if len(*list) == 0 {
		return ""
	}
	p := (*list)[0]
	*list = slices.Delete(*list, 0, 1)
	return p
}

// set changes what is armed.
func (f *gatewayFaults) set(change func(*gatewayArmed)) {
	f.gateway.world.mu.Lock()
	defer f.gateway.world.mu.Unlock()
	f.gateway.world.trouble.lost = true
	change(&f.armed)
	f.gateway.world.publishLocked(Event{Kind: EventFaultsChanged})
}

// Armed is how many more times the fault of that name will strike; -1 for one that lasts. The
// world's lock is held.
func (f *gatewayFaults) Armed(name string) int {
	a := &f.armed
	if name == "CompressedFrames" && a.compressed || name == "UnknownEvents" && a.unknown {
		return -1
	}
	return map[string]int{
		"InvalidSession": a.invalid, "SilentGateway": a.silent, "NoHello": a.noHello, "NoReady": a.noReady,
		"FirstPacketAfterHello": len(a.afterHello), "FirstPacketAfterIdentify": len(a.afterIdent), "FirstPacketAfterResume": len(a.afterResume),
		"RefuseResume": a.refuse, "RefuseUpgrade": a.refuseUp,
	}[name]
}

// Disarm disarms everything. The world's lock is held.
func (f *gatewayFaults) Disarm() {
	f.armed = gatewayArmed{}
	for c := range f.gateway.conns {
		c.mute = false
	}
}

// DropGateway ends the TCP connections of all sessions without a close frame.
// The sessions can be resumed.
func (f *gatewayFaults) DropGateway() { f.gateway.eachConn(func(c *gatewayConn) { c.cut() }) }

// CloseGateway closes all sessions with that close code, 0 for a close frame
// without one. After 4004, 4007, 4009 and 4010 to 4014 a session cannot be resumed.
func (f *gatewayFaults) CloseGateway(code int) {
	f.gateway.eachConn(func(c *gatewayConn) { c.closeWith(code, "") })
}

// DropShard ends the TCP connections of a shard's sessions without a close frame.
// They can be resumed.
func (f *gatewayFaults) DropShard(shard int) { f.gateway.eachOf(shard, (*gatewayConn).cut) }

// CloseShard closes a shard's sessions with that close code; see CloseGateway.
func (f *gatewayFaults) CloseShard(shard, code int) {
	f.gateway.eachOf(shard, func(c *gatewayConn) { c.closeWith(code, "") })
}

// ReconnectOp7 asks all sessions to reconnect.
func (f *gatewayFaults) ReconnectOp7() {
	f.gateway.eachConn(func(c *gatewayConn) { c.sendLocked(opReconnect, nil) })
}

// InvalidSession sends op 9 to all sessions; unless resumable they cannot be
// resumed afterwards. With n the next n identifies or resumes are answered so too.
func (f *gatewayFaults) InvalidSession(resumable bool, n ...int) {
	f.set(func(g *gatewayArmed) {
		g.invalidOK = resumable
		if len(n) > 0 {
			g.invalid += n[0]
		}
	})
	f.gateway.eachConn(func(c *gatewayConn) { c.invalidateLocked(resumable) })
}

// SilentGateway makes the next n Gateway connections (one if left out) be
// accepted and never hear anything.
func (f *gatewayFaults) SilentGateway(n ...int) {
	f.set(func(g *gatewayArmed) { g.silent += times(n) })
}

// NoHello makes the next n connections wait for Hello in vain; what they send is
// still read.
func (f *gatewayFaults) NoHello(n ...int) {
	f.set(func(g *gatewayArmed) { g.noHello += times(n) })
}

// NoReady makes the next n identifies be taken without READY and the next
// resumes without RESUMED.
func (f *gatewayFaults) NoReady(n ...int) {
	f.set(func(g *gatewayArmed) { g.noReady += times(n) })
}

// NoAcks stops the answers to heartbeats, and every event, on all connections
// that are open now and, while on is true, on later ones: links that are half open.
func (f *gatewayFaults) NoAcks(on bool) {
	f.set(func(g *gatewayArmed) { g.noAcks = on })
	f.gateway.eachConn(func(c *gatewayConn) { c.mute = on })
}

// FirstPacketInsteadOfHello sends p to the next connection and no Hello.
func (f *gatewayFaults) FirstPacketInsteadOfHello(p FirstPacket) {
	f.set(func(g *gatewayArmed) { g.forHello = append(g.forHello, p) })
}

// FirstPacketAfterHello sends p to the next connection right after Hello, before
// it could identify.
func (f *gatewayFaults) FirstPacketAfterHello(p FirstPacket) {
	f.set(func(g *gatewayArmed) { g.afterHello = append(g.afterHello, p) })
}

// FirstPacketAfterIdentify sends p before READY at the next identify; after a p
// that ends a session there is no READY.
func (f *gatewayFaults) FirstPacketAfterIdentify(p FirstPacket) {
	f.set(func(g *gatewayArmed) { g.afterIdent = append(g.afterIdent, p) })
}

// FirstPacketAfterResume sends p before the replay at the next resume; after a
// p that ends a session there is no RESUMED.
func (f *gatewayFaults) FirstPacketAfterResume(p FirstPacket) {
	f.set(func(g *gatewayArmed) { g.afterResume = append(g.afterResume, p) })
}

// RefuseResume answers the next n resumes (one if left out) with op 9 false.
func (f *gatewayFaults) RefuseResume(n ...int) {
	f.set(func(g *gatewayArmed) { g.refuse += times(n) })
}

// RefuseUpgrade answers the next n websocket handshakes with 503.
func (f *gatewayFaults) RefuseUpgrade(n ...int) {
	f.set(func(g *gatewayArmed) { g.refuseUp += times(n) })
}

// CompressedFrames sends everything as binary frames of one zlib stream each to
// sessions that identified with compress, while on is true.
func (f *gatewayFaults) CompressedFrames(on bool) {
	f.set(func(g *gatewayArmed) { g.compressed = on })
}

// UnknownEvents puts an unknown event, an unknown op and unknown fields before
// every dispatch while on is true.
func (f *gatewayFaults) UnknownEvents(on bool) { f.set(func(g *gatewayArmed) { g.unknown = on }) }

// HalfOpen is NoAcks for the connections that are open now, and for no later one.
func (f *gatewayFaults) HalfOpen() {
	f.set(func(*gatewayArmed) {})
	f.gateway.eachConn(func(c *gatewayConn) { c.mute = true })
}
