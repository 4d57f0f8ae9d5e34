package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/internal/door"
	"tictactoe/bot/sandbox/internal/gateway"
	"tictactoe/bot/sandbox/internal/post"
	"tictactoe/bot/sandbox/internal/rest"
	"tictactoe/bot/sandbox/timefactor"
)

// Server is a Discord on loopback. It has the methods of its World, too. All its methods, and
// those of what it hands out, may be called by several goroutines at once.
type Server struct {
	*world
	listener  net.Listener
	door      door.Door
	http      *http.Server
	page      http.Handler
	transport *http.Transport
}

// world is a World, as a server has one without giving it away as a field.
type world = World

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
		listener:  l,
		door:      door.Door{Addr: l.Addr().String(), Hosts: o.AllowHosts, Key: o.Key},
		transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 30 * time.Second},
	}
	s.world = newWorld(o.World, o.Log)
	s.public = s.PublicURL()
	s.gateway = &Gateway{gateway.New(gatewayWorld{outside{s.world}}, o.Gateway, s.hostPort()), s.world}
	s.rest = &REST{API: rest.New(restWorld{outside{s.world}}, o.REST, endpoints), world: s.world, poster: post.New(s.door.Knows)}
	if o.Handler != nil {
		s.page = s.door.Guard(o.Handler(s))
	}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// Faults are what goes wrong on purpose.
func (s *Server) Faults() *Faults { return &Faults{s.gateway.Faults(), s.rest.Faults(), s.world} }

// Gateway is where bots connect.
func (s *Server) Gateway() *Gateway { return s.gateway }

// REST is the API that bots ask.
func (s *Server) REST() *REST { return s.rest }

// World is everybody and everything that there is.
func (s *Server) World() *World { return s.world }

// serve serves everything: the Gateway, the API, and the page elsewhere.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case !s.door.Serves(r.Host):
		http.Error(w, "sandbox: this name is none of this machine's own, and not among the allowed hosts", http.StatusForbidden)
	case r.URL.Path == gateway.Path || r.URL.Path == gateway.Path+"/":
		s.gateway.ServeHTTP(w, r)
	case r.URL.Path == "/api" || strings.HasPrefix(r.URL.Path, "/api/"):
		s.rest.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, "/attachments/") || strings.HasPrefix(r.URL.Path, "/ephemeral-attachments/"):
		s.rest.serveAttachment(w, r)
	case s.page == nil:
		http.NotFound(w, r)
	case !door.OwnOrigin(r):
		http.Error(w, "sandbox: requests of other sites are refused", http.StatusForbidden)
	default:
		s.page.ServeHTTP(w, r)
	}
}

// NewServer starts a server on a free port of 127.0.0.1 that closes itself when
// the test ends. Each configure function may change the options first. When the
// test ends it fails for every interaction that was never answered, except
// those a fault or AllowUnanswered excuses. What Deadline and Quiet are by default is
// stretched by TEST_TIME_FACTOR; the deadline stays 3 s on a clock of the test's own.
func NewServer(tb TB, configure ...func(*Options)) *Server {
	tb.Helper()
	o := Options{World: WorldOptions{KeepCalls: -1}}
	for _, f := range configure {
		f(&o)
	}
	if o.World.Clock == nil && o.World.Deadline == 0 {
		o.World.Deadline = timefactor.Limit(DefaultDeadline)
	}
	if o.World.Quiet == 0 {
		o.World.Quiet = timefactor.Limit(DefaultQuiet)
	}
	s, err := Start(o)
	if err != nil {
		tb.Fatalf("sandbox: start: %v", err)
	}
	tb.Cleanup(func() {
		tb.Helper()
		for _, c := range held(s.world, s.unanswered) {
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
	if !s.close() {
		return nil
	}
	err := s.http.Close()
	s.gateway.Wait()
	s.rest.posts.Wait()
	s.transport.CloseIdleConnections()
	s.rest.poster.Close()
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
	if len(s.door.Hosts) == 0 {
		return s.URL()
	}
	_, port, _ := net.SplitHostPort(s.hostPort())
	return "http://" + net.JoinHostPort(strings.Trim(s.door.Hosts[0], "[]"), port)
}

// AllowsHost reports whether a Host header names this machine, or is one of
// Options.AllowHosts, on any port.
func (s *Server) AllowsHost(host string) bool { return s.door.Knows(host) }

// APIURL is the REST base. Bases of version 9 and without a version are served as well.
func (s *Server) APIURL() string { return s.URL() + rest.Base }

// App is the first application, which is there from the start.
func (s *Server) App() *App {
	defer s.hold()()
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
	s.clock.(interface{ Advance(time.Duration) }).Advance(d)
}

// Session returns a new, unopened discordgo session for the first application's bot; see
// SessionOf.
func (s *Server) Session() *discordgo.Session { return s.SessionOf(s.App()) }

// SessionOf returns a new, unopened discordgo session for an application's bot, unmodified
// but for a client that sends discordgo's fixed REST base to APIURL and a websocket
// dialer of its own. The caller closes it.
func (s *Server) SessionOf(a *App) *discordgo.Session {
	session, err := discordgo.New("Bot " + a.token)
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
	version, ok := strings.CutPrefix(req.URL.Path, "/api/v")
	if req.URL.Host == "discord.com" && ok {
		_, below, _ := strings.Cut(version, "/")
		req = req.Clone(req.Context())
		req.URL.Scheme = "http"
		req.URL.Host = t.srv.hostPort()
		req.URL.Path = rest.Base + "/" + below
		req.URL.RawPath = ""
		req.Host = ""
	}
	return t.srv.transport.RoundTrip(req)
}

// Closed is closed when the server begins to close.
func (s *Server) Closed() <-chan struct{} { return s.closing.Done() }

// CheckAddr says what is wrong with an address for Options.Addr before anything
// is started: it must be host:port, and a host other than loopback is ErrNotLoopback.
func CheckAddr(addr string) error { return door.CheckAddr(addr) }

// IsHost reports whether a name can stand in Options.AllowHosts.
func IsHost(name string) bool { return door.IsHost(name) }
