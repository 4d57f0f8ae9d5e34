package sandbox

import (
	"net/http"
	"time"
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
	// Addr is where to listen, "127.0.0.1:0" by default. An address that is
	// not on loopback is ErrNotLoopback.
	Addr string
	// BasePath is the path of the REST base, "/api/v10" by default. Every
	// other path below "/api" is answered 404 and recorded.
	BasePath string
	// Token is the bot token, without "Bot "; by default a new one is made.
	Token string
	// BotName is the application's and the bot's name, "Tic-tac-toe" by default.
	BotName string
	// GuildName is the name of the default guild, "Playground" by default.
	GuildName string
	// Clock gives the time for snowflakes and deadlines; RealClock by default.
	Clock Clock
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
	// MaxConcurrency is how many sessions may identify in IdentifyWindow; 16
	// in 5 s of real time, so that a test may restart its bot at will (most
	// applications have 1). Exceeding it is answered with op 9.
	MaxConcurrency int
	IdentifyWindow time.Duration
	// SessionStarts is how many identifies a day the application has; 1000.
	// Every one over it is refused with 4004, because Discord resets the token.
	SessionStarts int
	// Shards is the number of shards that /gateway/bot recommends; 1.
	Shards int
	// PrivilegedIntents are the privileged intents that are enabled; none.
	PrivilegedIntents int
	// BucketLimit is how many requests a REST bucket takes in BucketWindow;
	// 50 in 1 s of real time. An interaction token is a bucket of its own.
	BucketLimit  int
	BucketWindow time.Duration
	// GlobalLimit is how many requests a second the bot may make over all
	// routes except those of interactions; 50. Negative turns it off.
	GlobalLimit int
	// CommandCreates is how many commands may be created per scope and day; 200.
	CommandCreates int
	// KeepMessages bounds the messages kept per channel, KeepRequests the
	// recorded requests and KeepWrites the edits remembered per message.
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
	// UserInstallOnly makes the application one that is installed by users
	// only: channel routes are closed to it and authorizing_integration_owners
	// names the user.
	UserInstallOnly bool
}

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
	defaultCommandCreates = 200
	defaultKeepCalls      = 200
	defaultKeepTokens     = 1 << 14
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
	if o.Clock == nil {
		o.Clock = RealClock
	}
	dur(&o.Deadline, defaultDeadline)
	dur(&o.TokenLife, defaultTokenLife)
	dur(&o.Heartbeat, defaultHeartbeat)
	dur(&o.ResumeWindow, defaultResumeWindow)
	num(&o.ReplayBuffer, defaultReplayBuffer)
	num(&o.SendLimit, defaultSendLimit)
	dur(&o.SendWindow, defaultSendWindow)
	num(&o.MaxConcurrency, 16)
	dur(&o.IdentifyWindow, defaultIdentifyWindow)
	num(&o.SessionStarts, defaultSessionStarts)
	num(&o.Shards, 1)
	num(&o.BucketLimit, defaultBucketLimit)
	dur(&o.BucketWindow, time.Second)
	num(&o.GlobalLimit, defaultGlobalLimit)
	num(&o.CommandCreates, defaultCommandCreates)
	num(&o.KeepCalls, defaultKeepCalls)
	num(&o.KeepTokens, defaultKeepTokens)
	return o
}
