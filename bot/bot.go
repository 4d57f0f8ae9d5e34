package bot

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// API is what the bot asks of Discord. *rest.Client is the one that does it.
type API interface {
	CallbackAPI
	tracker.API
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	DeleteByToken(ctx context.Context, token, messageID string) error
	CreateMessage(ctx context.Context, channelID string, body any) (*rest.Message, error)
	CreateThread(ctx context.Context, channelID string, t rest.NewThread) (*rest.Channel, error)
	Channel(ctx context.Context, channelID string) (*rest.Channel, error)
	OpenThread(ctx context.Context, threadID string) error
	DeleteMessage(ctx context.Context, channelID, messageID string) error
	Member(ctx context.Context, guildID, userID string) (*rest.Member, error)
	CommandsAPI
	EmojisAPI
	// DiscordTime returns what Discord's clock showed at a moment of ours.
	DiscordTime(at time.Time) time.Time
	Application(ctx context.Context) (*rest.Application, error)
	Guild(ctx context.Context, guildID string) error
}

// Options say how a Bot works. Zero values get the defaults named.
type Options struct {
	Store  store.Store
	API    API
	Logger *slog.Logger // default: discards

	// Connected reports whether clicks can reach this process and their answers Discord.
	// Default: always.
	Connected func() bool
	// Served returns the clock domains in which people can move, of those that this process
	// wants. Up-time advances only there. Default: all while Connected.
	Served func() store.DomainSet
	// Wanted returns the clock domains that this process wants. Default: a share of all while
	// Connected.
	Wanted func() store.Wanted
	// Observer, if set, is told of what happens.
	Observer Observer

	ChallengeTTL time.Duration // how long challenges and offers stay open; default 15 min
	DefaultClock time.Duration // for a move; 0 is none
	StartLimit   StartLimit    // the zero value sets no limit
	ExportMost   int           // bytes of a file with somebody's data; default 10 MiB, which Discord takes anywhere
	MostPrivate  int           // private games of a person that may be running; default [match.MostPrivate]
	Places       int           // public games of a channel whose guild sets nothing; default [match.Places]
	KeepRemoved  time.Duration // that what is kept about a guild stays when the bot is no more there; 0 for good
	CommandGuild store.GuildID // register commands in this guild only; default everywhere

	AnswerTime     time.Duration // that Discord waits for the first answer; default 3 s, as the real one does
	WorkTime       time.Duration // from arrival until a handler is cut short; default 2 s
	BackgroundTime time.Duration // for what follows an answer; default 30 s
	Tick           time.Duration // between looks at what has fallen due; default 250 ms
	Grace          time.Duration // behind a deadline, for clicks on their way that were made before it; default 4 s, negative for none
	GridTime       time.Duration // that the buttons of a board stand after the end; default [match.GridStays]
	EditTime       time.Duration // for one redraw of a message; default 5 s
	RedrawPause    time.Duration // between boards redrawn after a start; default 100 ms
	LongestStep    time.Duration // that up-time makes from one look at the clock to the next; default 3 s

	Now   func() time.Time                // default time.Now
	After func(d time.Duration, f func()) // default time.AfterFunc
	Dice  func() *rand.Rand               // a new generator for each use; default seeded by the system
	NewID func() int64                    // positive; default random
}

// Bot plays tic-tac-toe on Discord. Make one with New, feed it interactions, and
// let Run do what nobody clicked for.
type Bot struct {
	opts  Options
	store store.Store
	api   API
	log   *slog.Logger
	texts *view.Catalogue

	routes    routes
	tracker   *tracker.Tracker
	uptime    *uptime
	leasing   sync.Mutex  // held while leases are asked for
	left      atomic.Bool // no more are wanted
	noted     atomic.Bool // a message was made that the store has not yet heard of for good
	recheck   refs        // new messages of which other processes know only when they are stored
	seen      seenIDs
	hushed    lately[refused]
	reopened  lately[store.ChannelID] // threads
	byToken   tokenLines
	starts    *startLimiter
	settings  *settings
	erasing   sync.Mutex // held by who goes on with erasures
	where     *whereabouts
	exporting exporting
	names     names
	stats     stats
	endings   endings
	incidents incidents
	judged    judged
	days      days

	looking sync.Map // the ids of matches in threads whose time has come

	searchSlots chan struct{} // holds one for each opponent that thinks
	reminding   chan struct{} // holds one for each reminder on its way

	commandIDs atomic.Pointer[map[string]string] // by name
	marks      atomic.Pointer[view.OwnMarks]     // the application's own; nil while it has none

	base   context.Context // ends when the bot is closed
	cancel context.CancelFunc
	work   tasks.Group
}

// New returns a bot that is ready to handle interactions. It fails only when the
// embedded texts cannot be read or the store does not answer.
func New(ctx context.Context, o Options) (*Bot, error) {
	setDefaults(&o)
	b := &Bot{opts: o, store: o.Store, api: o.API, log: o.Logger, texts: view.Load(), starts: newStartLimiter(o.StartLimit)}
	b.base, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	b.exporting.starts = newStartLimiter(StartLimit{PerUser: 1})
	b.exporting.starts.what = "export"
	b.where = &whereabouts{Bot: b}
	b.searchSlots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	b.reminding = make(chan struct{}, remindMost)
	b.routes = newRoutes(b)
	b.settings = &settings{store: o.Store, now: o.Now, clock: o.DefaultClock, places: o.Places, turn: settingsTurn}
	// Clicks do not reach this process yet: it wants no clocks that others could keep.
	asked := time.Now()
	leases, err := o.Store.Lease(ctx, store.Wanted{}, store.Uptimes{})
	if err != nil {
		return nil, err
	}
	b.uptime = newUptime(b.opts, leases, asked)
	if b.shared() {
		b.settings.turn = sharedTurn
		b.starts.shared, _ = o.Store.(store.Limiter)
		b.exporting.starts.shared = b.starts.shared
	}
	b.tracker = tracker.New(tracker.Options{
		API: o.API, Records: shown{b}, Log: o.Logger, Now: o.Now, After: o.After,
		SendTime: o.EditTime, AnswerTime: o.AnswerTime, Run: b.background, Caught: b.caught,
	})
	return b, nil
}

func setDefaults(o *Options) {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.ChallengeTTL, 15*time.Minute)
	def(&o.AnswerTime, answerTime)
	def(&o.WorkTime, 2*time.Second)
	def(&o.BackgroundTime, 30*time.Second)
	def(&o.GridTime, match.GridStays)
	def(&o.Tick, 250*time.Millisecond)
	def(&o.Grace, 4*time.Second)
	def(&o.RedrawPause, 100*time.Millisecond)
	def(&o.LongestStep, 3*time.Second)
	if o.Places == 0 {
		o.Places = match.Places
	}
	if o.ExportMost == 0 {
		o.ExportMost = exportMost
	}
	if o.MostPrivate == 0 {
		o.MostPrivate = match.MostPrivate
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Connected == nil {
		o.Connected = func() bool { return true }
	}
	if o.Served == nil {
		connected := o.Connected
		o.Served = func() store.DomainSet {
			if connected() {
				return store.AllDomains
			}
			return 0
		}
	}
	if o.Wanted == nil {
		connected := o.Connected
		o.Wanted = func() store.Wanted {
			if connected() {
				return store.Wanted{Domains: store.AllDomains, Shared: true}
			}
			return store.Wanted{}
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, f func()) { time.AfterFunc(d, f) }
	}
	if o.Dice == nil {
		o.Dice = func() *rand.Rand { return rand.New(rand.NewPCG(random64(), random64())) } //nolint:gosec // for games
	}
	if o.NewID == nil {
		o.NewID = func() int64 { return int64(random64()>>1) | 1 } //nolint:gosec // 63 bits
	}
}

func random64() uint64 {
	var b [8]byte
	_, _ = crand.Read(b[:]) // it never fails
	return binary.LittleEndian.Uint64(b[:])
}

// Close lets what was begun finish, within the context, and then ends the rest. No
// interaction may be handed in afterwards.
func (b *Bot) Close(ctx context.Context) error {
	b.work.Close()
	err := b.work.Wait(ctx)
	b.cancel()
	_ = b.work.Wait(context.Background()) // what is cut short ends soon
	return err
}

// view returns the views in a language, at this moment.
func (b *Bot) view(locale string) view.View {
	return view.View{
		Words: b.texts.In(locale), Now: b.opts.Now(), Uptime: b.uptime.of,
		Command: b.mentionCommand, OwnMarks: b.ownMarks(), NoHintsSince: b.noHintsSince,
	}
}

// viewFor returns the views for whoever has sent the interaction.
func (b *Bot) viewFor(in *request) view.View {
	v := b.view(in.locale())
	v.Usual = in.usualChoice()
	return v
}

// linkTo returns the address of the message that shows the record, else of the
// channel.
func (b *Bot) linkTo(guild store.GuildID, channel store.ChannelID, r tracker.Ref, stored store.MessageID) string {
	return discord.MessageLink(guild, channel, b.tracker.Where(r, stored))
}
