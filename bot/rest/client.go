package rest

import (
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
	BaseURL       string // API base with its path, without trailing slash; default DefaultBaseURL
	Token         string // bot token, without the word "Bot" before it
	ApplicationID string // needed by webhook and command routes; may come later by SetApplicationID
	UserAgent     string // default DefaultUserAgent

	// Transport carries all requests. By default the client makes its own: kept
	// alive, bounded, answers apart from bot routes.
	Transport http.RoundTripper

	// AnswerTimeout bounds an answer whose context has no deadline; default 2.5 s.
	AnswerTimeout time.Duration
	// RouteTimeout bounds a bot route whose context has no deadline; default 30 s.
	RouteTimeout time.Duration

	// Limits bound what bot routes may wait and send.
	Limits Limits

	Logger *slog.Logger // default: nothing is logged. Only route templates are.

	// OnUnauthorized is called once, in its own goroutine, when Discord refuses
	// the bot token. The bot should stop.
	OnUnauthorized func(error)

	// Observe, if set, is called after every try and before the call returns. It must
	// be quick and safe for concurrent use.
	Observe func(Try)
}

// Try describes one HTTP request that was made, for metrics.
type Try struct {
	Route    string        // method and route template
	Status   int           // 0 if no answer came
	Code     int           // Discord's JSON error code, 0 if none
	Duration time.Duration // until the body was read
	Repeat   int           // 0 for the first try
}

// Client is Discord's HTTP API under one bot token. Its methods are safe for
// concurrent use; none waits longer than its context.
type Client struct {
	base    string
	auth    string // Authorization header of bot routes
	agent   string
	answers *http.Client
	fresh   *http.Client // for answers too, a new connection for each
	routes  *http.Client
	appID   atomic.Pointer[string]

	answerTimeout time.Duration
	routeTimeout  time.Duration

	log     *slog.Logger
	observe func(Try)

	unauthorized   func(error)
	unauthorizedMu sync.Once

	dates   dates
	limits  *limiter
	invalid *invalidCounter
	stats   counters
}

// New makes a client; nothing is sent yet. Close it when it is no longer needed.
func New(o Options) *Client {
	c := &Client{
		base:          strings.TrimRight(or(o.BaseURL, DefaultBaseURL), "/"),
		auth:          "Bot " + strings.TrimPrefix(o.Token, "Bot "),
		agent:         or(o.UserAgent, DefaultUserAgent),
		answerTimeout: or(o.AnswerTimeout, 2500*time.Millisecond),
		routeTimeout:  or(o.RouteTimeout, 30*time.Second),
		log:           o.Logger,
		observe:       o.Observe,
		unauthorized:  o.OnUnauthorized,
		limits:        newLimiter(o.Limits),
		invalid:       newInvalidCounter(o.Limits),
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if o.ApplicationID != "" {
		c.SetApplicationID(o.ApplicationID)
	}
	if o.Transport != nil {
		c.answers, c.fresh, c.routes = newHTTPClient(o.Transport), newHTTPClient(o.Transport), newHTTPClient(o.Transport)
		return c
	}
	// An answer that hangs is tried again on another connection, which needs
	// connections to be separate: with HTTP/2 both tries would share one.
	// Many may be open at once, so that answers do not queue behind those that hang.
	answers := newTransport(64, 512)
	answers.ForceAttemptHTTP2 = false
	answers.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	c.answers = newHTTPClient(answers)
	fresh := answers.Clone()
	fresh.DisableKeepAlives = true
	c.fresh = newHTTPClient(fresh)
	c.routes = newHTTPClient(newTransport(16, 16))
	return c
}

// SetApplicationID tells the client its application id.
func (c *Client) SetApplicationID(id string) { c.appID.Store(&id) }

func (c *Client) applicationID() (string, error) {
	if id := c.appID.Load(); id != nil {
		return *id, nil
	}
	return "", ErrNoApplication
}

// Close drops idle connections. Calls under way end by themselves.
func (c *Client) Close() {
	c.answers.CloseIdleConnections()
	c.routes.CloseIdleConnections()
}

func newHTTPClient(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: rt,
		// A redirect would carry a token to a place that nobody chose.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
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
		MaxIdleConns:        idle,
		MaxIdleConnsPerHost: idle,
		MaxConnsPerHost:     conns,
		IdleConnTimeout:     90 * time.Second,
	}
}

func or[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}
