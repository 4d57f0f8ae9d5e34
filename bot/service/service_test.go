package service_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite/sqlitetest"
)

// running is a service on a local Discord.
type running struct {
	*service.Service
	srv *sandbox.Server
	end func() error // ends it and says how it ended
}

// run starts a service on the local Discord and waits until it is ready.
func run(t *testing.T, srv *sandbox.Server, configure ...func(*service.Options)) *running {
	t.Helper()
	db := sqlitetest.Open(t)
	o := patient(srv, db)
	for _, f := range configure {
		f(&o)
	}
	r := &running{Service: service.New(o), srv: srv}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	r.end = func() error {
		stop()
		err := <-ended
		ended <- err
		return err
	}
	t.Cleanup(func() {
		_ = r.end()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	waittest.Until(t, "the service to be ready", func() bool { return r.Ready() && r.Registered() })
	return r
}

// TestFiguresBeforeDiscordAnswers: figures can be read before anybody has said whose token it is.
func TestFiguresBeforeDiscordAnswers(t *testing.T) {
	db := sqlitetest.Open(t)
	defer db.Close()
	s := service.New(patient(discord(t), db))
	if up, counts := s.Uptime(), s.Counts(); up != 0 || counts != (bot.Counts{}) {
		t.Errorf("it has been up for %v and counts %+v", up, counts)
	}
}

// patient are options of a service that has the time that the machine needs.
func patient(srv *sandbox.Server, db store.Store) service.Options {
	o := service.Options{Store: db, REST: rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()}, StopTime: waittest.Patience()}
	o.Bot.AnswerTime, o.Bot.WorkTime = waittest.Limit(answerTime), waittest.Limit(2*time.Second)
	return o
}

// answerTime is how long Discord waits for an answer.
const answerTime = 3 * time.Second

func discord(t *testing.T) *sandbox.Server {
	t.Helper()
	return sandbox.NewServer(t, func(o *sandbox.Options) {
		o.Gateway.IdentifyWindow, o.World.Deadline = time.Millisecond, waittest.Limit(answerTime)
	})
}

func TestServicePlaysAndStopsInOrder(t *testing.T) {
	srv := discord(t)
	named := ""
	s := run(t, srv, func(o *service.Options) {
		o.OnIdentified = func(a *rest.Application) { named = a.ID }
		o.NoticeTime, o.StopTime = time.Hour, time.Hour // nobody posts interactions: it does not wait
	})
	waittest.Until(t, "it to be healthy", func() bool { return s.Health(t.Context()) == nil })
	ada := srv.User("Ada")
	if r := ada.Command(t, srv.Guild().Channel("general"), "tictactoe play"); !r.Answered() {
		t.Errorf("not answered: %v", r.Problems)
	}
	waittest.Until(t, "the answer to be counted", func() bool { return s.Counts().Answered == 1 })
	if err := s.end(); err != nil {
		t.Errorf("ended with %v", err)
	}
	if named != srv.AppID() {
		t.Errorf("the application is %q, want %q", named, srv.AppID())
	}
	if s.Ready() || !errors.Is(s.Health(t.Context()), service.ErrStopping) {
		t.Error("it looks well after its end")
	}
}

func TestServiceRestartsItsSession(t *testing.T) {
	srv := discord(t)
	s := run(t, srv, quickly)
	before := s.Sessions()
	if err := s.RestartSession(); err != nil {
		t.Fatal(err)
	}
	after := s.Sessions()
	if len(before) != 1 || len(after) != 1 || after[0].Session == before[0].Session {
		t.Errorf("sessions are %+v, then %+v", before, after)
	}
	if r := srv.User("Ada").Command(t, srv.Guild().Channel("general"), "tictactoe play"); !r.Answered() {
		t.Errorf("not answered by the new session: %v", r.Problems)
	}
}

// TestServiceStopsBeforeDiscordAnswers: who stops it while Discord cannot be reached yet has
// stopped it in order, whatever the last try came to.
func TestServiceStopsBeforeDiscordAnswers(t *testing.T) {
	srv := discord(t)
	db := sqlitetest.Open(t)
	defer db.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o := patient(srv, db)
	o.REST.Transport = between(func(*http.Request) (*http.Response, error) {
		stop()
		return nil, errors.New("connection refused")
	})
	if err := service.New(o).Run(ctx); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

type between func(*http.Request) (*http.Response, error)

func (b between) RoundTrip(req *http.Request) (*http.Response, error) { return b(req) }

// TestServiceSaysWhyItEnds: the reason is a sentence that an operator can act upon,
// wherever Discord says it.
func TestServiceSaysWhyItEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*sandbox.Server)
		want string
	}{
		"token refused by the Gateway": {func(s *sandbox.Server) { s.Faults().RevokeToken() }, "Discord refused the bot token"},
		"closed for good":              {func(s *sandbox.Server) { s.Faults().CloseGateway(4014) }, "enable it on the application's Bot page"},
		"token refused by REST": {func(s *sandbox.Server) {
			general := s.Guild().Channel("general")
			general.Set(sandbox.NoBotView)
			s.Faults().ExpireTokens()
			s.Faults().FailNext(sandbox.RouteEditMessage, http.StatusUnauthorized, 10)
		}, "Discord refused the bot token"},
	} {
		t.Run(name, func(t *testing.T) {
			srv := discord(t)
			srv.AllowUnanswered()
			failed := make(chan error, 1)
			db := sqlitetest.Open(t)
			defer db.Close()
			s := service.New(patient(srv, db))
			go func() { failed <- s.Run(context.Background()) }()
			waittest.Until(t, "the service to be ready", func() bool { return s.Ready() && s.Registered() })
			general, ada, bob := srv.Guild().Channel("general"), srv.User("Ada"), srv.User("Bob")
			board := ada.Command(t, general, "tictactoe challenge", sandbox.OptUser("user", bob)).Message
			bob.Click(t, board, "Accept")
			ask := ada.Click(t, board, "⋯ More").Message
			c.end(srv)
			ada.StartClick(t, ask, "Resign")
			var err error
			select {
			case err = <-failed:
			case <-time.After(waittest.Patience()):
				t.Fatal("it goes on")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it ended with %v, want %q", err, c.want)
			}
		})
	}
}

// TestRegisterWithoutUserInstall: an application that people cannot take along has its
// commands for guilds, and says what to tick. Once that is ticked a start registers all.
func TestRegisterWithoutUserInstall(t *testing.T) {
	for name, only := range map[string]bool{"ticked": false, "not ticked": true} {
		t.Run(name, func(t *testing.T) {
			srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.GuildInstallOnly = only })
			var log bytes.Buffer
			o := service.Options{
				REST:   rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()},
				Logger: slog.New(slog.NewTextHandler(&log, nil)),
			}
			for i, want := range []bool{true, false} {
				log.Reset()
				if written, err := service.Register(t.Context(), o); err != nil || written != want {
					t.Errorf("try %d: written %v, %v", i+1, written, err)
				}
				if n := strings.Count(log.String(), "tick User Install on the application's Installation page"); (n == 1) != only {
					t.Errorf("try %d: it says %d times what to tick: %s", i+1, n, log.String())
				}
			}
			ada := srv.User("Ada", sandbox.Installed(true))
			for channel, want := range map[*sandbox.Channel]bool{
				srv.Guild().Channel("general"): true, ada.DM(): true, srv.World().PrivateChannel(ada, srv.User("Bob")): !only,
			} {
				if got := len(sandbox.Offered(ada, channel)) > 0; got != want {
					t.Errorf("commands are offered in %s: %v, want %v", channel.Name(), got, want)
				}
			}
		})
	}
}

func TestRegisterNeedsNoStore(t *testing.T) {
	srv := discord(t)
	o := service.Options{REST: rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()}}
	for i, want := range []bool{true, false} {
		if written, err := service.Register(t.Context(), o); err != nil || written != want {
			t.Errorf("try %d: written %v, %v", i+1, written, err)
		}
	}
	o.REST.Token = "MTIz.wrong.token"
	if _, err := service.Register(t.Context(), o); err == nil || !strings.Contains(err.Error(), "DISCORD_TOKEN") {
		t.Errorf("with a wrong token: %v", err)
	}
}
