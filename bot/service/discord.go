package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
)

// The waits between tries to reach Discord at the start: the first, and the longest.
const (
	startBackoff  = 500 * time.Millisecond
	startBackoffs = time.Minute
)

const adviceWrongToken = "Discord refused the bot token: copy the current one from the application's Bot page (it changes with every reset) into DISCORD_TOKEN"

func tokenRefused(err error) error { return fmt.Errorf("%s: %w", adviceWrongToken, err) }

// identify asks Discord whose token it is, for as long as that is not answered.
func (s *Service) identify(ctx context.Context) (*rest.Application, error) {
	var application *rest.Application
	err := s.persist(ctx, "Discord not reached", startBackoffs, func() (err error) {
		application, err = s.rest.Application(ctx)
		return err
	})
	return application, err
}

// register writes the commands, for as long as that does not succeed. The game goes
// on meanwhile with those that are there.
func (s *Service) register(ctx context.Context, b *bot.Bot) {
	_ = s.persist(ctx, "commands not registered", startBackoffs, func() error {
		written, err := b.Register(ctx)
		if err == nil && written {
			s.log.Info("commands registered")
		}
		s.registered.Store(err == nil)
		if errors.Is(err, rest.ErrInvalidForm) {
			s.log.Error("Discord refused the commands", "error", err)
			return nil // another try would be refused as well
		}
		return err
	})
	if s.Registered() && s.opts.OnRegistered != nil {
		s.opts.OnRegistered()
	}
}

// Registered reports whether Discord has the commands as they are meant to be.
func (s *Service) Registered() bool { return s.registered.Load() }

// persist tries until it succeeds, the context ends, or the token is refused, with longer
// and longer waits up to the longest.
func (s *Service) persist(ctx context.Context, what string, longest time.Duration, try func() error) error {
	for wait := startBackoff; ; wait = min(2*wait, longest) {
		err := try()
		if err == nil || errors.Is(err, rest.ErrUnauthorized) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.log.Warn(what+", trying again", "in", wait, "error", err)
		if err := tasks.Sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// Register writes the application commands where they differ from what is registered,
// and reports whether they did. It needs no store and no Gateway.
func Register(ctx context.Context, o Options) (written bool, err error) {
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.REST.Logger = o.Logger
	client := rest.New(o.REST)
	defer client.Close()
	if _, err = client.Application(ctx); err == nil {
		_, written, err = bot.Register(ctx, o.Logger, client, o.Bot.CommandGuild)
	}
	if errors.Is(err, rest.ErrUnauthorized) {
		err = tokenRefused(err)
	}
	return written, err
}
