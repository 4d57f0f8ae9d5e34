package sandbox

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"tictactoe/bot/sandbox/clock"
)

// TB is the part of testing.TB that actors and servers use, so that a program
// can import this package without the testing package.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// WorldOptions configure a world. Every zero field means the default that its comment
// names.
type WorldOptions struct {
	// Token is the bot token, without "Bot "; by default a new one is made.
	Token string
	// BotName is the application's and the bot's name, "Tic-tac-toe" by default.
	BotName string
	// BotPermissions are the bits of the role that the application has in every
	// guild, beside those that everyone has; none by default.
	BotPermissions int64
	// PrivilegedIntents are the privileged intents that are enabled; none.
	PrivilegedIntents int
	// Clock gives the time for snowflakes and deadlines; RealClock by default.
	Clock clock.Clock
	// Deadline is how long an interaction waits for its first answer; 3 s.
	Deadline time.Duration
	// KeepMessages bounds the messages kept per channel, and KeepWrites the edits and
	// pictures remembered per message. Zero keeps all, which suits tests and no
	// long-lived program.
	KeepMessages int
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
	// Quiet is how long, in real time, nothing may be asked or told until Settled
	// takes the bot for settled; 60 ms.
	Quiet time.Duration
	// GuildInstallOnly makes the application one that only guilds can install: User Install is not
	// ticked on its page, and commands that people could install are refused (50035).
	GuildInstallOnly bool
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
	// ClicksFromDesktop is ClicksRefused with one thing that the desktop's client does
	// differently: it sends a click in an archived thread without opening the thread
	// (discord/discord-api-docs#8474).
	ClicksFromDesktop
)

// tokenLife is how long an interaction token works.
const tokenLife = 15 * time.Minute

// Deadline and Quiet, where nobody chooses them.
const (
	DefaultDeadline = 3 * time.Second
	DefaultQuiet    = 60 * time.Millisecond
)

func (o WorldOptions) withDefaults() WorldOptions {
	if o.Clock == nil {
		o.Clock = clock.Real
	}
	o.BotName = cmp.Or(o.BotName, "Tic-tac-toe")
	o.KeepCalls = cmp.Or(o.KeepCalls, 200)
	o.KeepTokens = cmp.Or(o.KeepTokens, 1<<14)
	o.Deadline = cmp.Or(max(o.Deadline, 0), DefaultDeadline)
	o.Quiet = cmp.Or(max(o.Quiet, 0), DefaultQuiet)
	return o
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
	// Log is told, without tokens, what was refused and why, what is not offered here
	// (once), what was slow, which interactions were never answered, and who connects;
	// at level debug every request. Nil discards it.
	Log *slog.Logger
	// Handler makes what is served at every path outside "/api" (the page);
	// nil serves 404 there.
	Handler func(*Server) http.Handler
	// World, Gateway and REST are the options of the three.
	World   WorldOptions
	Gateway GatewayOptions
	REST    RESTOptions
}

// withDefaults returns o with every zero field filled in.
func (o Options) withDefaults() Options {
	o.Addr = cmp.Or(o.Addr, "127.0.0.1:0")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}
