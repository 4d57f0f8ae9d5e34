// Package bottest is the world of the flow tests: a local Discord with people in it
// and the bot's service on it, as the program starts it, on a real database file.
// People, faults and clocks are options. A test says who does what, and what is then
// seen:
//
//	w := bottest.New(t)
//	board := w.Challenge(t, w.Ada, w.Bob)
//	w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
//	w.Shows(t, board, "X../.O./...")
//
// Every world, when its test ends, holds all that happened in it to what is promised
// of every bot that plays here: each request fits Discord's published description,
// no picture of a game went backwards, and no secret is in the log.
//
// Limits on real time are stretched by package waittest's factor, the time that the
// local Discord and the bot allow for an answer included.
package bottest

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite/sqlitetest"
)

// World is a local Discord with people, and a bot on it. Tests call its methods from
// one goroutine; what is named as safe may be used by several.
type World struct {
	Discord        *sandbox.Server
	Channel        *sandbox.Channel // where the verbs act; a test may set it
	Ada, Bob, Cleo *sandbox.User

	*Process        // the bot, which is another one after a restart
	Path     string // of the database, where it is an SQLite file
	Log      *Log   // what the bot has logged so far

	endpoint *httptest.Server // where Discord posts interactions, if it does
	posted   atomic.Pointer[posted]

	transit atomic.Int64
	config  config
	failed  int64 // answers that were lost so far, by intention
}

// New starts a world, with the bot connected to it and its commands registered. It
// ends with the test.
func New(t testing.TB, options ...Option) *World {
	t.Helper()
	w := &World{config: config{level: slog.LevelDebug, http: os.Getenv(Interactions) == "http"}}
	if names := os.Getenv(Departs); names != "" {
		w.config.departs = strings.Split(names, ",")
	}
	for _, o := range append([]Option{SQLite()}, options...) {
		o(&w.config)
	}
	w.Discord = sandbox.NewServer(t, append([]func(*sandbox.Options){generous}, w.config.discord...)...)
	if w.config.saved != "" {
		w.load(t)
	}
	for _, name := range w.config.departs {
		if err := w.Discord.Faults().Depart(name); err != nil {
			t.Fatal(err)
		}
	}
	WatchRequests(t, w.Discord, blankRefused)
	w.Log = newLog(w.Discord.Token())
	w.Path = w.config.path
	if w.Path == "" {
		w.Path = filepath.Join(t.TempDir(), "games.db")
		sqlitetest.Empty(t, w.Path)
	}
	w.Channel = w.Discord.Guild().Channel("general")
	w.Ada, w.Bob, w.Cleo = w.Discord.User("Ada"), w.Discord.User("Bob"), w.Discord.User("Cleo")
	if w.config.http {
		w.serveHTTP(t)
	}
	w.Start(t)
	t.Cleanup(func() {
		w.Stop(t)
		w.check(t)
		if t.Failed() {
			t.Logf("the end of the bot's log:\n%s", w.Log.Tail())
		}
	})
	return w
}

// load gives the local Discord the world that it saved.
func (w *World) load(t testing.TB) {
	t.Helper()
	f, err := os.Open(w.config.saved)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	if err := w.Discord.World().LoadState(f); err != nil {
		t.Fatal(err)
	}
}

// generous lets tests connect and ask as often as they like: those limits have tests
// of their own. Interactions wait for their answer as long as the machine needs.
// People look at a board before they tap.
func generous(o *sandbox.Options) {
	o.World.LookTime = 450 * time.Millisecond
	o.Gateway.IdentifyWindow = time.Millisecond
	o.REST.BucketLimit = 10_000
	o.REST.GlobalLimit = -1
	o.World.Deadline = waittest.Limit(AnswerTime)
}

// AnswerTime is how long Discord waits for the first answer to an interaction.
const AnswerTime = 3 * time.Second

// FixedDice throws the same in every run, from one sequence for all its users.
func FixedDice() func() *rand.Rand {
	var thrown atomic.Uint64
	return func() *rand.Rand {
		return rand.New(rand.NewPCG(7, thrown.Add(1))) //nolint:gosec // dice that repeat
	}
}

// Start starts the bot, which does not run, and waits until it is ready.
func (w *World) Start(t testing.TB) {
	t.Helper()
	w.Process = w.newProcess(t)
	w.PostsTo(w.Service, nil)
	ready := func() bool {
		return w.Service.Ready() && w.Service.Registered() && (w.Service.Marked() || !w.config.ownMarks)
	}
	waittest.Until(t, "the bot to connect and to register its commands", func() bool {
		return w.Reason() != nil || ready()
	})
	if err := w.Reason(); err != nil {
		t.Fatalf("the bot has ended: %v", err)
	}
	w.connectHTTP(t)
}

// options are those of the service. Waits between tries are shorter than production's,
// which tests want to see happen.
func (w *World) options(db store.Store) service.Options {
	o := service.Options{
		Store:    db,
		Logger:   slog.New(slog.NewTextHandler(w.Log, &slog.HandlerOptions{Level: w.config.level})),
		REST:     rest.Options{BaseURL: w.Discord.APIURL(), Token: w.Discord.Token()},
		Gateway:  gateway.Options{Identifies: gateway.NewIdentifiesEvery(10 * time.Millisecond)},
		Received: func(at time.Time) time.Time { return at.Add(time.Duration(w.transit.Load())) },

		NoticeTime: -1, StopTime: waittest.Limit(15 * time.Second),
	}
	o.PlainMarks = !w.config.ownMarks // their ids are others in each run
	o.Bot.Dice = FixedDice()
	o.Bot.Tick = 25 * time.Millisecond
	o.Bot.Grace = -1                     // tests that wait for an end wait for nothing else
	o.Bot.GridTime = time.Minute         // tests look at grids for longer than people do
	o.Bot.LongestStep = 1000 * time.Hour // hand-set clocks jump
	o.Bot.RedrawPause = time.Millisecond
	o.Bot.AnswerTime = waittest.Limit(AnswerTime)
	o.Bot.EditTime = waittest.Limit(5 * time.Second)
	o.Bot.WorkTime = waittest.Limit(2 * time.Second)
	o.Bot.After = func(d time.Duration, f func()) { time.AfterFunc(d/50, f) }
	for _, f := range w.config.service {
		f(&o)
	}
	if w.config.store != nil {
		o.Store = w.config.store(db)
	}
	return o
}

// Configure changes the service's options from its next start on.
func (w *World) Configure(f func(*service.Options)) {
	w.config.service = append(w.config.service, f)
}

// Restart stops the bot in an orderly way and starts it again on the same database.
func (w *World) Restart(t testing.TB) {
	t.Helper()
	w.Stop(t)
	w.Start(t)
}

// Reason returns why the bot has ended, nil while it runs and after an orderly end.
func (w *World) Reason() error {
	select {
	case <-w.ended:
		return w.reason
	default:
		return nil
	}
}

// Session describes the bot's Gateway session.
func (w *World) Session() gateway.Status {
	if list := w.Service.Sessions(); len(list) > 0 {
		return list[0]
	}
	return gateway.Status{}
}

// Transit makes every interaction from now on take so much longer to arrive, as the
// bot's clock shows it. It is safe for concurrent use.
func (w *World) Transit(d time.Duration) { w.transit.Store(int64(d)) }

// Elsewhere moves the scene to a channel that nobody has used.
func (w *World) Elsewhere(name string) { w.Channel = w.Side(strings.ReplaceAll(name, " ", "-")) }

// Side returns another channel of the same server; it is made when it is new.
func (w *World) Side(name string) *sandbox.Channel { return w.Discord.Guild().Channel(name) }

// Process is a bot on the world's database and Discord, as a process of its own would be.
type Process struct {
	Service *service.Service
	Store   store.Store

	stop   context.CancelFunc
	ended  chan struct{} // closed when it has ended, whatever the reason
	reason error         // why, once it has; nil for an orderly end
}

// newProcess starts a bot without waiting for anything.
func (w *World) newProcess(t testing.TB) *Process {
	t.Helper()
	db, err := w.config.open(w.Path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &Process{Service: service.New(w.options(db)), Store: db, stop: stop, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.reason = p.Service.Run(ctx)
	}()
	return p
}

// Stop stops the bot in an orderly way and leaves Discord and the database. It does
// nothing the second time.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	p.stop()
	<-p.ended
	if errors.Is(p.reason, service.ErrUnfinished) {
		t.Errorf("the bot ended with %v", p.reason)
	}
	if err := p.Store.Close(); err != nil {
		t.Error(err)
	}
}

// Beside starts another bot beside the one that runs, which has to play on a database that
// several can use, and waits until it is ready. It ends with the test.
func (w *World) Beside(t testing.TB) *Process {
	t.Helper()
	p := w.newProcess(t)
	t.Cleanup(func() { p.Stop(t) })
	waittest.Until(t, "another bot to be ready", p.Service.Ready)
	return p
}
