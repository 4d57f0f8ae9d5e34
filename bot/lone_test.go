package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
	"tictactoe/store/sqlite/sqlitetest"
)

// noDiscord is a Discord that takes everything and shows nothing: what the bot
// answers is looked at where it leaves.
type noDiscord struct {
	API
	ahead  time.Duration // its clock
	mu     sync.Mutex
	edited []string // messages, in order
}

func (d *noDiscord) DiscordTime(at time.Time) time.Time { return at.Add(d.ahead) }

func (d *noDiscord) DeleteByToken(context.Context, string, string) error { return nil }

func (d *noDiscord) EditByToken(_ context.Context, _, id string, _ any) (*rest.Message, error) {
	return d.edit(id), nil
}

func (d *noDiscord) EditMessage(_ context.Context, _, id string, _ any) (*rest.Message, error) {
	return d.edit(id), nil
}

func (d *noDiscord) edit(id string) *rest.Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.edited = append(d.edited, id)
	return &rest.Message{ID: id}
}

// edits returns the messages that were edited since the last call, once all that was
// begun has ended.
func (b *loneBot) edits(t *testing.T) []string {
	t.Helper()
	if err := b.kit.Work.Wait(waittest.Within(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
	b.discord.mu.Lock()
	defer b.discord.mu.Unlock()
	edited := b.discord.edited
	b.discord.edited = nil
	return edited
}

// keptAnswers keeps what the bot answers, as one does who writes it into the body of an
// HTTP response.
type keptAnswers struct {
	mu  sync.Mutex
	all []rest.Callback
}

func (a *keptAnswers) Answer(_ context.Context, _ *discord.Interaction, cb rest.Callback) (*rest.Message, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, cb)
	return nil, nil // an HTTP response names no message
}

// loneBot is a bot that is asked without a Discord.
type loneBot struct {
	*Bot
	discord *noDiscord
	last    int
}

func newLoneBot(t *testing.T, configure ...func(*Options)) *loneBot {
	t.Helper()
	db := sqlitetest.Open(t)
	api := &noDiscord{}
	o := Options{Store: db, API: api, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)), Timing: kit.Timing{RedrawPause: time.Nanosecond, LongestStep: 1000 * time.Hour, Grace: -1}, Dice: func() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }}
	o.AnswerTime, o.WorkTime = waittest.Limit(discord.AnswerTime), waittest.Limit(2*time.Second)
	o.Connected = func() bool { return true }
	for _, f := range configure {
		f(&o)
	}
	if o.Wanted == nil {
		o.Wanted = func() store.Wanted {
			if o.Connected() {
				return store.Wanted{Domains: store.AllDomains, Shared: true}
			}
			return store.Wanted{}
		}
	}
	o.Served = func() store.DomainSet { return o.Wanted().Domains }
	b, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return &loneBot{Bot: b, discord: api}
}

// ask hands in an interaction and returns the answers to it.
func (b *loneBot) ask(t *testing.T, id int, kind int, members string) []rest.Callback {
	t.Helper()
	in, err := discord.DecodeInteraction(fmt.Appendf(nil, `{
		"id": "%d", "token": "t", "type": %d, "guild_id": "201", "channel_id": "301", "locale": "en-US", "guild_locale": "en-US",
		"member": {"user": {"id": "101"}, "permissions": "0"}, %s}`, id, kind, members), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var a keptAnswers
	b.Handle(t.Context(), in, &a)
	return a.all
}

// answer is ask for a new interaction, which has one answer of the kind.
func (b *loneBot) answer(t *testing.T, kind int, members string, want rest.CallbackType) string {
	t.Helper()
	b.last++
	all := b.ask(t, b.last, kind, members)
	if len(all) != 1 || all[0].Type != want {
		t.Fatalf("got the answers %v, want one of type %d", all, want)
	}
	if all[0].Data == nil {
		return ""
	}
	return string(all[0].Data.(json.RawMessage))
}

// noRoomToThink takes all the room to think that there is for who is waited for, until free.
func (b *loneBot) noRoomToThink(t *testing.T) (free func()) {
	t.Helper()
	return take(t, b.kit.Think, max(1, runtime.GOMAXPROCS(0)-1)) // a processor is left for everybody else
}

// take takes so many slots, until free.
func take(t *testing.T, think *kit.Thinker, slots int) (free func()) {
	t.Helper()
	var taken []func()
	for range slots {
		done, err := think.Slot(waittest.Within(t, 10*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		taken = append(taken, done)
	}
	return func() {
		for _, done := range taken {
			done()
		}
	}
}

// testClock moves when it is told to, and a millisecond whenever it is read.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *testClock) Now() time.Time { return c.advance(time.Millisecond) }

func (c *testClock) advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}
