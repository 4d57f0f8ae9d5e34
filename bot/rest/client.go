package rest

import (
	"cmp"
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// DefaultBaseURL is Discord's API, in the version that this package speaks.
const DefaultBaseURL = "https://discord.com/api/v10"

// DefaultUserAgent has the form that Discord's documentation requires of bots.
const DefaultUserAgent = "DiscordBot (https://github.com/bwmarrin/discordgo, 0.29.0) tictactoe"

// Options are the settings of a Client. The zero value of every field but Token
// is usable.
type Options struct {
	BaseURL string // API base with its path, without trailing slash; default DefaultBaseURL
	Token   string // bot token, without the word "Bot" before it

	// Transport carries all requests. By default the client makes its own: kept
	// alive, bounded, answers apart from bot routes.
	Transport http.RoundTripper

	// AnswerTimeout bounds an answer whose context has no deadline; default 2.5 s.
	AnswerTimeout time.Duration

	// Limits bound what bot routes may wait and send.
	Limits Limits

	Logger *slog.Logger // default: nothing is logged. Only route templates are.

	// Observer, if set, is told of every request.
	Observer Observer

	// Quirks, if set, have a say in how messages are sent. Its methods are called by several
	// goroutines at once.
	Quirks Quirks

	// OnUnauthorized is called once, in its own goroutine, when Discord refuses
	// the bot token. The bot should stop.
	OnUnauthorized func(error)
}

// Observer is told of requests, for figures. Its methods are called by several
// goroutines at once and must be quick.
type Observer interface {
	// Requested is told of every try: the route's template with its method, the status,
	// 0 without an answer, and the time that it took.
	Requested(route string, status int, took time.Duration)
	// Waited is told of a call that had to wait for its turn, or was not made because
	// that was too long.
	Waited(route string, wait time.Duration)
}

// Quirks know how messages are sent to a Discord that takes them otherwise than documented.
type Quirks interface {
	// Fit returns the body of a request as it is sent.
	Fit(body []byte) []byte
	// Refused is told of a body that Discord calls invalid, with its answer, and reports
	// whether Fit makes another one of it now, which is sent at once.
	Refused(body, answer []byte) bool
	// Answered is told of a body that was taken, with the answer.
	Answered(body, answer []byte)
}

// Client is Discord's HTTP API under one bot token. Its methods are safe for
// concurrent use; none waits longer than its context.
type Client struct {
	base    string
	auth    []string // Authorization header of bot routes
	agent   []string // User-Agent header
	answers http.RoundTripper
	fresh   http.RoundTripper // for further tries of answers, a new connection for each: those that were open may hang together
	routes  http.RoundTripper
	appID   atomic.Pointer[string]

	opts         Options // with the defaults of times and of the log
	unauthorized sync.Once

	dates   *dates
	reach   *reach
	limits  *limiter
	invalid *invalidCounter
}

// New makes a client; nothing is sent yet. Close it when it is no longer needed.
func New(o Options) *Client {
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, 2500*time.Millisecond)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	c := &Client{
		base:    strings.TrimRight(cmp.Or(o.BaseURL, DefaultBaseURL), "/"),
		auth:    []string{"Bot " + strings.TrimPrefix(o.Token, "Bot ")},
		agent:   []string{DefaultUserAgent},
		opts:    o,
		limits:  newLimiter(o.Limits),
		invalid: newInvalidCounter(o.Limits),
		dates:   newDates(time.Now()),
	}
	c.reach = &reach{probe: c.ask}
	c.reach.life, c.reach.end = context.WithCancel(context.Background())
	if o.Transport != nil {
		c.answers, c.fresh, c.routes = o.Transport, o.Transport, o.Transport
		return c
	}
	// An answer that hangs is tried again on another connection, which needs
	// connections to be separate: with HTTP/2 both tries would share one.
	// Many may be open at once, so that answers do not queue behind those that hang.
	answers := newTransport(64, 512)
	answers.ForceAttemptHTTP2 = false
	answers.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	fresh := answers.Clone()
	fresh.DisableKeepAlives = true
	c.answers, c.fresh, c.routes = answers, fresh, newTransport(16, 16)
	return c
}

// SetApplicationID tells the client its application id, which webhook and command routes need.
func (c *Client) SetApplicationID(id string) { c.appID.Store(&id) }

// Close drops idle connections and asks Discord nothing by itself any more. Calls
// under way end by themselves.
func (c *Client) Close() {
	c.reach.end()
	for _, rt := range []http.RoundTripper{c.answers, c.routes} {
		if idle, ok := rt.(interface{ CloseIdleConnections() }); ok {
			idle.CloseIdleConnections()
		}
	}
}

// newTransport returns a transport with at most conns connections, idle of which
// are kept when there is nothing to do.
func newTransport(idle, conns int) *http.Transport {
	dialer := &net.Dialer{Timeout: 2 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		ForceAttemptHTTP2:   true,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
		TLSHandshakeTimeout: 2 * time.Second,
		WriteBufferSize:     8 << 10, // the largest board in one write
		MaxIdleConns:        idle,
		MaxIdleConnsPerHost: idle,
		MaxConnsPerHost:     conns,
		IdleConnTimeout:     90 * time.Second,
	}
}
