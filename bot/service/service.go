// Package service is the bot as it runs: a store, Discord's REST API, a Gateway
// connection, signed HTTP or both, and the game, wired together. The commands run and sandbox start it,
// and so does every test of a whole flow: what is tested is what is shipped.
//
// It reads no settings, prints nothing and opens no store. Whoever starts a service
// does that, and owns the store.
package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/quirks"
	"tictactoe/bot/rest"
	"tictactoe/bot/webhook"
	"tictactoe/store"
)

// Options say what a service is made of. Store and REST.Token are required. The zero
// value of every other field is what production wants; tests and the local Discord
// put their clocks, dice, transports and waits into the options of the parts. What
// the service itself connects is set by it: the Store, API, Logger, Application, Connected,
// Served, Wanted and Quirks of Bot, the Logger, Quirks and OnUnauthorized of REST, the Token,
// GatewayBot, OnInteraction, Handling and Logger of Gateway, and the Handle, Handling, API, Now
// and Logger of Webhook.
type Options struct {
	Store  store.Store  // open for as long as Run runs
	Logger *slog.Logger // default: discards

	Bot     bot.Options
	REST    rest.Options
	Gateway gateway.Options
	// Webhook says how interactions are taken that Discord posts. With a Key they are,
	// by Interactions.
	Webhook webhook.Options
	// GatewayOff has the service make no connection: interactions only come by HTTP.
	GatewayOff bool
	// PlainMarks leaves the marks in texts as symbols that every device has, and uploads
	// no others.
	PlainMarks bool
	// Shards says how the Gateway is split, and which part of it is this process's.
	Shards Shards

	// OnIdentified, if set, is called once Discord has said whose token it is, before
	// anything is played.
	OnIdentified func(*rest.Application)
	// OnRegistered, if set, is called once Discord has the commands as they are meant to be.
	OnRegistered func()
	// Received, if set, returns when the interaction that has just come counts as
	// received. The default is the moment that it is given.
	Received func(time.Time) time.Time
	// NoticeTime is for how long, from the moment that the service is told to end, it
	// goes on as before where Discord posts interactions: only Health says at once that it
	// stops, for balancers to notice. Default: 4 s; negative for none.
	NoticeTime time.Duration
	// CloseDoor, if set, is called after that time and before posted interactions are
	// turned away: whoever serves them takes no more connections, and lets those finish
	// that there are.
	CloseDoor func()
	// StopTime is how long Run may take to end, from that moment on: what is unfinished
	// then is cut short. Default: 7.5 s.
	StopTime time.Duration
}

// Service is one running bot. Its methods are safe for concurrent use.
type Service struct {
	opts Options
	log  *slog.Logger

	rest    *rest.Client
	webhook *webhook.Handler
	quirks  quirks.Set
	keeping sync.WaitGroup // of what was found of them

	handling tasks.Group // interactions, however they came

	writable   func(context.Context) (bool, error)              // checkStore, for all who ask
	gatewayBot func(context.Context) (*rest.GatewayInfo, error) // for all shards; nobody writes to an answer

	registered atomic.Bool
	marked     atomic.Bool
	leaving    atomic.Bool // Health says so
	stopping   atomic.Bool // nothing new is taken

	application store.ApplicationID // whose token it is; set before there is a bot

	bot    atomic.Pointer[bot.Bot] // once Discord has said whose token it is
	layout atomic.Pointer[layout]  // empty until it is known
	end    context.CancelCauseFunc // of Run; nothing fails before that
}

// ErrUnfinished says that a service stopped before all that it had begun was done:
// interactions that were not answered, or messages that do not show what is stored.
// The next start makes the messages good.
var ErrUnfinished = errors.New("service: stopped with work unfinished")

// New returns a service. Nothing is sent before Run.
func New(o Options) *Service {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.NoticeTime = cmp.Or(o.NoticeTime, 4*time.Second)
	o.StopTime = cmp.Or(o.StopTime, 7500*time.Millisecond)
	o.Gateway.Identifies = cmp.Or(o.Gateway.Identifies, gateway.NewIdentifies())
	s := &Service{opts: o, log: o.Logger}
	if turns, ok := o.Store.(gateway.Turns); ok {
		s.opts.Gateway.Identifies.Share(turns)
	}
	s.layout.Store(new(layout))
	s.quirks.Found = s.keepQuirk
	o.REST.Logger, o.REST.Quirks = o.Logger, &s.quirks
	o.REST.OnUnauthorized = func(err error) { s.fail(tokenRefused(err)) }
	s.rest = rest.New(o.REST)
	s.webhook = s.newWebhook()
	s.writable = recent.Answers(healthShared, s.checkStore)
	s.gatewayBot = recent.Answers(sharedAnswer, s.rest.GatewayBot)
	return s
}

// Run connects and plays until the context ends, and then lets what was begun finish.
// It returns nil after an orderly end, ErrUnfinished when not all was finished in
// time, and otherwise a sentence that says why it cannot go on. Call it once.
func (s *Service) Run(ctx context.Context) error {
	defer s.keeping.Wait()
	defer s.rest.Close()
	ctx, s.end = context.WithCancelCause(ctx)
	defer s.end(nil)
	last, play, stop := s.ending(ctx)
	defer stop()

	application, err := s.identify(ctx)
	if err != nil {
		return s.outcome(ctx, err)
	}
	if err := s.checkKey(application); err != nil {
		return err
	}
	s.application = store.ApplicationID(application.ID)
	b, err := s.newBot(ctx)
	if err != nil {
		return s.outcome(ctx, err)
	}
	if s.opts.OnIdentified != nil {
		s.opts.OnIdentified(application)
	}
	var work sync.WaitGroup
	work.Go(func() { s.watchStore(play) })
	work.Go(func() { s.register(ctx, b) })
	if !s.opts.PlainMarks {
		work.Go(func() { s.uploadMarks(ctx, b) })
	}
	work.Go(func() { b.Run(play) })
	err = s.connect(ctx, b)
	s.end(nil)
	<-play.Done()
	if unfinished := s.handling.Wait(last); unfinished != nil {
		err = errors.Join(err, fmt.Errorf("%w: interactions: %w", ErrUnfinished, unfinished))
	}
	work.Wait()
	if leaving := b.Leave(last); leaving != nil {
		s.log.Error("the up-time was not saved at the end", "error", leaving)
	}
	if closing := b.Close(last); closing != nil {
		err = errors.Join(err, fmt.Errorf("%w: messages undrawn: %w", ErrUnfinished, closing))
	}
	s.log.Info("stopped", "counts", b.Counts())
	return s.outcome(ctx, err)
}

// ending returns the contexts of what goes on when the given one has ended: play until
// nothing new is taken any more, and last until the service has to be done.
func (s *Service) ending(ctx context.Context) (last, play context.Context, stop func()) {
	last, cut := context.WithCancel(context.WithoutCancel(ctx))
	play, end := context.WithCancel(last)
	ended := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(ended)
		defer end()
		time.AfterFunc(s.opts.StopTime, cut)
		var failed failure
		if s.opts.Webhook.Key != nil && s.opts.NoticeTime > 0 && !errors.As(context.Cause(ctx), &failed) {
			s.leaving.Store(true)
			_ = tasks.Sleep(last, s.opts.NoticeTime)
		}
		s.stopTaking()
	})
	return last, play, func() {
		cut()
		if !forget() {
			<-ended
		}
	}
}

// watchStore ends the service when the store has failed for good: what could not be
// saved must not be played.
func (s *Service) watchStore(ctx context.Context) {
	select {
	case <-s.opts.Store.Failed():
		s.fail(fmt.Errorf("the database cannot be used any more; see to it and start again: %w", s.opts.Store.Err()))
	case <-ctx.Done():
	}
}

// Counts returns what the bot has counted so far.
func (s *Service) Counts() bot.Counts {
	b := s.bot.Load()
	if b == nil {
		return bot.Counts{}
	}
	return b.Counts()
}

// Uptime returns the bot's own time since the start, which stands still while people
// cannot play.
func (s *Service) Uptime() time.Duration {
	b := s.bot.Load()
	if b == nil {
		return 0
	}
	return b.Uptime()
}

// Reachable reports whether Discord's REST API answers, as far as the last calls tell:
// the Gateway may live while it does not.
func (s *Service) Reachable() bool { return s.rest.Reachable() }

// CloseIdleConnections drops connections to Discord's REST API that nobody uses. The
// next request opens another.
func (s *Service) CloseIdleConnections() { s.rest.Close() }

// newBot makes the bot on the store, and lets the rest of the service see it.
func (s *Service) newBot(ctx context.Context) (*bot.Bot, error) {
	known, err := s.opts.Store.Quirks(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range known {
		s.quirks.Know(quirks.Quirk(name))
	}
	o := s.opts.Bot
	o.Store, o.API, o.Logger, o.Quirks = s.opts.Store, s.rest, s.log, &s.quirks
	o.Application = s.application
	o.Connected, o.Served, o.Wanted = s.connected, s.Served, s.wanted
	b, err := bot.New(ctx, o)
	if err != nil {
		return nil, err
	}
	s.bot.Store(b)
	return b, nil
}

// keepTime bounds the keeping of a quirk: without it is found again.
const keepTime = 5 * time.Second

// keepQuirk tells of a quirk that was just found, and has the next start know it.
func (s *Service) keepQuirk(q quirks.Quirk) {
	s.log.Warn("Discord does not do what the bot relies on: its messages have another form from now on", "quirk", q)
	s.keeping.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), keepTime)
		defer cancel()
		if err := s.opts.Store.KeepQuirk(ctx, string(q)); err != nil {
			s.log.Warn("the next start does not know of it", "quirk", q, "error", err)
		}
	})
}

// Quirks returns what Discord was found to do otherwise than the bot relies on.
func (s *Service) Quirks() *quirks.Set { return &s.quirks }

// supervisor makes the next Gateway session of a shard.
func (s *Service) supervisor(ctx context.Context, b *bot.Bot, one *session, stopping func() bool) *gateway.Supervisor {
	o := s.opts.Gateway
	o.Token, o.GatewayBot, o.Logger = s.opts.REST.Token, s.gatewayBot, s.log
	o.ShardID, o.ShardCount = one.shard, one.count
	o.Session = s.kept(ctx, one)
	o.May = func(ctx context.Context) error { return one.await(ctx, b) }
	o.Leave = func() bool { return stopping() && one.leaves(b) }
	o.OnInteraction, o.Handling = s.Handle, &s.handling
	return gateway.New(o)
}

// Handle takes an interaction as Discord sent it, over the Gateway or not. It returns when
// the interaction was answered, and does nothing before Discord has said whose token it is.
func (s *Service) Handle(raw json.RawMessage, received time.Time) {
	b := s.bot.Load()
	if b == nil {
		return
	}
	if s.opts.Received != nil {
		received = s.opts.Received(received)
	}
	b.HandleInteraction(raw, received)
}

// fail ends Run with the reason.
func (s *Service) fail(reason error) { s.end(failure{reason}) }

// failure is the reason why a service cannot go on, in words for its operator.
type failure struct{ error }

// outcome returns the reason why Run ended: the one that fail was given comes first,
// and an ended context is an orderly end.
func (s *Service) outcome(ctx context.Context, err error) error {
	if failed, ok := errors.AsType[failure](context.Cause(ctx)); ok {
		return failed.error
	}
	switch {
	case errors.Is(err, rest.ErrUnauthorized):
		return tokenRefused(err)
	case ctx.Err() != nil && errors.Is(err, context.Canceled) && !errors.Is(err, ErrUnfinished):
		return nil
	}
	return err
}
