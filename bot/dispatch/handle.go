package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/rest"
)

// Bot is what a Dispatcher asks of a bot. K are the keys of its routes, R is what its
// handlers get of a call, and P what they answer.
type Bot[K comparable, R, P any] interface {
	// Request returns what the handlers get of a call, and the context that they get.
	Request(ctx context.Context, c *Call) (context.Context, R)
	// Find returns the key of the route, and its name for figures. It may read first what
	// handlers want to know.
	Find(ctx context.Context, in R) (key K, name string, err error)
	// Conclude returns the answer to what a handler has returned. Who has nothing to add
	// returns the answer, or explains the error.
	Conclude(ctx context.Context, in R, answer P, err error) P
	// Explain turns an error into words: ErrMalformed, ErrNoRoute, a *Panic, or one that
	// Find has returned.
	Explain(in R, err error) P
	// Acknowledge sends the answer and sees to what must follow.
	Acknowledge(ctx context.Context, in R, answer P, send Send)
}

var (
	// ErrMalformed: the interaction could be decoded, and its data not be understood.
	ErrMalformed = errors.New("dispatch: interaction not understood")
	// ErrNoRoute: nothing happens on the command or the button.
	ErrNoRoute = errors.New("dispatch: no route")
)

// Panic is the error of a handler that has panicked.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// API is what a Dispatcher needs of Discord. *rest.Client has it.
type API interface {
	CallbackAPI
	// DiscordTime returns what Discord's clock showed at a moment of ours.
	DiscordTime(at time.Time) time.Time
}

// Options say how a Dispatcher works. All that has no default is required.
type Options struct {
	API  API
	Log  *slog.Logger
	Work *Work
	// AnswerTime is how long Discord waits for the first answer, and WorkTime how long a
	// handler may take from the receipt on.
	AnswerTime, WorkTime time.Duration
	// Observer, if set, is told of every interaction that was decoded, once.
	Observer interface{ Handled(*Call) }
	// Reopen, if set, opens an archived thread, and reports whether it has.
	Reopen func(ctx context.Context, thread string) bool
}

// Stats are counters.
type Stats struct {
	Answered   atomic.Int64 // interactions that Discord has an answer to
	Refused    atomic.Int64 // those of them that were refused in words
	Failed     atomic.Int64 // answers that did not reach Discord
	Unsaved    atomic.Int64 // changes that the store did not take, as people were told
	Duplicates atomic.Int64 // interactions delivered again, which have no effect
	Late       atomic.Int64 // interactions that came too late to be answered, which have none either
}

const (
	// seenFor is for how long an interaction is known again, and seenMost of how many that is
	// so at least.
	seenFor  = 10 * time.Minute
	seenMost = 50_000
)

// Dispatcher has each interaction handled once, in time, and answered once. Make one with
// New; its methods may be called concurrently.
type Dispatcher[K comparable, R, P any] struct {
	opts   Options
	bot    Bot[K, R, P]
	routes Routes[K, R, P]
	seen   recent.Lately[string] // ids of the last minutes: one delivered twice is known without the store
	stats  *Stats
}

// New returns a dispatcher that counts in stats.
func New[K comparable, R, P any](o Options, bot Bot[K, R, P], routes Routes[K, R, P], stats *Stats) *Dispatcher[K, R, P] {
	return &Dispatcher[K, R, P]{opts: o, bot: bot, routes: routes, stats: stats}
}

// HandleInteraction answers an interaction that came over the Gateway, given as the
// data of its event, by Discord's callback endpoint.
func (d *Dispatcher[K, R, P]) HandleInteraction(raw json.RawMessage, received time.Time) {
	deepen(len(raw))
	in, err := discord.DecodeInteraction(raw, received)
	if err != nil {
		d.opts.Log.Warn("interaction dropped", "error", err)
		return
	}
	d.Handle(context.Background(), in, ByCallback{d.opts.API})
}

// deepen has the stack of a goroutine that has just begun, for a click over the Gateway or for
// what follows an answer, grow at once to what the store will need of it. In steps it is copied
// each time, and with more on it.
//
//go:noinline
func deepen(n int) byte {
	var room [24 << 10]byte
	return room[n%len(room)]
}

// Handle answers one interaction. It returns when the answer has been sent and what
// follows from it has been started. A look at the store may come between the two, within
// the time for the answer. It may be called concurrently, and with the same interaction
// again: that has one effect. When the context ends, what is not stored by then is not
// stored.
func (d *Dispatcher[K, R, P]) Handle(ctx context.Context, decoded *discord.Interaction, a Answerer) {
	c := &Call{Interaction: decoded, Name: noRoute}
	if c.Kind == discord.KindAutocomplete {
		c.Name = suggesting
	}
	ctx, in := d.bot.Request(ctx, c)
	defer d.observe(c)
	if d.seen.Again(c.ID, c.Received, seenFor, seenMost) {
		d.stats.Duplicates.Add(1)
		c.Outcome = Duplicate
		return
	}
	c.Age = d.age(c.Interaction)
	left := d.opts.AnswerTime - answerMargin - c.Age
	if left <= 0 {
		// Nobody can be answered any more, so nothing may happen either.
		d.stats.Late.Add(1)
		c.Outcome = Late
		d.opts.Log.Warn("interaction came too late to be answered", "interaction", c.ID)
		return
	}
	deadline := c.Received.Add(left)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	defer context.AfterFunc(d.opts.Work.Base, cancel)()
	// What is not decided by then is answered in words while there is still time.
	decide := c.Received.Add(d.opts.WorkTime)
	if latest := deadline.Add(-min(discord.Share(answerReserve, d.opts.AnswerTime), left/2)); latest.Before(decide) {
		decide = latest
	}
	c.Outcome, c.Waiting = Answered, time.Since(c.Received)
	if c.Malformed != nil {
		c.Outcome = Unfamiliar
		d.opts.Log.Warn("interaction not understood", "interaction", c.ID, "error", c.Malformed)
	}
	if c.Kind == discord.KindAutocomplete {
		_, _ = d.send(ctx, ctx, c, Response{Kind: rest.CallbackAutocomplete}, a)
		return
	}
	work, done := context.WithDeadline(ctx, decide)
	answer := d.respondTo(work, c, in)
	done()
	_, blind := a.(Settler)
	d.bot.Acknowledge(ctx, in, answer, Send{Blind: blind, Seen: func(ctx, unseen context.Context, r Response) (string, error) {
		return d.send(ctx, unseen, c, r, a)
	}})
}

// respondTo finds the handler and runs it, and turns whatever goes wrong into words.
func (d *Dispatcher[K, R, P]) respondTo(ctx context.Context, c *Call, in R) (answer P) {
	defer func() {
		if p := recover(); p != nil {
			d.opts.Work.panics.Add(1)
			answer = d.bot.Explain(in, &Panic{Value: p, Stack: debug.Stack()})
		}
	}()
	if c.Malformed != nil {
		return d.bot.Explain(in, ErrMalformed)
	}
	key, name, err := d.bot.Find(ctx, in)
	if err != nil {
		return d.bot.Explain(in, err)
	}
	route, ok := d.routes[key]
	if !ok {
		return d.bot.Explain(in, ErrNoRoute)
	}
	c.Name, c.Stores = name, route.Stores
	answer, err = route.Handle(ctx, in)
	return d.bot.Conclude(ctx, in, answer, err)
}
