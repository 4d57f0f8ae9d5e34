package bot

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

// api is what the bot asks of Discord. *rest.Client is the one that does it.
type api interface {
	Respond(ctx context.Context, interactionID, token string, cb rest.Callback) (*rest.Message, error)
	EditByToken(ctx context.Context, token, messageID string, body any) (*rest.Message, error)
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	EditMessage(ctx context.Context, channelID, messageID string, body any) (*rest.Message, error)
	DeleteMessage(ctx context.Context, channelID, messageID string) error
	Commands(ctx context.Context, guildID string) ([]json.RawMessage, error)
	OverwriteCommands(ctx context.Context, guildID string, commands any) ([]json.RawMessage, error)
}

// Options say how a Bot works. Zero values get the defaults named.
type Options struct {
	Store  Store
	API    *rest.Client
	Logger *slog.Logger // default: discards

	// Connected reports whether clicks can reach the bot; its up-time advances only
	// then. Default: always.
	Connected func() bool
	// Replaying reports whether what arrives now may be sent again after a cut.
	// Default: never.
	Replaying func() bool

	ChallengeTTL time.Duration // how long challenges and offers stay open; default 15 min
	DefaultClock time.Duration // for a move; 0 is none
	StartLimit   StartLimit    // the zero value sets no limit
	CommandGuild store.GuildID // register commands in this guild only; default everywhere

	WorkTime       time.Duration // from arrival until a handler is cut short; default 2 s
	BackgroundTime time.Duration // for what follows an answer; default 30 s
	Tick           time.Duration // between looks at what has fallen due; default 250 ms
	RedrawPause    time.Duration // between boards redrawn after a start; default 100 ms

	Now   func() time.Time                // default time.Now
	After func(d time.Duration, f func()) // default time.AfterFunc
	Dice  func() *rand.Rand               // a new generator for each use; default seeded by the system
	NewID func() int64                    // positive; default random
}

// Bot plays tic-tac-toe on Discord. Make one with New, feed it interactions, and
// let Run do what nobody clicked for.
type Bot struct {
	opts  Options
	store Store
	api   api
	log   *slog.Logger
	texts *catalogue

	commands map[string]commandHandler
	buttons  map[action]buttonHandler

	painter  *painter
	uptime   *uptime
	noted    atomic.Bool // a message was made that the store has not yet heard of for good
	lateness lateness
	seen     recent
	starts   *startLimiter
	stats    stats

	thinkers chan struct{} // holds one for each opponent that thinks

	commandIDs atomic.Pointer[map[string]string] // by name

	base   context.Context // ends when the bot is closed
	cancel context.CancelFunc
	work   *crew
}

// stats counts what happened, for the log and for tests.
type stats struct {
	handled, answered, refused, failed, expectedFailures, unsaved atomic.Int64
	duplicates, late, undecodable, panics                         atomic.Int64
}

// New returns a bot that is ready to handle interactions. It fails only when the
// embedded texts cannot be read or the store does not answer.
func New(ctx context.Context, o Options) (*Bot, error) {
	setDefaults(&o)
	texts, err := loadCatalogue()
	if err != nil {
		return nil, err
	}
	b := &Bot{opts: o, store: o.Store, api: o.API, log: o.Logger, texts: texts, starts: newStartLimiter(o.StartLimit), work: newCrew()}
	b.base, b.cancel = context.WithCancel(context.WithoutCancel(ctx))
	b.thinkers = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	b.routes()
	if o.API != nil {
		b.lateness.date = o.API.Date
	}
	b.uptime = &uptime{now: o.Now, connected: o.Connected}
	saved, err := o.Store.Uptime(ctx)
	if err != nil {
		return nil, err
	}
	b.uptime.set(saved)
	b.painter = &painter{
		render: b.render, api: o.API, note: o.Store.Note, fresh: func() { b.noted.Store(true) }, lost: b.channelLost, caught: b.caught, log: o.Logger,
		run: b.background, now: o.Now, after: o.After,
		slots: make(chan struct{}, 8), sheets: map[surface]*sheet{},
	}
	return b, nil
}

func setDefaults(o *Options) {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&o.ChallengeTTL, 15*time.Minute)
	def(&o.WorkTime, 2*time.Second)
	def(&o.BackgroundTime, 30*time.Second)
	def(&o.Tick, 250*time.Millisecond)
	def(&o.RedrawPause, 100*time.Millisecond)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Connected == nil {
		o.Connected = func() bool { return true }
	}
	if o.Replaying == nil {
		o.Replaying = func() bool { return false }
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
	done := b.work.close()
	var err error
	select {
	case <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.cancel()
	<-done
	return err
}

// view returns the views in a language, at this moment.
func (b *Bot) view(locale string) view {
	return view{
		words: b.texts.in(locale), now: b.opts.Now(), uptime: b.uptime.read(),
		marks: classicMarks, command: b.mentionCommand,
	}
}

// render makes the picture of a record for the painter.
func (b *Bot) render(ctx context.Context, s surface) (picture, error) {
	if s.match != 0 {
		m, err := b.store.Match(ctx, s.match)
		if err != nil {
			return picture{}, err
		}
		msg, err := b.view(m.Locale).match(m)
		return picture{
			msg: msg, version: m.Version, guild: m.Guild, channel: m.Channel, message: m.Message, drawn: m.Drawn,
		}, err
	}
	c, err := b.store.Challenge(ctx, s.challenge)
	if err != nil {
		return picture{}, err
	}
	return picture{
		msg: b.challengeMessage(c), version: c.Version,
		guild: c.Guild, channel: c.Channel, message: c.Message,
		skip: c.State == store.Accepted, // the message is the board's now
	}, nil
}

// apply stores a change, and with it the up-time at which it was made.
func (b *Bot) apply(ctx context.Context, c store.Change) error {
	c.Uptime = b.uptime.read()
	return b.store.Apply(ctx, c)
}

// errTooBusy: there is no time to think of a move.
var errTooBusy = errors.New("bot: too many moves to think of at once")

// thinkAlone is up to how many cells a move takes no time worth counting.
const thinkAlone = 9

// chooser returns the match's program opponent as a way to choose moves. On the
// larger boards some think for a while: only so many at once as leave a processor
// for everybody else, and who gets no turn in time is told so. A position is thought
// about once, however often the change that needs it is tried.
func (b *Bot) chooser(ctx context.Context, m store.Match) (chooseMove, error) {
	mark := botMark(m)
	if mark == engine.None {
		return nil, nil
	}
	o, err := opponentFor(m.Player(mark).Opponent, m.Rules)
	if err != nil {
		return nil, err
	}
	chosen := map[engine.Game]engine.Cell{}
	return func(g engine.Game) (engine.Cell, error) {
		if cell, ok := chosen[g]; ok {
			return cell, nil
		}
		if m.Rules.Cells() > thinkAlone {
			select {
			case b.thinkers <- struct{}{}:
				defer func() { <-b.thinkers }()
			case <-ctx.Done():
				return 0, errTooBusy
			}
		}
		chosen[g] = o.Choose(g, b.opts.Dice())
		return chosen[g], nil
	}, nil
}

// linkTo returns the address of the message that shows the surface, else of the
// channel.
func (b *Bot) linkTo(guild store.GuildID, channel store.ChannelID, s surface, stored store.MessageID) string {
	message := b.painter.known(s)
	if message == "" {
		message = stored
	}
	return messageLink(guild, channel, message)
}

func messageLink(guild store.GuildID, channel store.ChannelID, message store.MessageID) string {
	g := string(guild)
	if g == "" {
		g = "@me"
	}
	link := "https://discord.com/channels/" + g + "/" + string(channel)
	if message != "" {
		link += "/" + string(message)
	}
	return link
}
