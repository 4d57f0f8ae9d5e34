package gateway

// Operation codes of the Gateway, as specified in Discord's documentation.
const (
	opDispatch     = 0
	opHeartbeat    = 1
	opIdentify     = 2
	opResume       = 6
	opReconnect    = 7
	opInvalid      = 9
	opHello        = 10
	opHeartbeatAck = 11
)

// The events that concern the relay, as named in Discord's documentation.
const (
	eventReady       = "READY"
	eventResumed     = "RESUMED"
	eventInteraction = "INTERACTION_CREATE"
)

// maxPacket bounds one packet. A READY with the 2,500 servers that one shard may
// have is a few hundred kilobytes.
const maxPacket = 8 << 20

// packet is the envelope of everything that either side sends.
type packet struct {
	Op    int    `json:"op"`
	Data  data   `json:"d"`
	Seq   int    `json:"s"` // 0 for none
	Event string `json:"t"`
}
