package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
)

// ping is another bot, with one feature: a command that says how long it was waited for.
type ping struct{}

func (ping) Request(ctx context.Context, c *Call) (context.Context, *Call) { return ctx, c }

func (ping) Find(_ context.Context, c *Call) (key, name string, err error) {
	return c.Command, c.Command, nil
}

func (p ping) Conclude(_ context.Context, c *Call, answer Response, err error) Response {
	if err != nil {
		return p.Explain(c, err)
	}
	return answer
}

func (ping) Explain(c *Call, err error) Response {
	c.Outcome = Refused
	return say(err.Error())
}

func (ping) Acknowledge(ctx context.Context, _ *Call, answer Response, send Send) {
	_, _ = send.Answer(ctx, answer)
}

func say(words string) Response {
	return Response{Kind: rest.CallbackMessage, Message: discord.Message{Content: words, Ephemeral: true}}
}

// feature is what ping does.
var feature = Routes[string, *Call, Response]{
	"ping":  {Handle: func(_ context.Context, c *Call) (Response, error) { return say("pong"), nil }},
	"fail":  {Handle: func(context.Context, *Call) (Response, error) { return Response{}, errors.New("not today") }},
	"panic": {Handle: func(context.Context, *Call) (Response, error) { panic("at once") }, Stores: true},
	"wait": {Handle: func(ctx context.Context, _ *Call) (Response, error) {
		<-ctx.Done()
		return Response{}, ctx.Err()
	}},
}

// discordClock is all that is there of Discord: how far its clock is ahead of ours.
type discordClock struct{ ahead time.Duration }

func (c *discordClock) DiscordTime(at time.Time) time.Time { return at.Add(c.ahead) }

func (*discordClock) Respond(context.Context, string, string, rest.Callback) (*rest.Message, error) {
	return nil, errors.New("nobody answers that way here")
}

// answers keeps what was said.
type answers struct {
	mu   sync.Mutex
	said []string
}

func (a *answers) Answer(_ context.Context, _ *discord.Interaction, cb rest.Callback) (*rest.Message, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var words struct{ Content string }
	err := json.Unmarshal(cb.Data.(json.RawMessage), &words)
	a.said = append(a.said, words.Content)
	return nil, err
}

func newPing(t *testing.T) (*Dispatcher[string, *Call, Response], *discordClock, *Stats) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	clock, stats, work := &discordClock{}, &Stats{}, NewWork(t.Context(), log, time.Minute)
	t.Cleanup(func() {
		if err := work.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return New(Options{API: clock, Log: log, Work: work, AnswerTime: discord.AnswerTime, WorkTime: 10 * time.Millisecond}, ping{}, feature, stats), clock, stats
}

// TestAnotherBot: a bot that shares nothing with the game is served by the dispatcher alone.
func TestAnotherBot(t *testing.T) {
	d, _, stats := newPing(t)
	ask := func(id, command string) []string {
		said := &answers{}
		d.Handle(t.Context(), &discord.Interaction{ID: id, Kind: discord.KindCommand, Command: command, Received: time.Now()}, said)
		return said.said
	}
	for id, test := range []struct{ command, want string }{
		{"ping", "pong"}, {"fail", "not today"}, {"panic", "panic: at once"}, {"dance", ErrNoRoute.Error()}, {"wait", context.DeadlineExceeded.Error()},
	} {
		if said := ask(strconv.Itoa(id), test.command); len(said) != 1 || said[0] != test.want {
			t.Errorf("%s: %q, want %q", test.command, said, test.want)
		}
		if said := ask(strconv.Itoa(id), test.command); len(said) != 0 {
			t.Errorf("%s, delivered again: %q", test.command, said)
		}
	}
	if a, again := stats.Answered.Load(), stats.Duplicates.Load(); a != 5 || again != 5 {
		t.Errorf("%d were answered and %d came again, want 5 and 5", a, again)
	}
}

// TestJoin: two features cannot have one key.
func TestJoin(t *testing.T) {
	other := Routes[string, *Call, Response]{"pong": {}}
	all, err := Join(feature, other)
	if err != nil || len(all) != len(feature)+1 {
		t.Errorf("%d routes, %v", len(all), err)
	}
	if _, err := Join(feature, other, feature); !errors.Is(err, ErrTwoRoutes) {
		t.Errorf("twice the same: %v", err)
	}
}
