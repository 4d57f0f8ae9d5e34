package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/files"
	"tictactoe/bot/sandbox/internal/depart"
	"tictactoe/bot/sandbox/internal/feed"
	"tictactoe/bot/sandbox/rules"
	"tictactoe/bot/sandbox/timefactor"
)

// World is everybody and everything that there is: applications, people, guilds,
// channels, messages and interactions. All its methods, and those of what it hands
// out, may be called by several goroutines at once.
type World struct {
	opt     WorldOptions
	log     *slog.Logger
	clock   clock.Clock
	gateway *Gateway
	rest    *REST
	closing context.Context // ends when the server begins to close
	stop    context.CancelFunc
	public  string // what the addresses of files and webhooks begin with

	mu   sync.Mutex
	ids  rules.Snowflakes
	feed *feed.Feed[Event]

	roster
	population
	files files.Store

	callLog
	lost       bool // some fault of the Gateway was used: what nobody hears is excused
	departures depart.List
	active     int       // requests that are being served
	activeAt   time.Time // when one last began or ended, in real time
}

// population is who and what there is in a world, but for applications.
type population struct {
	people
	guilds   []*Guild
	channels map[string]*Channel
	messages map[string]*Message
	webhooks []*channelWebhook
}

func newPopulation() population {
	return population{
		people: people{users: map[string]*User{}, byName: map[string]*User{}}, channels: map[string]*Channel{}, messages: map[string]*Message{},
	}
}

func newWorld(o WorldOptions, log *slog.Logger) *World {
	o = o.withDefaults()
	w := &World{
		opt: o, log: log, clock: o.Clock, feed: feed.New[Event](), population: newPopulation(),
		callLog: callLog{byID: map[string]*Call{}, byToken: map[string]*Call{}},
	}
	w.closing, w.stop = context.WithCancel(context.Background())
	w.app = newApp(w, w.newID(), AppOptions{Name: o.BotName, Token: o.Token, Permissions: o.BotPermissions, PrivilegedIntents: o.PrivilegedIntents})
	w.owner = w.newUser(w, "Owner", w.newID())
	w.owner.nobody = true
	w.addGuildAs(w.newID(), "Playground")
	return w
}

// callLog is the interactions that were sent.
type callLog struct {
	calls         []*Call // the last ones, oldest first
	live          []*Call // those whose token may still work, when not all are kept
	byID, byToken map[string]*Call
	unasked       bool // AllowUnanswered
	refused       int  // before the bot heard of them
}

// close ends what the world does by itself and all connections, and reports whether it did so
// for the first time.
func (w *World) close() bool {
	defer w.hold()()
	if w.closing.Err() != nil {
		return false
	}
	w.stop()
	w.gateway.Cut()
	for _, c := range w.byID {
		c.deadline()
	}
	w.feed.Close()
	return true
}

// RefusedClicks counts the uses of components that were refused before the bot
// heard of them; see ClicksRefused.
func (w *World) RefusedClicks() int { return read(w, &w.refused) }

// hold takes the world's lock until the function that it returns is called.
func (w *World) hold() (release func()) {
	w.mu.Lock()
	return w.mu.Unlock
}

// read reads something that the world's lock guards.
func read[T any](w *World, from *T) T {
	defer w.hold()()
	return *from
}

// held is what a function returns while the world's lock is held.
func held[T any](w *World, of func() T) T {
	defer w.hold()()
	return of()
}

// listOf is a copy of a list that the world's lock guards.
func listOf[T any](w *World, from *[]T) []T {
	defer w.hold()()
	return slices.Clone(*from)
}

// byID finds what has an id among those that the world's lock guards, nil for nothing.
func byID[T any](w *World, among *map[string]*T, id string) *T {
	defer w.hold()()
	return (*among)[id]
}

// application is whose requests are checked.
func (w *World) application() rules.Application {
	return rules.Application{ID: w.app.id, NewID: w.newID, CDN: w.public, GuildInstallOnly: w.opt.GuildInstallOnly}
}

func (w *World) newID() string { return w.ids.Next(w.clock.Now()) }

// newToken makes a bot token of Discord's shape: the id, a part for the time and
// a secret, each in base64 and parted by dots.
func newToken(appID string) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(appID)) + "." + secret(4) + "." + secret(27)
}

// secret returns n random bytes in base64.
func secret(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// soon bounds, in real time, how long a test waits for anything. On a slow machine
// TEST_TIME_FACTOR stretches it.
func soon(wait func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), timefactor.Limit(20*time.Second))
	defer cancel()
	return wait(ctx)
}

// WaitFor waits until cond holds and fails the test, naming what, when it did
// not within 20 s of real time. cond is tried again after every change in the
// server and must not call WaitFor.
func (w *World) WaitFor(tb TB, what string, cond func() bool) {
	tb.Helper()
	if soon(func(ctx context.Context) error { return w.Until(ctx, cond) }) != nil {
		tb.Fatalf("sandbox: waited in vain for %s", what)
	}
}

// Until waits until cond holds. It returns the context's error when that ends
// before, and ErrClosed when the server closes. cond is tried again after every
// change in the server.
func (w *World) Until(ctx context.Context, cond func() bool) error {
	return wait(ctx, w, func() time.Duration {
		if cond() {
			return 0
		}
		return -1
	})
}

// wait waits until left is 0, which is asked again after every change in the server, after as
// much real time as it returned, and a last time when something else ends the wait.
func wait(ctx context.Context, w *World, left func() time.Duration) error {
	for over := error(nil); ; {
		changed := held(w, w.feed.Changed)
		more := left()
		switch {
		case more == 0:
			return nil
		case over != nil:
			return over
		}
		var passed <-chan time.Time
		if more > 0 {
			passed = time.After(more)
		}
		select {
		case <-changed:
		case <-passed:
		case <-ctx.Done():
			over = ctx.Err()
		case <-w.closing.Done():
			over = ErrClosed
		}
	}
}

// Answer waits until the interaction is answered or has failed. The error is the
// context's, or ErrClosed. It is Wait for programs without a test.
func (c *Call) Answer(ctx context.Context) (*Reply, error) {
	err := c.world.Until(ctx, c.done)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %s: %w", c, err)
	}
	return c.Reply(), nil
}

func (c *Call) done() bool {
	s := c.Reply().State
	return s == CallAnswered || s == CallFailed
}

// Settled waits until the bot has done what it was asked: no interaction waits for
// its first answer or still says that the bot is thinking, and for a moment of real
// time no request has come and nothing has been told to it. What a bot does on a timer of its own is not waited for.
func (w *World) Settled(ctx context.Context) error { return wait(ctx, w, w.unsettled) }

// Settle is Settled for a test, which fails after 20 s of real time.
func (w *World) Settle(tb TB) {
	tb.Helper()
	if err := soon(w.Settled); err != nil {
		tb.Fatalf("sandbox: the bot did not come to rest: %v", err)
	}
}

// unsettled is how much more quiet the bot needs to be settled, negative when
// it first has to do something.
func (w *World) unsettled() time.Duration {
	defer w.hold()()
	if w.active > 0 {
		return -1
	}
	for _, c := range w.calls {
		thinking := c.deferred && c.original != nil && !c.original.deleted && c.original.body.Flags&rules.FlagLoading != 0 &&
			w.clock.Now().Sub(c.dispatched) < tokenLife
		if c.is.State == CallPending || thinking {
			return -1
		}
	}
	return max(0, w.opt.Quiet-time.Since(w.activeAt))
}

// each is what is made of each one of a list. It is never nil.
func each[T, V any](list []T, of func(T) V) []V {
	out := make([]V, 0, len(list))
	for _, one := range list {
		out = append(out, of(one))
	}
	return out
}

// first returns the first of a list that is meant, nil for none.
func first[T any](list []*T, meant func(*T) bool) *T {
	if i := slices.IndexFunc(list, meant); i >= 0 {
		return list[i]
	}
	return nil
}

// but is a copy of a list without some.
func but[T any](list []T, some func(T) bool) []T { return slices.DeleteFunc(slices.Clone(list), some) }

// without is a copy of a list without one.
func without[T comparable](list []T, one T) []T { return but(list, func(x T) bool { return x == one }) }

// idOf is the id of somebody or something, empty for nothing.
func idOf[T interface {
	comparable
	ID() string
}](one T) string {
	var nothing T
	if one == nothing {
		return ""
	}
	return one.ID()
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
