package main

import (
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
	"tictactoe/bot/rest"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// The waits of the program's own life.
const (
	drainTime     = 5 * time.Second // for what was begun, at the end
	startBackoff  = 500 * time.Millisecond
	startBackoffs = time.Minute // the longest
)

// app is a bot that plays: store, connection and game, wired together.
type app struct {
	log      *slog.Logger
	discord  discordConfig
	game     gameConfig
	store    *sqlite.Store
	rest     *rest.Client
	bot      *bot.Bot
	timing   gateway.Timing
	announce func(invite string)

	gateway atomic.Pointer[gateway.Supervisor] // once it connects

	mu      sync.Mutex
	reason  error // why it cannot go on
	stop    context.CancelFunc
	restart context.CancelFunc // ends the Gateway session, and another begins
}

// play connects and plays until the context ends, then lets what was begun finish.
// It returns nil after an orderly end, and otherwise why it cannot go on.
func (a *app) play(ctx context.Context) error {
	ctx, a.stop = context.WithCancel(ctx)
	defer a.stop()
	a.rest = rest.New(rest.Options{
		BaseURL: a.discord.apiURL, Token: string(a.discord.token), Logger: a.log,
		OnUnauthorized: func(err error) { a.fail(fmt.Errorf("%s: %w", adviceWrongToken, err)) },
	})
	application, err := a.identify(ctx)
	if err != nil {
		return a.outcome(ctx, err)
	}
	a.bot, err = bot.New(ctx, bot.Options{
		Store: a.store, API: a.rest, Logger: a.log, Connected: a.ready, Replaying: a.replaying,
		ChallengeTTL: a.game.challengeTTL, DefaultClock: a.game.clock, StartLimit: a.game.limit,
		CommandGuild: store.GuildID(a.discord.guild),
	})
	if err != nil {
		return a.outcome(ctx, err)
	}
	if a.announce != nil {
		a.announce(inviteLink(application.ID))
	}
	var work sync.WaitGroup
	work.Go(func() { a.register(ctx) })
	work.Go(func() {
		if err := a.bot.Run(ctx); err != nil {
			a.log.Error("the up-time was not saved at the end", "error", err)
		}
	})
	err = a.connect(ctx)
	a.stop()
	work.Wait()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := a.bot.Close(drain); err != nil {
		a.log.Warn("stopped with messages undrawn", "error", err)
	}
	return a.outcome(ctx, err)
}

// connect keeps a Gateway session until the context ends or Discord wants no more,
// and lets the interactions that came over it finish.
func (a *app) connect(ctx context.Context) error {
	for {
		session, stop := context.WithCancel(ctx)
		supervisor := gateway.New(gateway.Options{
			Token: string(a.discord.token), GatewayBot: a.rest.GatewayBot, Logger: a.log, Timing: a.timing,
			OnInteraction: func(_ int, raw json.RawMessage, received time.Time) {
				a.bot.HandleInteraction(raw, received)
			},
		})
		a.gateway.Store(supervisor)
		a.mu.Lock()
		a.restart = stop
		a.mu.Unlock()
		err := supervisor.Run(session)
		stop()
		drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
		if err := supervisor.Drain(drain); err != nil {
			a.log.Warn("session ended with interactions unfinished", "error", err)
		}
		cancel()
		if err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// errNotRestarted: the session did not come back in time.
var errNotRestarted = errors.New("the session did not come back")

// restartTime is how long a new session may take.
const restartTime = 15 * time.Second

// restartSession closes the Gateway session and returns when another is open.
func (a *app) restartSession() error {
	a.mu.Lock()
	restart, old := a.restart, a.gateway.Load()
	a.mu.Unlock()
	if restart == nil {
		return errNotRestarted
	}
	restart()
	deadline := time.After(restartTime)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for a.gateway.Load() == old || !a.ready() {
		select {
		case <-deadline:
			return errNotRestarted
		case <-tick.C:
		}
	}
	return nil
}

// ready reports whether clicks can reach the bot.
func (a *app) ready() bool {
	s := a.gateway.Load()
	return s != nil && s.Ready()
}

// replaying reports whether what arrives may have been sent before.
func (a *app) replaying() bool {
	s := a.gateway.Load()
	return s != nil && s.Replaying()
}

const adviceWrongToken = "Discord refused the bot token: copy the current one from the application's Bot page (it changes with every reset) into DISCORD_TOKEN"

// fail ends play with the reason.
func (a *app) fail(reason error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.reason == nil {
		a.reason = reason
	}
	a.stop()
}

// outcome returns the reason why play ended: the one that fail was given comes
// first, and an ended context is an orderly end.
func (a *app) outcome(ctx context.Context, err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.reason != nil:
		return a.reason
	case errors.Is(err, rest.ErrUnauthorized):
		return fmt.Errorf("%s: %w", adviceWrongToken, err)
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return nil
	default:
		return err
	}
}

// identify asks Discord whose token it is, for as long as that is not answered.
func (a *app) identify(ctx context.Context) (*rest.Application, error) {
	var application *rest.Application
	err := a.persist(ctx, "Discord not reached", func() (err error) {
		application, err = a.rest.Application(ctx)
		return err
	})
	return application, err
}

// register writes the commands, for as long as that does not succeed; the game goes
// on meanwhile with those that are there.
func (a *app) register(ctx context.Context) {
	_ = a.persist(ctx, "commands not registered", func() error {
		written, err := a.bot.Register(ctx)
		if err == nil && written {
			a.log.Info("commands registered")
		}
		if errors.Is(err, rest.ErrInvalidForm) {
			a.log.Error("Discord refused the commands", "error", err)
			return nil // another try would be refused as well
		}
		return err
	})
}

// persist tries until it succeeds, the context ends, or the token is refused.
func (a *app) persist(ctx context.Context, what string, try func() error) error {
	for wait := startBackoff; ; wait = min(2*wait, startBackoffs) {
		err := try()
		if err == nil || errors.Is(err, rest.ErrUnauthorized) || ctx.Err() != nil {
			return err
		}
		a.log.Warn(what+", trying again", "in", wait, "error", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Permissions that the bot asks for: to see channels, so that it can edit its own
// messages there, and to write follow-ups in channels and threads (Discord's
// documentation, Permissions).
const leastPermissions = 1<<10 | 1<<11 | 1<<38

func inviteLink(application string) string {
	return fmt.Sprintf("https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d",
		application, leastPermissions)
}
