package sandbox

import (
	"log/slog"
	"net/http"
	"time"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/rules"
)

// TB is the part of testing.TB that actors and servers use, so that a program
// can import this package without the testing package.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
	Cleanup(f func())
}

// Options configure a server. The zero value is a good server for tests; every
// zero field means the default that its comment names.
type Options struct {
	// Addr is where to listen, "127.0.0.1:0" by default. An address that is not on
	// loopback is ErrNotLoopback, unless there are AllowHosts and a Key.
	Addr string
	// AllowHosts are names, beside those of loopback, by which the server may be
	// asked, such as "host.docker.internal" by a bot in a container; without a port,
	// which may be mapped to another one. None by default: a hostile page can point a
	// name of its own at this machine.
	AllowHosts []string
	// Key, unless it is empty, is demanded of whoever asks for what Handler serves: as
	// ?key= once by a browser, which gets a cookie for it, and as "Authorization:
	// Bearer" by a program. Bots have their token.
	Key string
	// BasePath is the path of the REST base. By default it is "/api/v10", and
	// "/api/v9" and "/api" are served as well; another one is the only one.
	BasePath string
	// CDN is what the addresses of attachments begin with; by default it is the
	// server's own, where they can be read. "https://cdn.discordapp.com" gives them
	// Discord's shape, and nothing to read.
	CDN string
	// StrictUserAgent refuses every client that does not name itself as Discord's
	// documentation demands. Discord only refuses some, and so does the default.
	StrictUserAgent bool
	// Log is told, without tokens, what was refused and why, what is not offered here
	// (once), what was slow, which interactions were never answered, and who connects;
	// at level debug every request. Nil discards it.
	Log *slog.Logger
	// Token is the bot token, without "Bot "; by default a new one is made.
	Token string
	// BotName is the application's and the bot's name, "Tic-tac-toe" by default.
	BotName string
	// BotPermissions are the bits of the role that the application has in every
	// guild, beside those that everyone has; none by default.
	BotPermissions int64
	// GuildName is the name of the default guild, "Playground" by default.
	GuildName string
	// Clock gives the time for snowflakes and deadlines; RealClock by default.
	Clock clock.Clock
	// Deadline is how long an interaction waits for its first answer; 3 s.
	Deadline time.Duration
	// TokenLife is how long an interaction token works; 15 min.
	TokenLife time.Duration
	// Handler makes what is served at every path outside "/api" (the page);
	// nil serves 404 there.
	Handler func(*Server) http.Handler
	// Heartbeat is the interval that Hello asks for; 41.25 s. It runs in real time.
	Heartbeat time.Duration
	// ResumeWindow is how long a lost session can be resumed, on Clock; 3 min.
	ResumeWindow time.Duration
	// ReplayBuffer is how many dispatches a session keeps for a resume; 1024.
	ReplayBuffer int
	// SendLimit is how many payloads a Gateway connection may send in
	// SendWindow; 120 in 60 s of real time.
	SendLimit  int
	SendWindow time.Duration
	// MaxConcurrency is how many sessions may identify in IdentifyWindow, which is 5 s
	// of real time: one for each shard number modulo MaxConcurrency, as Discord has it
	// (most applications have 1). The default is 16 and asks for no shard number, so that
	// a test may restart its bot at will. Exceeding it is answered with op 9.
	MaxConcurrency int
	IdentifyWindow time.Duration
	// SessionStarts is how many identifies a day the application has; 1000.
	// Every one over it is refused with 4004, because Discord resets the token.
	SessionStarts int
	// Shards is the number of shards that /gateway/bot recommends; 1. See also
	// Gateway.RequireShards.
	Shards int
	// GuildsPerShard is how many guilds a session may have; 2,500. One with more is
	// refused with 4011.
	GuildsPerShard int
	// ShardMultiple is what the number of shards must be a multiple of, as Discord asks
	// of very large bots; 1. Any other number is refused with 4010.
	ShardMultiple int
	// PrivilegedIntents are the privileged intents that are enabled; none.
	PrivilegedIntents int
	// BucketLimit is how many requests a REST bucket takes in BucketWindow;
	// 50 in 1 s of real time. An interaction token is a bucket of its own.
	BucketLimit  int
	BucketWindow time.Duration
	// GlobalLimit is how many requests the bot may make in GlobalWindow (1 s of real
	// time by default) over all routes except those of interactions; 50. Negative
	// turns it off.
	GlobalLimit  int
	GlobalWindow time.Duration
	// OldEdits is how many edits of messages older than an hour a channel takes by
	// the channel route in OldEditWindow (20 s of real time by default); all for 0.
	// Discord has such a limit (error 30046) and does not document its size; 3 in
	// 20 s is reported.
	OldEdits      int
	OldEditWindow time.Duration
	// CommandCreates is how many commands may be created per scope and day; 200.
	CommandCreates int
	// KeepMessages bounds the messages kept per channel, KeepRequests the
	// recorded requests and KeepWrites the edits and pictures remembered per message.
	// Zero keeps all, which suits tests and no long-lived program; otherwise
	// 64 KiB of a request's body are kept.
	KeepMessages int
	KeepRequests int
	KeepWrites   int
	// KeepCalls bounds the interactions kept for Calls; 200, negative keeps
	// all. Calls that a test still holds stay usable.
	KeepCalls int
	// KeepTokens bounds how many calls can be reached by their token beside the
	// age of fifteen minutes, unless KeepCalls keeps all; 16384. Older tokens
	// answer as if they had expired.
	KeepTokens int
	// Clicks says what becomes of a click on a component that its message no
	// longer has, or that is disabled; ClicksRefused by default.
	Clicks ClickMode
	// LookTime is how long a simulated person looks at a new picture of a message
	// before they use it; none by default. See User.Do.
	LookTime time.Duration
	// HelloDelay is how long a connection waits for its Hello, in real time; 20 ms,
	// negative for none. Some clients lose a Hello that comes with the handshake,
	// which no real network brings about.
	HelloDelay time.Duration
	// Quiet is how long, in real time, nothing may be asked or told until Settled
	// takes the bot for settled; 60 ms.
	Quiet time.Duration
	// UserInstallOnly makes the application one that is installed by users
	// only, and everybody has: channel routes are closed to it and
	// authorizing_integration_owners names the user.
	UserInstallOnly bool
	// GuildInstallOnly makes it one that only guilds can install: User Install is not
	// ticked on its page, and commands that people could install are refused (50035).
	GuildInstallOnly bool

	anyBucket bool // MaxConcurrency counts identifies of whatever shard
}

// ClickMode is what a server does with a click (or a choice in a select) whose
// component its message no longer has, or has disabled.
type ClickMode int

const (
	// ClicksRefused looks the component up on the message as it stands when the
	// click arrives. A click that does not find it, or finds it disabled, is
	// refused: the bot never hears of it, and the person's client shows
	// FailedComponent. Discord's documentation is silent; its clients are reported
	// to get error 50035 with COMPONENT_VALIDATION_FAILED
	// (discord/discord-api-docs#5943).
	ClicksRefused ClickMode = iota
	// ClicksDelivered delivers every click, whatever its message has by then.
	ClicksDelivered
)

// Discord's documented defaults.
const (
	defaultBasePath       = "/api/v10"
	defaultDeadline       = 3 * time.Second
	defaultTokenLife      = 15 * time.Minute
	defaultHeartbeat      = 41250 * time.Millisecond
	defaultResumeWindow   = 3 * time.Minute
	defaultReplayBuffer   = 1024
	defaultSendLimit      = 120
	defaultSendWindow     = time.Minute
	defaultIdentifyWindow = 5 * time.Second
	defaultSessionStarts  = 1000
	defaultBucketLimit    = 50
	defaultGlobalLimit    = 50
	defaultOldEditWindow  = 20 * time.Second
	defaultCommandCreates = 200
	defaultKeepCalls      = 200
	defaultKeepTokens     = 1 << 14
	defaultQuiet          = 60 * time.Millisecond
)

// withDefaults returns o with every zero field filled in.
func (o Options) withDefaults() Options {
	str := func(p *string, v string) {
		if *p == "" {
			*p = v
		}
	}
	dur := func(p *time.Duration, v time.Duration) {
		if *p <= 0 {
			*p = v
		}
	}
	num := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	str(&o.Addr, "127.0.0.1:0")
	str(&o.BasePath, defaultBasePath)
	str(&o.BotName, "Tic-tac-toe")
	str(&o.GuildName, "Playground")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = clock.Real
	}
	dur(&o.Deadline, defaultDeadline)
	dur(&o.TokenLife, defaultTokenLife)
	dur(&o.Heartbeat, defaultHeartbeat)
	dur(&o.ResumeWindow, defaultResumeWindow)
	if o.HelloDelay == 0 {
		o.HelloDelay = 20 * time.Millisecond
	}
	dur(&o.Quiet, defaultQuiet)
	num(&o.ReplayBuffer, defaultReplayBuffer)
	num(&o.SendLimit, defaultSendLimit)
	dur(&o.SendWindow, defaultSendWindow)
	o.anyBucket = o.anyBucket || o.MaxConcurrency == 0
	num(&o.MaxConcurrency, 16)
	dur(&o.IdentifyWindow, defaultIdentifyWindow)
	num(&o.SessionStarts, defaultSessionStarts)
	num(&o.Shards, 1)
	num(&o.GuildsPerShard, rules.MaxGuildsPerShard)
	num(&o.ShardMultiple, 1)
	num(&o.BucketLimit, defaultBucketLimit)
	dur(&o.BucketWindow, time.Second)
	num(&o.GlobalLimit, defaultGlobalLimit)
	dur(&o.GlobalWindow, time.Second)
	dur(&o.OldEditWindow, defaultOldEditWindow)
	num(&o.CommandCreates, defaultCommandCreates)
	num(&o.KeepCalls, defaultKeepCalls)
	num(&o.KeepTokens, defaultKeepTokens)
	return o
}
