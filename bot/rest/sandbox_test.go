package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/waittest"
)

// local is a client in the local Discord, which receives interactions through the
// client library and leaves answering to the test.
type local struct {
	*rest.Client
	t     *testing.T
	srv   *sandbox.Server
	ada   *sandbox.User
	place *sandbox.Channel
	in    chan interaction
}

type interaction struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	call  *sandbox.Call
}

func connectLocally(t *testing.T) *local {
	t.Helper()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Deadline = waittest.Limit(3 * time.Second) })
	l := &local{t: t, srv: srv, ada: srv.User("Ada"), place: srv.Guild().Channel("general"), in: make(chan interaction, 10)}
	l.Client = rest.New(rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()})
	ctx := within(t, patience)
	if _, err := l.Application(ctx); err != nil {
		t.Fatal(err)
	}
	command := []map[string]any{{"name": "ping", "description": "Answers", "contexts": []int{0, 1}, "integration_types": []int{0}}}
	if _, err := l.OverwriteCommands(ctx, "", command); err != nil {
		t.Fatal(err)
	}
	session := srv.Session()
	session.LogLevel = -1
	session.Identify.Intents = discordgo.IntentsNone
	session.ShouldReconnectOnError = false // its first heartbeat may come after Close, and would connect again for ever
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "INTERACTION_CREATE" {
			var in interaction
			if err := json.Unmarshal(e.RawData, &in); err != nil {
				t.Error(err)
			}
			l.in <- in
		}
	})
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		l.Close()
	})
	return l
}

// ping sends a command and returns what the bot receives.
func (l *local) ping() interaction {
	l.t.Helper()
	call := l.ada.StartCommand(l.t, l.place, "ping")
	in := <-l.in
	in.call = call
	return in
}

func (l *local) respond(in interaction) (*rest.Message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Limit(2500*time.Millisecond))
	defer cancel()
	return l.Respond(ctx, in.ID, in.Token, rest.Callback{Type: rest.CallbackMessage, Data: content("pong")})
}

func content(text string) map[string]any {
	return map[string]any{"content": text, "allowed_mentions": map[string]any{"parse": []string{}}}
}

// A fault on the way of an answer costs the person nothing: the answer is there
// once, in time.
func TestAnswersThroughFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(*sandbox.Server)
		want  error
	}{
		"none":              {func(*sandbox.Server) {}, nil},
		"500":               {func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 500) }, nil},
		"503 twice":         {func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 503, 2) }, nil},
		"applied, then 502": {func(s *sandbox.Server) { s.Faults().ApplyThenFailNext(sandbox.RouteCallback) }, rest.ErrAlreadyAcknowledged},
		"reset":             {func(s *sandbox.Server) { s.Faults().ResetNext(sandbox.RouteCallback, false) }, nil},
		"applied, reset":    {func(s *sandbox.Server) { s.Faults().ResetNext(sandbox.RouteCallback, true) }, rest.ErrAlreadyAcknowledged},
		"hang":              {func(s *sandbox.Server) { s.Faults().HangNext(sandbox.RouteCallback) }, nil},
		"429 user": {func(s *sandbox.Server) {
			s.Faults().RateLimitNext(sandbox.RouteCallback, 100*time.Millisecond, sandbox.ScopeUser)
		}, nil},
		"429 shared": {func(s *sandbox.Server) {
			s.Faults().RateLimitNext(sandbox.RouteCallback, 100*time.Millisecond, sandbox.ScopeShared)
		}, nil},
		"slow":               {func(s *sandbox.Server) { s.Faults().SlowNext(sandbox.RouteCallback, 200*time.Millisecond) }, nil},
		"other routes broke": {func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteEditMessage, 500) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := connectLocally(t)
			c.fault(l.srv)
			in := l.ping()
			m, err := l.respond(in)
			if !errors.Is(err, c.want) || c.want == nil && (err != nil || m == nil || m.ID == "") {
				t.Errorf("respond: got %+v, %v, want %v", m, err, c.want)
			}
			if r := in.call.Wait(t); !r.Answered() || r.Text() != "pong" {
				t.Errorf("the person sees %+v", r)
			}
			if got := len(l.place.Messages(l.ada)); got != 1 {
				t.Errorf("messages: got %d, want 1", got)
			}
		})
	}
}

// What one interaction allows, from the first answer to the end of its token.
func TestLifeOfAnInteractionToken(t *testing.T) {
	t.Parallel()
	l := connectLocally(t)
	ctx := within(t, patience)
	in := l.ping()
	if _, err := l.EditByToken(ctx, in.Token, "@original", content("early")); !errors.Is(err, rest.ErrTokenDead) {
		t.Errorf("edit before the answer: got %v, want ErrTokenDead", err)
	}
	first, err := l.respond(in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.respond(in); !errors.Is(err, rest.ErrAlreadyAcknowledged) || !errors.Is(err, rest.ErrAnsweredElsewhere) {
		t.Errorf("second answer: got %v, want ErrAlreadyAcknowledged by another answer", err)
	}
	if m, err := l.GetOriginal(ctx, in.Token); err != nil || m.ID != first.ID {
		t.Errorf("original: got %+v, %v, want message %s", m, err, first.ID)
	}
	if m, err := l.EditByToken(ctx, in.Token, "@original", content("edited")); err != nil || m.ID != first.ID {
		t.Errorf("edit: got %+v, %v", m, err)
	}
	follow, err := l.FollowUp(ctx, in.Token, map[string]any{"content": "psst", "flags": 64})
	if err != nil || follow.Flags&64 == 0 {
		t.Fatalf("follow-up: got %+v, %v, want an ephemeral message", follow, err)
	}
	if _, err := l.EditByToken(ctx, in.Token, follow.ID, content("psst!")); err != nil {
		t.Errorf("edit of the follow-up: %v", err)
	}
	if _, err := l.EditMessage(ctx, l.place.ID(), follow.ID, content("x")); !errors.Is(err, rest.ErrUnknownMessage) || !rest.Gone(err) {
		t.Errorf("ephemeral message by channel: got %v, want ErrUnknownMessage", err)
	}
	l.srv.Faults().ExpireToken(in.call)
	if _, err := l.EditByToken(ctx, in.Token, "@original", content("late")); !errors.Is(err, rest.ErrTokenDead) || errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("edit with a dead token: got %v, want ErrTokenDead only", err)
	}
	if _, err := l.EditMessage(ctx, l.place.ID(), first.ID, content("by channel")); err != nil {
		t.Errorf("edit by channel: %v", err)
	}
	if _, err := l.Respond(ctx, "123", "no-such-token", rest.Callback{Type: rest.CallbackDeferUpdate}); !errors.Is(err, rest.ErrUnknownInteraction) {
		t.Errorf("unknown interaction: got %v, want ErrUnknownInteraction", err)
	}
}

// The bot's own messages, through faults and lost rights.
func TestChannelMessages(t *testing.T) {
	t.Parallel()
	l := connectLocally(t)
	ctx := within(t, patience)
	body := content("board")
	body["nonce"], body["enforce_nonce"] = "n-1", true
	l.srv.Faults().ApplyThenFailNext(sandbox.RouteCreateMessage)
	m, err := l.CreateMessage(ctx, l.place.ID(), body)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(l.place.Messages(l.ada)); got != 1 {
		t.Errorf("messages after a repeated post: got %d, want 1", got)
	}
	l.srv.Faults().RateLimitNext(sandbox.RouteEditMessage, 100*time.Millisecond, sandbox.ScopeUser)
	if _, err := l.EditMessage(ctx, l.place.ID(), m.ID, content("edited")); err != nil {
		t.Errorf("edit after a 429: %v", err)
	}
	if _, err := l.EditMessage(ctx, l.place.ID(), m.ID, content(string(make([]byte, 3000)))); !errors.Is(err, rest.ErrInvalidForm) {
		t.Errorf("oversized edit: got %v, want ErrInvalidForm", err)
	}
	l.place.Set(sandbox.NoBotPosts)
	if _, err := l.CreateMessage(ctx, l.place.ID(), content("again")); !errors.Is(err, rest.ErrMissingPermissions) || !rest.Forbidden(err) {
		t.Errorf("post without permission: got %v, want ErrMissingPermissions", err)
	}
	if err := l.DeleteMessage(ctx, l.place.ID(), m.ID); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := l.EditMessage(ctx, l.place.ID(), m.ID, content("x")); !rest.Gone(err) {
		t.Errorf("edit of a deleted message: got %v, want it gone", err)
	}
	l.place.Delete()
	if _, err := l.CreateMessage(ctx, l.place.ID(), content("x")); !errors.Is(err, rest.ErrUnknownChannel) {
		t.Errorf("post in a deleted channel: got %v, want ErrUnknownChannel", err)
	}
}

// TestOldMessagesWaitTheirTurn: of messages older than an hour a channel takes few edits at a
// time, of which no header tells. What comes too soon waits, asks once, and arrives.
func TestOldMessagesWaitTheirTurn(t *testing.T) {
	t.Parallel()
	now := clock.NewManual(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock, o.REST.OldEditWindow = now, 500*time.Millisecond })
	c := rest.New(rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()})
	t.Cleanup(c.Close)
	ctx := within(t, patience)
	place := srv.Guild().Channel("general")
	m, err := c.CreateMessage(ctx, place.ID(), content("board"))
	if err != nil {
		t.Fatal(err)
	}
	now.Advance(time.Hour)
	for i := range 5 {
		if _, err := c.EditMessage(ctx, place.ID(), m.ID, content(fmt.Sprint(i))); err != nil {
			t.Errorf("edit %d: %v", i, err)
		}
	}
	if n := srv.REST().InvalidRequests(); n > 1 || place.LastMessage(nil).Text() != "4" {
		t.Errorf("%d requests were refused, and the message says %q", n, place.LastMessage(nil).Text())
	}
}

// More edits than a bucket takes are spread by the client: the server refuses none.
func TestEditsKeepWithinTheBucket(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.REST.BucketLimit, o.REST.BucketWindow = 5, 300*time.Millisecond })
	c := rest.New(rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()})
	t.Cleanup(c.Close)
	place := srv.Guild().Channel("general")
	ctx := within(t, patience)
	m, err := c.CreateMessage(ctx, place.ID(), content("0"))
	if err != nil {
		t.Fatal(err)
	}
	all(t, 23, 8, func(int) error {
		_, err := c.EditMessage(ctx, place.ID(), m.ID, content("x"))
		return err
	})
	refused := 0
	for _, r := range srv.REST().Requests() {
		if r.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused > 0 {
		t.Errorf("requests refused with 429: got %d, want 0", refused)
	}
}

func TestRevokedTokenInTheLocalDiscord(t *testing.T) {
	srv := sandbox.NewServer(t)
	told := make(chan error, 1)
	c := rest.New(rest.Options{BaseURL: srv.APIURL(), Token: srv.Token(), OnUnauthorized: func(err error) { told <- err }})
	t.Cleanup(c.Close)
	srv.Faults().RevokeToken()
	if _, err := c.GatewayBot(within(t, patience)); !errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("got %v, want ErrUnauthorized", err)
	}
	select {
	case err := <-told:
		if !errors.Is(err, rest.ErrUnauthorized) {
			t.Errorf("told: got %v, want ErrUnauthorized", err)
		}
	case <-time.After(waittest.Patience()):
		t.Error("nobody was told")
	}
}

// TestMember asks for members of a guild: by the name that is shown there, and one who
// has left.
func TestMember(t *testing.T) {
	t.Parallel()
	l := connectLocally(t)
	guild := l.srv.Guild()
	nick := l.srv.User("Bob", sandbox.Nick("Bobby"))
	for who, want := range map[*sandbox.User]string{l.ada: "Ada", nick: "Bobby"} {
		m, err := l.Member(within(t, patience), guild.ID(), who.ID())
		if err != nil || m.DisplayName() != want {
			t.Errorf("Member(%s) = %+v, %v, want %s", who.ID(), m, err, want)
		}
	}
	nick.Leave(guild)
	for _, id := range []string{nick.ID(), "1"} {
		if m, err := l.Member(within(t, patience), guild.ID(), id); !errors.Is(err, rest.ErrUnknownMember) {
			t.Errorf("Member(%s) = %+v, %v, want ErrUnknownMember", id, m, err)
		}
	}
	if _, err := l.Member(within(t, patience), "1", l.ada.ID()); errors.Is(err, rest.ErrUnknownMember) || err == nil {
		t.Errorf("in a guild that the bot is not in: %v, want another error", err)
	}
}

// TestGuild: the bot is in a guild, or is told that it is not.
func TestGuild(t *testing.T) {
	t.Parallel()
	l := connectLocally(t)
	left := l.srv.World().AddGuild("left")
	if err := l.Guild(within(t, patience), left.ID()); err != nil {
		t.Errorf("in the guild: %v", err)
	}
	left.RemoveBot()
	for _, id := range []string{left.ID(), "404"} {
		if err := l.Guild(within(t, patience), id); !errors.Is(err, rest.ErrUnknownGuild) && !errors.Is(err, rest.ErrMissingAccess) {
			t.Errorf("not in the guild %s: %v", id, err)
		}
	}
}
