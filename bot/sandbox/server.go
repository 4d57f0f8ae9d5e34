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

	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/door"
	"tictactoe/bot/sandbox/operations"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/timefactor"

	"tictactoe/bot/sandbox/clock"
)

// Server is a Discord on loopback. All its methods, and those of the guilds,
// channels, people, messages and calls that it hands out, may be called by
// several goroutines at once.
type Server struct {
	opt   Options
	clock clock.Clock

	listener net.Listener
	door     door.Door
	http     *http.Server
	page     http.Handler
	client   *http.Client
	poster   *http.Client    // to endpoints of applications
	stopped  chan struct{}   // closed when Close begins
	closing  context.Context // ends then, too
	stop     context.CancelFunc

	mu      sync.Mutex
	changed chan struct{} // closed and renewed at every change, for those who wait
	closed  bool
	ids     rules.Snowflakes
	apps    []*App
	app     *App // at hand, see at
	owner   *User
	faulty  bool // a Gateway fault has been used: undelivered interactions are excused

	guilds   []*Guild
	channels map[string]*Channel
	users    map[string]*User
	byName   map[string]*User

	messages map[string]*Message
	files    files.Store
	calls    []*Call // the last ones, oldest first
	live     []*Call // those whose token may still work, when not all are kept
	byID     map[string]*Call
	byToken  map[string]*Call
	unasked  bool // AllowUnanswered

	refusedClicks int

	webhooks []*channelWebhook
	gateway  gatewayState
	faults   faultState
	record   recorder
	active   int                           // requests that are being served
	activeAt time.Time                     // when one last began or ended, in real time
	missed   map[operations.Operation]bool // those asked for that are not served
	subs     subscriptions
}

// Start starts a server for a program; NewServer is the one for tests. The
// caller closes it.
func Start(o Options) (*Server, error) {
	o = o.withDefaults()
	open := len(o.AllowHosts) > 0 && o.Key != ""
	if err := CheckAddr(o.Addr); err != nil && (!open || !errors.Is(err, ErrNotLoopback)) {
		return nil, err
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", o.Addr)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	if !open && !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		_ = l.Close()
		return nil, fmt.Errorf("%w: %s", ErrNotLoopback, o.Addr)
	}
	s := &Server{
		opt:      o,
		clock:    o.Clock,
		listener: l,
		door:     door.Door{Addr: l.Addr().String(), Hosts: o.AllowHosts, Key: o.Key},
		client:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second}},
		poster:   &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, IdleConnTimeout: 30 * time.Second}, CheckRedirect: noRedirect},
		stopped:  make(chan struct{}),
		changed:  make(chan struct{}),
		channels: map[string]*Channel{},
		users:    map[string]*User{},
		byName:   map[string]*User{},
		messages: map[string]*Message{},
		byID:     map[string]*Call{},
		byToken:  map[string]*Call{},
		missed:   map[operations.Operation]bool{},
	}
	s.closing, s.stop = context.WithCancel(context.Background())
	s.app = s.newApp(s.newID(), AppOptions{Name: o.BotName, Token: o.Token, Permissions: o.BotPermissions, PrivilegedIntents: o.PrivilegedIntents})
	s.owner = s.addUser("Owner", s.newID())
	s.addGuild(o.GuildName)
	s.initGateway()
	if o.Handler != nil {
		s.page = s.door.Guard(o.Handler(s))
	}
	s.http = &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// NewServer starts a server on a free port of 127.0.0.1 that closes itself when
// the test ends. Each configure function may change the options first. When the
// test ends it fails for every interaction that was never answered, except
// those a fault or AllowUnanswered excuses. What Deadline and Quiet are by default is
// stretched by TEST_TIME_FACTOR; the deadline stays 3 s on a clock of the test's own.
func NewServer(tb TB, configure ...func(*Options)) *Server {
	tb.Helper()
	o := Options{KeepCalls: -1}
	for _, f := range configure {
		f(&o)
	}
	if o.Clock == nil && o.Deadline == 0 {
		o.Deadline = timefactor.Limit(defaultDeadline)
	}
	if o.Quiet == 0 {
		o.Quiet = timefactor.Limit(defaultQuiet)
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
	s.stop()
	s.closeGatewayLocked()
	s.closeCallsLocked()
	s.subs.closeAll()
	s.notifyLocked()
	s.mu.Unlock()
	err := s.http.Close()
	s.gateway.wg.Wait()
	s.client.CloseIdleConnections()
	s.poster.CloseIdleConnections()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// URL is the server's root, "http://127.0.0.1:port", where the page lives.
func (s *Server) URL() string { return "http://" + s.hostPort() }

// hostPort is where this machine reaches the server. One that listens everywhere is
// on loopback, too.
func (s *Server) hostPort() string {
	addr := s.listener.Addr().(*net.TCPAddr)
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(addr.Port))
	}
	return addr.String()
}

// PublicURL is the server's root by the first of Options.AllowHosts, for bots that do
// not run on this machine. Without one it is URL.
func (s *Server) PublicURL() string {
	if len(s.opt.AllowHosts) == 0 {
		return s.URL()
	}
	_, port, _ := net.SplitHostPort(s.hostPort())
	return "http://" + net.JoinHostPort(strings.Trim(s.opt.AllowHosts[0], "[]"), port)
}

// AllowsHost reports whether a Host header names this machine, or is one of
// Options.AllowHosts, on any port.
func (s *Server) AllowsHost(host string) bool { return s.door.Knows(host) }

// APIURL is the REST base. With the default one, bases of version 9 and without a
// version are served as well.
func (s *Server) APIURL() string { return s.URL() + s.opt.BasePath }

// GatewayURL is where the Gateway is. What /gateway gives out has the name by which the
// server was asked.
func (s *Server) GatewayURL() string { return gatewayAt(s.hostPort()) }

func gatewayAt(host string) string { return "ws://" + host + gatewayPath }

// App is the first application, which is there from the start.
func (s *Server) App() *App {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.apps[0]
}

// Token is the first application's bot token, without "Bot ".
func (s *Server) Token() string { return s.App().token }

// AppID is the first application's id, which is also its bot user's.
func (s *Server) AppID() string { return s.App().id }

// PublicKey is the first application's, see App.PublicKey.
func (s *Server) PublicKey() string { return s.App().PublicKey() }

// BotUser is the first application's own user.
func (s *Server) BotUser() *User { return s.App().user }

// Clock is the clock that the server runs on.
func (s *Server) Clock() clock.Clock { return s.clock }

// Advance moves a clock.Manual or clock.Movable by d. It panics on a server that runs
// on another clock, which is a mistake in the test.
func (s *Server) Advance(d time.Duration) {
	c, ok := s.clock.(interface{ Advance(time.Duration) })
	if !ok {
		panic("sandbox: Advance needs a clock that can be moved")
	}
	c.Advance(d)
}

// Session returns a new, unopened discordgo session for the first application's bot;
// see App.Session.
func (s *Server) Session() *discordgo.Session { return s.App().Session() }

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
		req.URL.Host = t.srv.hostPort()
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

// RefusedClicks counts the uses of components that were refused before the bot
// heard of them; see ClicksRefused.
func (s *Server) RefusedClicks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refusedClicks
}

// notifyLocked wakes everybody who waits for a change.
func (s *Server) notifyLocked() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// application is whose requests the server checks.
func (s *Server) application() rules.Application {
	return rules.Application{ID: s.app.id, NewID: s.newID, CDN: s.cdn(), UserInstallOnly: s.opt.UserInstallOnly, GuildInstallOnly: s.opt.GuildInstallOnly}
}

func (s *Server) newID() string { return s.ids.Next(s.clock.Now()) }

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
func CheckAddr(addr string) error { return door.CheckAddr(addr) }

// IsHost reports whether a name can stand in Options.AllowHosts.
func IsHost(name string) bool { return door.IsHost(name) }
