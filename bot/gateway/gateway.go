package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

// Options are the settings of a Supervisor. Token and GatewayBot are required;
// the zero value of every other field takes the default that it names.
type Options struct {
	Token string // bot token, with or without "Bot " before it

	// GatewayBot asks Discord where to connect and how many sessions may still be
	// started; usually (*rest.Client).GatewayBot. An error that is
	// rest.ErrUnauthorized is fatal, every other one is tried again.
	GatewayBot func(context.Context) (*rest.GatewayInfo, error)

	// OnInteraction is called for every INTERACTION_CREATE with the event's data as
	// it was sent and the time of its arrival, each call in its own goroutine.
	// Discord may deliver an interaction twice, and after a resume an old one. A
	// panic in it is caught and logged, without the data.
	OnInteraction func(raw json.RawMessage, received time.Time)

	ShardID    int // below ShardCount
	ShardCount int // default 1

	// Handling counts the calls of OnInteraction that were begun and are not over. Supervisors
	// may share it; default: one of its own. Whoever waits for it does so after Run has returned,
	// when no new ones begin.
	Handling *tasks.Group

	// Identifies paces the starts of sessions. Supervisors of one bot token in one
	// process must share it; default: one of its own.
	Identifies *Identifies

	Logger *slog.Logger // default: nothing is logged. Never sees tokens or payloads.

	Timing Timing

	// Session is one to go on with, which another process has left; the zero value is none.
	// Its address is used only if it is of the domain that GatewayBot names.
	Session Session
	// May, if set, is called before each connection, and returns when there may be one, or
	// with the error of the context.
	May func(context.Context) error
	// Leave, if set, is asked at the end of Run's context whether the session is to be left
	// for another process. By default it ends.
	Leave func() bool

	// configure, if set, is called for each new session before it opens, so once per
	// connection. Settings that the supervisor depends on are put right afterwards.
	configure func(*discordgo.Session)
	// dial, if set, makes the connections to Discord instead of TCP.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Timing holds every wait of a Supervisor. Zero fields take the defaults named.
// Hello, Ready and Stall are the longest: where a heartbeat interval is known they
// end after one and a half of it, so that a dead session is noticed within two.
// Dial and Hello are shorter also for the first attempts to resume.
type Timing struct {
	Ask   time.Duration // for /gateway/bot to answer, half of it where its last answer may do; default 5 s
	Dial  time.Duration // TCP, TLS and WebSocket handshake; default 10 s
	Hello time.Duration // from connection to the first packet; default 10 s
	Ready time.Duration // from identify or resume to the first event, and between replayed ones; default 20 s
	Stall time.Duration // for the session to open or take a packet, and for a write; default 5 s
	Close time.Duration // for goodbye at shutdown; default 1 s

	BackoffMin time.Duration // before the second attempt in a row, the first is immediate; default 500 ms
	BackoffMax time.Duration // default 1 minute
	Stable     time.Duration // a connection that lasted so long makes the next attempt a first; default 10 s
	Invalid    time.Duration // shortest pause after an invalid session, up to five times as long; default 1 s
}

// Status describes a Supervisor at one moment.
type Status struct {
	Shard     int // its number
	Shards    int // of how many
	Ready     bool
	Session   string // hash of the session id, to compare; "" without one
	Attempts  int    // connections tried since the shard was last ready
	Connects  int64  // connections that became ready, since the start
	Resumes   int64  // those of them that resumed a session
	Identify  int64  // sessions started
	LastError string // why the last connection ended, or an attempt failed
}

// Supervisor keeps one shard connected. Its methods are safe for concurrent use.
type Supervisor struct {
	opts   Options
	timing Timing
	log    *slog.Logger

	resume resumable // the session, while there is one

	// Only Run's goroutine uses these.
	known         *rest.GatewayInfo // what /gateway/bot last said; nil before the first time
	knownStarted  int64             // sessions of this token that had been started then
	interval      time.Duration     // between heartbeats, as the last Hello said; 0 before the first
	misses        int               // connections in a row that never became ready, or were not made
	resumeRefusal int               // resumes in a row that came to nothing
	advised       int               // shards that Discord recommended when the operator was told

	mu     sync.Mutex
	status Status
}

// New makes a supervisor; nothing happens before Run.
func New(o Options) *Supervisor {
	o.ShardCount = cmp.Or(o.ShardCount, 1)
	o.Identifies = cmp.Or(o.Identifies, NewIdentifies())
	o.Handling = cmp.Or(o.Handling, new(tasks.Group))
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	s := &Supervisor{opts: o, timing: o.Timing.withDefaults(), log: o.Logger.With("shard", o.ShardID)}
	s.resume.keep(o.Session)
	return s
}

func (t Timing) withDefaults() Timing {
	return Timing{
		Ask:        cmp.Or(t.Ask, 5*time.Second),
		Dial:       cmp.Or(t.Dial, 10*time.Second),
		Hello:      cmp.Or(t.Hello, 10*time.Second),
		Ready:      cmp.Or(t.Ready, 20*time.Second),
		Stall:      cmp.Or(t.Stall, 5*time.Second),
		Close:      cmp.Or(t.Close, time.Second),
		BackoffMin: cmp.Or(t.BackoffMin, 500*time.Millisecond),
		BackoffMax: cmp.Or(t.BackoffMax, time.Minute),
		Stable:     cmp.Or(t.Stable, 10*time.Second),
		Invalid:    cmp.Or(t.Invalid, time.Second),
	}
}

// Ready reports whether the shard is connected and receives interactions.
func (s *Supervisor) Ready() bool { return s.Status().Ready }

// Status returns a snapshot.
func (s *Supervisor) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.status
	st.Shard, st.Shards = s.opts.ShardID, s.opts.ShardCount
	return st
}

// Session returns what another process needs to go on with the session, the zero value if
// there is none. Call it after Run has returned, in whose course it was left.
func (s *Supervisor) Session() Session { return s.resume.session() }
