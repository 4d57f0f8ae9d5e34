package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Server is a Discord on loopback. All its methods, and those of the guilds,
// channels, people, messages and calls that it hands out, may be called by
// several goroutines at once.
type Server struct {
	opt   Options
	clock Clock

	listener net.Listener
	http     *http.Server
	page     http.Handler
	client   *http.Client
	stopped  chan struct{} // closed when Close begins

	mu      sync.Mutex
	changed chan struct{} // closed and renewed at every change, for those who wait
	closed  bool
	ids     snowflakes
	token   string
	appID   string
	bot     *User
	faulty  bool // a Gateway fault has been used: undelivered interactions are excused

	guilds   []*Guild
	channels map[string]*Channel
	users    map[string]*User
	byName   map[string]*User

	messages map[string]*Message
	files    fileStore
	calls    []*Call // the last ones, oldest first
	live     []*Call // those whose token may still work, when not all are kept
	byID     map[string]*Call
	byToken  map[string]*Call
	unasked  bool // AllowUnanswered

	commands commandStore
	gateway  gatewayState
	limits   rateLimits
	faults   faultState
	record   recorder
	subs     subscriptions
}

// Start starts a server for a program; NewServer is the one for tests. The
// caller closes it.
func Start(o Options) (*Server, error) {
	o = o.withDefaults()
	if err := CheckAddr(o.Addr); err != nil {
		return nil, err
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		_ = l.Close()
		return nil, fmt.Errorf("%w: %s", ErrNotLoopback, o.Addr)
	}
	s := &Server{
		opt:      o,
		clock:    o.Clock,
		listener: l,
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second}},
		stopped:  make(chan struct{}),
		changed:  make(chan struct{}),
		token:    o.Token,
		channels: map[string]*Channel{},
		users:    map[string]*User{},
		byName:   map[string]*User{},
		messages: map[string]*Message{},
		byID:     map[string]*Call{},
		byToken:  map[string]*Call{},
	}
	s.appID = s.newID()
	if s.token == "" {
		s.token = newToken(s.appID)
	}
	s.bot = s.addUser(o.BotName, s.appID)
	s.bot.isBot = true
	s.addGuild(o.GuildName)
	s.initCommands()
	s.initGateway()
	s.initLimits()
	if o.Handler != nil {
		s.page = o.Handler(s)
	}
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// NewServer starts a server on a free port of 127.0.0.1 that closes itself when
// the test ends. Each configure function may change the options first. When the
// test ends it fails for every interaction that was never answered, except
// those a fault or AllowUnanswered excuses.
func NewServer(tb TB, configure ...func(*Options)) *Server {
	tb.Helper()
	o := Options{KeepCalls: -1}
	for _, f := range configure {
		f(&o)
	}
	s, err := Start(o)
	if err != nil {
		tb.Fatalf("sandbox: start: %v", err)
	}
	tb.Cleanup(func() {
		tb.Helper()
		for _, c := range s.unanswered() {
			tb.Errorf("sandbox: never answered: %s", c)
		}
		if err := s.Close(); err != nil {
			tb.Errorf("sandbox: close: %v", err)
		}
	})
	return s
}

// Close drops every connection and stops the server. Later calls do nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.stopped)
	s.closeGatewayLocked()
	s.closeCallsLocked()
	s.subs.closeAll()
	s.notifyLocked()
	s.mu.Unlock()
	err := s.http.Close()
	s.gateway.wg.Wait()
	s.client.CloseIdleConnections()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// URL is the server's root, "http://127.0.0.1:port", where the page lives.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// APIURL is the only REST base that the server answers at.
func (s *Server) APIURL() string { return s.URL() + s.opt.BasePath }

// GatewayURL is the address that /gateway gives out.
func (s *Server) GatewayURL() string { return "ws://" + s.listener.Addr().String() + gatewayPath }

// Token is the bot token, without "Bot ".
func (s *Server) Token() string { return s.token }

// AppID is the application's id, which is also the bot user's.
func (s *Server) AppID() string { return s.appID }

// BotUser is the application's own user.
func (s *Server) BotUser() *User { return s.bot }

// Clock is the clock that the server runs on.
func (s *Server) Clock() Clock { return s.clock }

// Advance moves a ManualClock by d. It panics on a server that runs on another
// clock, which is a mistake in the test.
func (s *Server) Advance(d time.Duration) {
	c, ok := s.clock.(*ManualClock)
	if !ok {
		panic("sandbox: Advance needs a ManualClock")
	}
	c.Advance(d)
}

// Session returns a new, unopened discordgo session for the bot, unmodified but
// for a client that sends discordgo's fixed REST base to APIURL and a websocket
// dialer of its own. The caller closes it.
func (s *Server) Session() *discordgo.Session {
	session, err := discordgo.New("Bot " + s.token)
	if err != nil {
		panic(err) // discordgo.New has no way to fail for a token
	}
	session.Client = &http.Client{Transport: s.Transport(), Timeout: 20 * time.Second}
	session.Dialer = &websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	return session
}

// Transport returns a RoundTripper that sends requests for Discord's REST base,
// of any version, to APIURL and passes everything else through.
func (s *Server) Transport() http.RoundTripper { return rewriter{s} }

type rewriter struct{ srv *Server }

func (t rewriter) RoundTrip(req *http.Request) (*http.Response, error) {
	rest, ok := strings.CutPrefix(req.URL.Path, "/api/v")
	if req.URL.Host == "discord.com" && ok {
		_, rest, _ = strings.Cut(rest, "/")
		req = req.Clone(req.Context())
		req.URL.Scheme = "http"
		req.URL.Host = t.srv.listener.Addr().String()
		req.URL.Path = t.srv.opt.BasePath + "/" + rest
		req.URL.RawPath = ""
		req.Host = ""
	}
	return t.srv.client.Transport.RoundTrip(req)
}

// AllowUnanswered keeps the end of the test from failing for interactions that
// were never answered. Call.AllowUnanswered excuses a single one.
func (s *Server) AllowUnanswered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unasked = true
}

// waitLimit bounds, in real time, how long a test waits for anything.
const waitLimit = 20 * time.Second

// WaitFor waits until cond holds and fails the test, naming what, when it did
// not within 20 s of real time. cond is tried again after every change in the
// server and must not call WaitFor.
func (s *Server) WaitFor(tb TB, what string, cond func() bool) {
	tb.Helper()
	if !s.await(waitLimit, cond) {
		tb.Fatalf("sandbox: waited in vain for %s", what)
	}
}

// await reports whether cond came to hold within limit of real time.
func (s *Server) await(limit time.Duration, cond func() bool) bool {
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if cond() {
			return true
		}
		select {
		case <-changed:
		case <-timeout.C:
			return cond()
		case <-s.stopped:
			return cond()
		}
	}
}

// notifyLocked wakes everybody who waits for a change.
func (s *Server) notifyLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) newID() string { return s.ids.next(s.clock.Now()) }

// newToken makes a bot token of Discord's shape: the id, a part for the time and
// a secret, each in base64 and parted by dots.
func newToken(appID string) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(appID)) + "." + secret(4) + "." + secret(27)
}

// secret returns n random bytes in base64.
func secret(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// CheckAddr says what is wrong with an address for Options.Addr before anything
// is started: it must be host:port, and a host other than loopback is ErrNotLoopback.
func CheckAddr(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("sandbox: address %q: %w", addr, err)
	}
	if !loopbackName(host) {
		return fmt.Errorf("%w: %s", ErrNotLoopback, addr)
	}
	return nil
}

// loopbackName reports whether a host is this machine itself. Of names only
// "localhost" is: any other can be pointed at loopback by whoever owns it.
func loopbackName(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
