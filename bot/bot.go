package bot

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/games"
	"tictactoe/bot/guilds"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/people"
	"tictactoe/bot/puzzles"
	"tictactoe/bot/quirks"
	"tictactoe/bot/tracker"
	"tictactoe/bot/upkeep"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// API is what the bot asks of Discord. *rest.Client is the one that does it.
type API interface {
	dispatch.API
	kit.API
	games.API
	CommandsAPI
	EmojisAPI
}

// Options say how a Bot works. Zero values get the defaults named.
type Options struct {
	Store  store.Store
	API    API
	Logger *slog.Logger // default: discards

	Application store.ApplicationID // whose token API has
	// Connected reports whether clicks can reach this process and their answers Discord.
	Connected func() bool
	// Served returns the clock domains in which people can move, of those that this process
	// wants. Up-time advances only there.
	Served func() store.DomainSet
	// Wanted returns the clock domains that this process wants.
	Wanted func() store.Wanted
	// Observer, if set, is told of what happens.
	Observer Observer

	DefaultClock time.Duration     // for a move; 0 is none
	StartLimit   change.StartLimit // the zero value sets no limit
	ExportMost   int               // bytes of a file with somebody's data; default 10 MiB, which Discord takes anywhere
	MostPrivate  int               // private games of a person that may be running; default [match.MostPrivate]
	Places       int               // public games of a channel whose guild sets nothing; default [match.Places]
	KeepRemoved  time.Duration     // that what is kept about a guild stays when the bot is no more there; 0 for good
	SupportURL   string            // where people are helped, for help to name; empty for nowhere
	Quirks       *quirks.Set       // what is known of Discord's; default: nothing
	InContainer  bool              // what is stored goes with the container that the bot is in, for check to say
	CommandGuild store.GuildID     // register commands in this guild only; default everywhere

	kit.Timing

	Now   func() time.Time                // default time.Now
	After func(d time.Duration, f func()) // default time.AfterFunc
	Dice  func() *rand.Rand               // a new generator for each use; default seeded by the system
}

// Bot plays tic-tac-toe on Discord. Make one with New, feed it interactions, and
// let Run do what nobody clicked for.
type Bot struct {
	kit     *kit.Kit
	change  *change.Changer
	games   *games.Games
	puzzles *puzzles.Puzzles
	people  *people.People
	guilds  *guilds.Guilds
	opts    Options
	store   store.Store

	*dispatch.Dispatcher[kit.Key, *kit.Request, kit.Response]
	*upkeep.Leases
	upkeep *upkeep.Upkeep

	hushed    recent.Lately[refused]
	incidents recent.Shared[store.GuildID, failure] // what last failed in each guild, for a while
}

// New returns a bot that is ready to handle interactions. It fails only when the
// store does not answer.
func New(ctx context.Context, o Options) (*Bot, error) {
	setDefaults(&o)
	k := &kit.Kit{
		Log: o.Logger, Now: o.Now, After: o.After, Dice: o.Dice, Times: o.Timing,
		Connected: o.Connected, Served: o.Served, API: o.API, Quirks: cmp.Or(o.Quirks, &quirks.Set{}), Since: time.Now(), Texts: view.Load(), Challenge: o.Store.Challenge, Think: kit.NewThinker(o.Dice),
	}
	k.Work = dispatch.NewWork(ctx, o.Logger, o.BackgroundTime)
	k.Settings = kit.NewSettings(o.Store, o.Now, o.DefaultClock, o.Places)
	// Clicks do not reach this process yet: it wants no clocks that others could keep.
	asked := time.Now()
	owned, err := o.Store.Lease(ctx, store.Wanted{}, store.Uptimes{})
	if err != nil {
		return nil, err
	}
	k.Clock = kit.NewClock(o.Now, o.Served, o.LongestStep, owned, asked)

	var together store.Limiter
	if k.Shared() {
		k.Settings.Share()
		together, _ = o.Store.(store.Limiter)
	}
	changes := &change.Changer{
		Kit: k, Store: o.Store, Observer: o.Observer, MostPrivate: o.MostPrivate,
		Starts: change.NewLimiter("start", o.StartLimit, together),
	}
	exports := change.NewLimiter("export", change.StartLimit{PerUser: 1}, together)
	b := &Bot{kit: k, change: changes, opts: o, store: o.Store}
	b.Leases = &upkeep.Leases{Kit: k, Change: changes, Store: o.Store, Wants: o.Wanted}
	b.games = games.New(k, changes, o.Store, o.API, b.Settle)
	changes.Expire = b.games.ExpireMatch
	where := &upkeep.Whereabouts{Kit: k, Change: changes, Games: b.games, Store: o.Store, App: o.Application, Keep: o.KeepRemoved}
	b.puzzles = &puzzles.Puzzles{Kit: k, Change: changes, Store: o.Store}
	b.people = &people.People{Kit: k, Change: changes, Store: o.Store, EndAll: b.games.EndAllOf, Exports: exports, ExportMost: o.ExportMost}
	b.guilds = &guilds.Guilds{Kit: k, Change: changes, Store: o.Store, InContainer: o.InContainer, LastIncident: b.lastIncident, Forget: where.Forget, PostPuzzle: b.puzzles.PostNow}
	b.upkeep = &upkeep.Upkeep{Kit: k, Change: changes, Games: b.games, Store: o.Store, Leases: b.Leases, Guilds: where, Also: slices.Concat(b.puzzles.Jobs(), b.people.Jobs(), b.guilds.Jobs())}
	k.Tracker = tracker.New(tracker.Options{
		API: o.API, Records: records{b}, Log: o.Logger, Now: o.Now, After: o.After,
		SendTime: o.EditTime, AnswerTime: o.AnswerTime, Run: k.Work.Go, Caught: k.Work.Caught,
	})
	all, err := newRoutes(b)
	if err != nil {
		return nil, err
	}
	b.Dispatcher = dispatch.New(dispatch.Options{
		API: o.API, Log: o.Logger, Work: k.Work, AnswerTime: o.AnswerTime, WorkTime: o.WorkTime, Observer: o.Observer,
		Reopen: func(ctx context.Context, thread string) bool {
			return b.games.Threads.Reopen(ctx, store.ChannelID(thread))
		},
	}, app{b}, all, &k.Stats)
	return b, nil
}

func setDefaults(o *Options) {
	o.ChallengeTTL = cmp.Or(o.ChallengeTTL, 15*time.Minute)
	o.AnswerTime = cmp.Or(o.AnswerTime, discord.AnswerTime)
	o.WorkTime = cmp.Or(o.WorkTime, 2*time.Second)
	o.BackgroundTime = cmp.Or(o.BackgroundTime, 30*time.Second)
	o.EditTime = cmp.Or(o.EditTime, 5*time.Second)
	o.GridTime = cmp.Or(o.GridTime, match.GridStays)
	o.Tick = cmp.Or(o.Tick, 250*time.Millisecond)
	o.Grace = cmp.Or(o.Grace, 4*time.Second)
	o.RedrawPause = cmp.Or(o.RedrawPause, 100*time.Millisecond)
	o.LongestStep = cmp.Or(o.LongestStep, 3*time.Second)
	o.Places = cmp.Or(o.Places, match.Places)
	o.ExportMost = cmp.Or(o.ExportMost, people.ExportMost)
	o.MostPrivate = cmp.Or(o.MostPrivate, match.MostPrivate)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	if o.Dice == nil {
		o.Dice = func() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) } //nolint:gosec // for games
	}
}

// Close lets what was begun finish, within the context, and then ends the rest. No
// interaction may be handed in afterwards.
func (b *Bot) Close(ctx context.Context) error {
	b.kit.Tracker.Finish()
	_ = b.kit.Work.Wait(ctx) // for what that draws
	return b.kit.Work.Close(ctx)
}

// Run does what nobody clicks for until the context ends: it lets clocks and
// challenges run out, and after a start or a time without a connection redraws
// boards that are behind or name times that have moved.
func (b *Bot) Run(ctx context.Context) { b.upkeep.Run(ctx) }

// Observer is told of what happens, for figures. Its methods are called on the way of a
// click, by several goroutines at once: they must be quick.
type Observer interface {
	// Handled is told of every interaction that was decoded, once.
	Handled(*dispatch.Call)
	// Committed is told of every change that was stored: how many matches it began, and
	// how those ended that it ended.
	Committed(begun int, ended []store.EndReason)
}
