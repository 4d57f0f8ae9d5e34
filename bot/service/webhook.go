package service

import (
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/webhook"
)

// ErrWrongKey: no interaction that Discord posts could be told from a forged one.
var ErrWrongKey = errors.New("DISCORD_PUBLIC_KEY is not the key of the application that the bot token belongs to: copy Public Key from the application's General Information page")

// Interactions returns the endpoint for interactions that Discord posts, nil without a
// key. It may be served before Run, and answers 503 until then and after its end.
func (s *Service) Interactions() http.Handler {
	if s.opts.Webhook.Key == nil {
		return nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.bot.Load() == nil {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		s.webhook.ServeHTTP(w, r)
	})
}

// newWebhook makes the handler of posted interactions, of which none come without a key.
func (s *Service) newWebhook() *webhook.Handler {
	o := s.opts.Webhook
	o.Handling, o.API, o.Fit, o.Logger, o.Now = &s.handling, s.rest, s.quirks.Fit, s.log, func() time.Time { return s.rest.DiscordTime(time.Now()) }
	o.Handle = func(in *discord.Interaction, a *webhook.Answer) {
		if s.opts.Received != nil {
			in.Received = s.opts.Received(in.Received)
		}
		// Whoever has posted it may go away: the click was made.
		s.bot.Load().Handle(context.Background(), in, a)
	}
	return webhook.New(o)
}

// checkKey compares the key with the one that Discord signs with.
func (s *Service) checkKey(a *rest.Application) error {
	key := s.opts.Webhook.Key
	if key == nil || a.VerifyKey == "" || strings.EqualFold(a.VerifyKey, hex.EncodeToString(key)) {
		return nil
	}
	return ErrWrongKey
}

// stopTaking has the service take nothing new.
func (s *Service) stopTaking() {
	s.stopping.Store(true)
	if s.opts.Webhook.Key != nil && s.opts.CloseDoor != nil {
		s.opts.CloseDoor()
	}
	s.webhook.Stop()
	s.leaving.Store(true)
}

// Refused returns how many posted interactions were refused for their signature.
func (s *Service) Refused() int64 { return s.webhook.Refused() }

// Handling returns how many interactions were begun and are not finished.
func (s *Service) Handling() int { return s.handling.Running() }
