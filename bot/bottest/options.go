package bottest

import (
	"context"
	"log/slog"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/change"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// Option says what is different from an ordinary world.
type Option func(*config)

type config struct {
	discord []func(*sandbox.Options)
	service []func(*service.Options)
	open    func(path string) (store.Store, error)
	store   func(store.Store) store.Store
	path    string
	saved   string
	level   slog.Level
	goBack  bool
	unnamed bool

	departs  []string // names of departures of the local Discord
	ownMarks bool
	http     bool
}

// Departs is the environment variable that has Discord do otherwise than documented in all
// worlds: names of departures of the local Discord, with commas between them.
const Departs = "TEST_DEPARTS"

// Departing has Discord do otherwise than documented, from the start.
func Departing(names ...string) Option {
	return func(c *config) { c.departs = append(c.departs, names...) }
}

// Discord changes the local Discord.
func Discord(f func(*sandbox.Options)) Option {
	return func(c *config) { c.discord = append(c.discord, f) }
}

// ClicksFromDesktop has people click in archived threads as the desktop's client does, which
// leaves the thread archived.
var ClicksFromDesktop = Discord(func(o *sandbox.Options) { o.World.Clicks = sandbox.ClicksFromDesktop })

// ClicksDelivered has Discord pass on every click, also one on a button that its message
// no longer has, which it otherwise refuses: for clicks that are forged, that were on
// their way, or that a Discord lets through.
var ClicksDelivered = Discord(func(o *sandbox.Options) { o.World.Clicks = sandbox.ClicksDelivered })

// Service changes the service.
func Service(f func(*service.Options)) Option {
	return func(c *config) { c.service = append(c.service, f) }
}

// Bot changes the game.
func Bot(f func(*bot.Options)) Option { return Service(func(o *service.Options) { f(&o.Bot) }) }

// REST changes the client of Discord's REST API.
func REST(f func(*rest.Options)) Option { return Service(func(o *service.Options) { f(&o.REST) }) }

// SQLite opens the database with options.
func SQLite(options ...sqlite.Option) Option {
	return On(func(path string) (store.Store, error) { return sqlite.Open(context.Background(), path, options...) })
}

// On has the bot play on a database that is opened at each start. If it is not the SQLite file
// of the world's path, a test cannot do then what is done to the file.
func On(open func(path string) (store.Store, error)) Option {
	return func(c *config) { c.open = open }
}

// Behind puts a store between the service and the real one, which it is given at each
// start.
func Behind(f func(store.Store) store.Store) Option { return func(c *config) { c.store = f } }

// GoesBack allows pictures of games to go backwards: the test goes back to a copy of
// the database.
func GoesBack() Option { return func(c *config) { c.goBack = true } }

// EditsGetLost allows messages that name nobody for who does not know them: a fault may have
// taken the edit that was to.
func EditsGetLost(c *config) { c.unnamed = true }

// OwnMarks has the bot show its own emojis as marks in texts, which it otherwise leaves;
// the world waits for them at each start.
func OwnMarks(c *config) { c.ownMarks = true }

// DatabaseAt keeps the database at a path; otherwise it has a folder of its own.
func DatabaseAt(path string) Option { return func(c *config) { c.path = path } }

// SavedDiscord has the local Discord go on with a world of which it saved the state in
// the file.
func SavedDiscord(path string) Option { return func(c *config) { c.saved = path } }

// LogLevel is what the bot logs; otherwise all there is.
func LogLevel(l slog.Level) Option { return func(c *config) { c.level = l } }

// ByClock has the bot read the time from the clock.
func ByClock(clock *Clock) Option { return Bot(func(o *bot.Options) { o.Now = clock.Now }) }

// TimeLimit is what people have for a move where they do not choose; otherwise none.
func TimeLimit(d time.Duration) Option { return Bot(func(o *bot.Options) { o.DefaultClock = d }) }

// Places is how many public games a channel has at once.
func Places(n int) Option { return Bot(func(o *bot.Options) { o.Places = n }) }

// ChallengeTTL is for how long a challenge is open.
func ChallengeTTL(d time.Duration) Option { return Bot(func(o *bot.Options) { o.ChallengeTTL = d }) }

// StartLimit limits how many games may be started a minute, as the setting is written.
// Text that is no limit is a mistake in the test, and panics.
func StartLimit(text string) Option {
	limit, err := change.ParseStartLimit(text)
	if err != nil {
		panic(err)
	}
	return Bot(func(o *bot.Options) { o.StartLimit = limit })
}

// QuickGateway shortens the waits of the Gateway, so that its faults are noticed soon.
func QuickGateway(c *config) {
	Discord(func(o *sandbox.Options) { o.Gateway.Heartbeat = waittest.Limit(300 * time.Millisecond) })(c)
	Service(func(o *service.Options) {
		o.Gateway.Timing = gateway.Timing{
			Hello:      waittest.Limit(300 * time.Millisecond),
			Ready:      waittest.Limit(600 * time.Millisecond),
			Close:      waittest.Limit(300 * time.Millisecond),
			BackoffMin: 10 * time.Millisecond, BackoffMax: 200 * time.Millisecond, Invalid: 10 * time.Millisecond,
		}
	})(c)
}
