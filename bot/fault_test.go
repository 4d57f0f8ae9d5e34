package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// faultWorld is a world whose parts can be given faults. Its bot logs everything
// there is to log, and at the end no secret may be found in that.
type faultWorld struct {
	*world
	cfg     faultConfig
	log     *logBook
	transit atomic.Int64 // what every interaction takes longer to arrive, as the bot's clock shows it
	fatal   atomic.Pointer[error]
	failed  int64 // answers that were lost so far, by intention
}

// faultConfig says what is different from an ordinary world.
type faultConfig struct {
	sandbox func(*sandbox.Options)
	bot     func(*bot.Options)
	rest    func(*rest.Options)
	sqlite  []sqlite.Option
	store   func(*sqlite.Store) bot.Store // stands before the real store
	timing  gateway.Timing
	path    string // of the database; default in a folder of its own
	// logLevel is debug unless it says otherwise.
	logLevel slog.Level
}

func newFaultWorld(t *testing.T, configure ...func(*faultConfig)) *faultWorld {
	t.Helper()
	w := &faultWorld{log: &logBook{}, cfg: faultConfig{logLevel: slog.LevelDebug}}
	for _, f := range configure {
		f(&w.cfg)
	}
	srv := sandbox.NewServer(t, fast, func(o *sandbox.Options) {
		if w.cfg.sandbox != nil {
			w.cfg.sandbox(o)
		}
	})
	w.world = &world{t: t, srv: srv, path: filepath.Join(t.TempDir(), "games.db")}
	if w.cfg.path != "" {
		w.path = w.cfg.path
	}
	w.general = srv.Guild().Channel("general")
	w.ada, w.bob, w.cleo = srv.User("Ada"), srv.User("Bob"), srv.User("Cleo")
	w.options = bot.Options{
		Dice: fixedDice(), Tick: 10 * time.Millisecond, RedrawPause: time.Millisecond,
		// Waiting for another try is what production does; tests want to see it happen.
		After: func(d time.Duration, f func()) { time.AfterFunc(d/50, f) },
	}
	if w.cfg.bot != nil {
		w.cfg.bot(&w.options)
	}
	w.start()
	t.Cleanup(func() {
		w.stop()
		w.noSecrets()
		if t.Failed() {
			t.Logf("the end of the bot's log:\n%s", w.log.tail())
		}
	})
	return w
}

// start connects the bot as the program does, with the faults of the world.
func (w *faultWorld) start() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: w.cfg.logLevel}))
	db, err := sqlite.Open(ctx, w.path, w.cfg.sqlite...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.db = db
	ro := rest.Options{BaseURL: w.srv.APIURL(), Token: w.srv.Token(), Logger: log}
	ro.OnUnauthorized = func(err error) { w.fatal.Store(&err) }
	if w.cfg.rest != nil {
		w.cfg.rest(&ro)
	}
	w.rest = rest.New(ro)
	if _, err := w.rest.Application(ctx); err != nil {
		w.t.Fatal(err)
	}
	o := w.options
	o.Store, o.API, o.Logger = db, w.rest, log
	if w.cfg.store != nil {
		o.Store = w.cfg.store(db)
	}
	// Connected is asked while the supervisor is still being made.
	var sup atomic.Pointer[gateway.Supervisor]
	o.Connected = func() bool { s := sup.Load(); return s != nil && s.Ready() }
	o.Replaying = func() bool { s := sup.Load(); return s != nil && s.Replaying() }
	if w.bot, err = bot.New(ctx, o); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.bot.Register(ctx); err != nil {
		w.t.Fatal(err)
	}
	b := w.bot
	s := gateway.New(gateway.Options{
		Token: w.srv.Token(), GatewayBot: w.rest.GatewayBot, Logger: log, Timing: w.cfg.timing,
		Identifies: gateway.NewIdentifiesEvery(10 * time.Millisecond),
		OnInteraction: func(_ int, raw json.RawMessage, received time.Time) {
			b.HandleInteraction(raw, received.Add(time.Duration(w.transit.Load())))
		},
	})
	sup.Store(s)
	w.sup = s
	var work sync.WaitGroup
	work.Go(func() { _ = s.Run(ctx) })
	work.Go(func() { _ = b.Run(ctx) })
	eventually(w.t, "the bot to connect", s.Ready)
	client := w.rest
	var once sync.Once
	w.stop = func() {
		once.Do(func() {
			cancel()
			work.Wait()
			drain, done := context.WithTimeout(context.Background(), 10*time.Second)
			defer done()
			if err := s.Drain(drain); err != nil {
				w.t.Error(err)
			}
			if err := b.Close(drain); err != nil {
				w.t.Error(err)
			}
			if err := db.Close(); err != nil {
				w.t.Error(err)
			}
			client.Close()
		})
	}
}

// noSecrets looks for tokens in everything that was logged.
func (w *faultWorld) noSecrets() {
	w.t.Helper()
	text := w.log.String()
	if strings.Contains(text, w.srv.Token()) {
		w.t.Error("the bot token is in the log")
	}
	for _, c := range w.srv.Calls() {
		if strings.Contains(text, c.InteractionToken()) {
			w.t.Errorf("the token of an interaction is in the log: %v", c)
		}
	}
}

// logBook keeps a log.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logBook) tail() string {
	s := l.String()
	return s[max(0, len(s)-6000):]
}

// elsewhere moves the scene to a channel that nobody has used.
func (w *faultWorld) elsewhere(name string) {
	w.general = w.srv.Guild().Channel(strings.ReplaceAll(name, " ", "-"))
}

// disarmed waits until every armed fault of a request has struck.
func (w *faultWorld) disarmed() {
	w.t.Helper()
	w.srv.WaitFor(w.t, "the fault to strike", func() bool {
		for _, f := range w.srv.Faults() {
			if f.Armed > 0 {
				return false
			}
		}
		return true
	})
}

// bystander has somebody ask for help in another channel, which has to be answered
// whatever goes on elsewhere.
func (w *faultWorld) bystander() {
	w.t.Helper()
	side := w.srv.Guild().Channel("side")
	w.refused(w.cleo.Command(w.t, side, "tictactoe help"), "Get three in a row")
}

// position returns the stored position of the channel's match, and checks that it
// is a legal sequence of moves.
func (w *faultWorld) position() string {
	w.t.Helper()
	m, ok := w.activeMatch()
	if !ok {
		return "no active match"
	}
	return positionOf(w.t, m)
}

func positionOf(t *testing.T, m store.Match) string {
	t.Helper()
	g, err := engine.Replay(m.Rules, m.Moves)
	if err != nil {
		t.Fatalf("the stored match is no legal sequence of moves: %v: %v", m.Moves, err)
	}
	return g.String()
}

// shows waits until the message shows the board.
func (w *faultWorld) shows(m *sandbox.Message, want string) {
	w.t.Helper()
	m.Wait(w.t, "the board "+want, func(s sandbox.Snapshot) bool { return grid(s) == want })
}

// free waits until the channel has no match, and then starts one.
func (w *faultWorld) free() {
	w.t.Helper()
	eventually(w.t, "the channel to be free", func() bool { _, ok := w.activeMatch(); return !ok })
	m := w.play(w.cleo)
	w.cell(w.cleo, m, "a1")
}

// failing is a way to fail that can be changed while it is in use.
type failing struct {
	mu sync.Mutex
	f  func(store.Change) error
}

func (f *failing) set(fail func(store.Change) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.f = fail
}

func (f *failing) get() func(store.Change) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.f
}

type (
	flag    = atomic.Bool
	counter = atomic.Int64
)
