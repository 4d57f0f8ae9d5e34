package gateway

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// localURL is where a session believes the Gateway to be. Nothing resolves it:
// the session's dialer returns a pipe whatever the address.
const localURL = "ws://relay.invalid"

// newSession makes a discordgo session that will talk to far, and to nothing else.
func (s *Supervisor) newSession(far net.Conn) *discordgo.Session {
	token := s.token()
	session, _ := discordgo.New(token) // it has no way to fail
	session.StateEnabled = false
	if s.opts.configure != nil {
		s.opts.configure(session)
	}
	session.Token, session.Identify.Token = token, token
	session.ShardID, session.ShardCount = s.opts.ShardID, s.opts.ShardCount
	session.Identify.Intents = discordgo.IntentsNone
	session.Compress = false               // packets are small, and the relay does not unpack them
	session.ShouldReconnectOnError = false // the supervisor does, with a new session
	session.SyncEvents = false             // a handler must not hold up the connection
	session.LogLevel = -1                  // its log quotes tokens and payloads; the relay logs instead
	session.Client = &http.Client{Transport: gatewayAnswer{}}
	session.Dialer = &websocket.Dialer{
		HandshakeTimeout: s.timing.Dial,
		NetDialContext:   func(context.Context, string, string) (net.Conn, error) { return far, nil },
	}
	return session
}

func (s *Supervisor) token() string { return "Bot " + strings.TrimPrefix(s.opts.Token, "Bot ") }

// gatewayAnswer answers GET /gateway, which a session asks before it dials. It asks nothing else.
type gatewayAnswer struct{}

func (gatewayAnswer) RoundTrip(req *http.Request) (*http.Response, error) {
	body := io.NopCloser(strings.NewReader(`{"url":"` + localURL + `"}`))
	return &http.Response{StatusCode: http.StatusOK, Body: body, Request: req}, nil
}

// accept answers the WebSocket handshake that a session makes over conn.
func accept(conn net.Conn, timeout time.Duration) (*websocket.Conn, error) {
	_ = conn.SetDeadline(time.Now().Add(timeout)) // until the upgrade; fails only if closed: reading tells
	buf := bufio.NewReader(conn)
	req, err := http.ReadRequest(buf)
	if err != nil {
		return nil, err
	}
	up := websocket.Upgrader{}
	return up.Upgrade(hijacked{conn, buf}, req, nil)
}

// hijacked is the little of a response writer that an upgrade needs.
type hijacked struct {
	conn net.Conn
	buf  *bufio.Reader
}

func (h hijacked) Header() http.Header         { return http.Header{} }
func (h hijacked) Write(b []byte) (int, error) { return len(b), nil }
func (h hijacked) WriteHeader(int)             {}

func (h hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return h.conn, bufio.NewReadWriter(h.buf, bufio.NewWriter(h.conn)), nil
}
