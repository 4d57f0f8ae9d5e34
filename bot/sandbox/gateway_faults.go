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

// gatewayFaults is what is armed of faults of the Gateway.
type gatewayFaults struct {
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
