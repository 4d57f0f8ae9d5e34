package gateway

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gorilla/websocket"
)

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

// maxPacket bounds one packet, also after decompression. A READY with the 2,500
// servers that one shard may have is a few hundred kilobytes.
const maxPacket = 8 << 20

// packet is the envelope of everything that either side sends.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int64          `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

var errPacketTooLarge = errors.New("packet too large")

// parsePacket reads a frame. A binary one is a complete zlib stream, which Discord
// may send to clients that allow payload compression.
func parsePacket(frame int, raw []byte) (packet, error) {
	if frame == websocket.BinaryMessage {
		plain, err := inflate(raw)
		if err != nil {
			return packet{}, err
		}
		raw = plain
	}
	var p packet
	if err := json.Unmarshal(raw, &p); err != nil {
		return packet{}, fmt.Errorf("decode packet: %w", err)
	}
	return p, nil
}

func inflate(raw []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("decompress packet: %w", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, maxPacket+1))
	if err != nil {
		return nil, fmt.Errorf("decompress packet: %w", err)
	}
	if len(plain) > maxPacket {
		return nil, errPacketTooLarge
	}
	return plain, z.Close()
}

// ready is what a READY is reduced to before the session sees it: the session
// stops the whole program over a null among the guilds, and needs none of them.
type ready struct {
	Version     int             `json:"v"`
	User        json.RawMessage `json:"user,omitempty"`
	Application json.RawMessage `json:"application,omitempty"`
	Guilds      []struct{}      `json:"guilds"`
	SessionID   string          `json:"session_id"`
	ResumeURL   string          `json:"resume_gateway_url,omitempty"`
}

func parseReady(data json.RawMessage) (ready, error) {
	var in struct {
		ready
		Guilds json.RawMessage `json:"guilds"` // shadows the field above: not decoded
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return ready{}, fmt.Errorf("decode READY: %w", err)
	}
	out := in.ready
	out.Guilds = []struct{}{}
	return out, nil
}
