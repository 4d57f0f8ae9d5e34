package bot_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/apicheck"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// world is a local Discord with people in it and the bot connected to it: the real
// session, the real store in a file.
type world struct {
	t       *testing.T
	srv     *sandbox.Server
	general *sandbox.Channel
	ada     *sandbox.User
	bob     *sandbox.User
	cleo    *sandbox.User

	path    string
	options bot.Options
	db      *sqlite.Store
	bot     *bot.Bot
	sup     *gateway.Supervisor
	rest    *rest.Client
	stop    func() // stops the bot and leaves Discord and the file
}

// newWorld starts a world; configure may change the bot's options first.
func newWorld(t *testing.T, configure ...func(*bot.Options)) *world {
	t.Helper()
	w := &world{t: t, srv: sandbox.NewServer(t, fast), path: filepath.Join(t.TempDir(), "games.db")}
	w.general = w.srv.Guild().Channel("general")
	w.ada, w.bob, w.cleo = w.srv.User("Ada"), w.srv.User("Bob"), w.srv.User("Cleo")
	w.options = bot.Options{Dice: fixedDice(), Tick: 10 * time.Millisecond, RedrawPause: time.Millisecond}
	for _, f := range configure {
		f(&w.options)
	}
	w.start()
	t.Cleanup(func() { w.stop() })
	t.Cleanup(func() { checkRequests(t, w.srv) })
	return w
}

// fast lets tests connect and ask as often as they like: those limits have tests
// of their own.
func fast(o *sandbox.Options) {
	o.IdentifyWindow = time.Millisecond
	o.BucketLimit = 10_000
	o.GlobalLimit = -1
}

// fixedDice throws the same in every run, from one sequence for all its users.
func fixedDice() func() *rand.Rand {
	var mu sync.Mutex
	var n uint64
	return func() *rand.Rand {
		mu.Lock()
		defer mu.Unlock()
		n++
		return rand.New(rand.NewPCG(7, n))
	}
}

// start connects the bot, as the program does.
func (w *world) start() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.NewTextHandler(testWriter{w.t}, &slog.HandlerOptions{Level: slog.LevelWarn}))
	db, err := sqlite.Open(ctx, w.path)
	if err != nil {
		w.t.Fatal(err)
	}
	w.db = db
	w.rest = rest.New(rest.Options{BaseURL: w.srv.APIURL(), Token: w.srv.Token(), Logger: log})
	if _, err := w.rest.Application(ctx); err != nil {
		w.t.Fatal(err)
	}
	o := w.options
	o.Store, o.API, o.Logger = db, w.rest, log
	if w.bot, err = bot.New(ctx, o); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.bot.Register(ctx); err != nil {
		w.t.Fatal(err)
	}
	b := w.bot
	w.sup = gateway.New(gateway.Options{
		Token: w.srv.Token(), GatewayBot: w.rest.GatewayBot, Logger: log,
		OnInteraction: func(_ int, raw json.RawMessage, received time.Time) { b.HandleInteraction(raw, received) },
	})
	sup := w.sup
	var work sync.WaitGroup
	work.Go(func() { _ = sup.Run(ctx) })
	work.Go(func() { _ = b.Run(ctx) })
	eventually(w.t, "the bot to connect", sup.Ready)
	var once sync.Once
	w.stop = func() {
		once.Do(func() {
			cancel()
			work.Wait()
			drain, done := context.WithTimeout(context.Background(), 10*time.Second)
			defer done()
			if err := sup.Drain(drain); err != nil {
				w.t.Error(err)
			}
			if err := b.Close(drain); err != nil {
				w.t.Error(err)
			}
			if err := db.Close(); err != nil {
				w.t.Error(err)
			}
		})
	}
}

// restart stops the bot in an orderly way and starts it again on the same file.
func (w *world) restart() {
	w.t.Helper()
	w.stop()
	w.start()
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(b []byte) (int, error) {
	w.t.Logf("%s", strings.TrimSpace(string(b)))
	return len(b), nil
}

var description = sync.OnceValues(func() (*apicheck.Description, error) {
	return apicheck.Load(os.Getenv("DISCORD_OPENAPI"))
})

// checkRequests holds every request that was made to Discord's published
// description of its API, where the environment names it.
func checkRequests(t *testing.T, srv *sandbox.Server) {
	t.Helper()
	if os.Getenv("DISCORD_OPENAPI") == "" {
		return // TestDescriptionIsThere says so once
	}
	d, err := description()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range srv.Requests() {
		query, err := url.ParseQuery(r.Query)
		if err != nil {
			t.Errorf("%s %s: query: %v", r.Method, r.Route, err)
			continue
		}
		if err := d.CheckRequest(r.Method, r.Path, r.Header.Get("Content-Type"), query, r.Body); err != nil {
			t.Errorf("request against Discord's description: %v\nbody: %s", err, r.Body)
		}
		if r.Status == 400 && !strings.Contains(string(r.Response), "40060") { // a second delivery's answer
			t.Errorf("%s %s was refused: %s\nbody: %s", r.Method, r.Route, r.Response, r.Body)
		}
	}
}

func TestDescriptionIsThere(t *testing.T) {
	if os.Getenv("DISCORD_OPENAPI") == "" {
		t.Skip("DISCORD_OPENAPI is not set: requests are not checked against Discord's API description")
	}
	if _, err := description(); err != nil {
		t.Fatal(err)
	}
}

// Helpers that read as what people do.

// play starts a match against the bot and returns its board.
func (w *world) play(who *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	w.t.Helper()
	return w.answer(who.Command(w.t, w.general, "tictactoe play", args...))
}

// challenge lets one challenge the other and the other accept, and returns the board.
func (w *world) challenge(who, whom *sandbox.User, args ...sandbox.Arg) *sandbox.Message {
	w.t.Helper()
	msg := w.answer(who.Command(w.t, w.general, "tictactoe challenge", append(args, sandbox.OptUser("user", whom))...))
	whom.Click(w.t, msg, "Accept")
	wantText(w.t, msg, "to move")
	return msg
}

// answer returns the message of a reply that came in time.
func (w *world) answer(r *sandbox.Reply) *sandbox.Message {
	w.t.Helper()
	if !r.Answered() || r.Message == nil {
		w.t.Fatalf("%v: answered %v with type %d and no message; problems %v", r.Call, r.Answered(), r.Type, r.Problems)
	}
	return r.Message
}

// cell clicks the cell of that name.
func (w *world) cell(who *sandbox.User, m *sandbox.Message, name string) *sandbox.Reply {
	w.t.Helper()
	r := who.ClickCell(w.t, m, int(name[1]-'1'), int(name[0]-'a'))
	if !r.Answered() {
		w.t.Fatalf("click on %s was not answered: %v", name, r.Problems)
	}
	return r
}

// cells clicks cells in turn, the first player first.
func (w *world) cells(m *sandbox.Message, first, second *sandbox.User, names ...string) {
	w.t.Helper()
	for i, name := range names {
		who := first
		if i%2 == 1 {
			who = second
		}
		if r := w.cell(who, m, name); r.Type == sandbox.CallbackMessage {
			w.t.Fatalf("%s by %s was refused: %s", name, who.Name(), r.Text())
		}
	}
}

// refused checks that the reply is a private message with the text and the buttons.
func (w *world) refused(r *sandbox.Reply, text string, doors ...string) *sandbox.Message {
	w.t.Helper()
	m := w.answer(r)
	s := m.Snapshot()
	if !s.Ephemeral() {
		w.t.Errorf("%v: the refusal is public: %s", r.Call, s.Text())
	}
	if !strings.Contains(s.Text(), text) {
		w.t.Errorf("%v: refused with %q, want %q", r.Call, s.Text(), text)
	}
	for _, door := range doors {
		if _, ok := s.Button(door); !ok {
			w.t.Errorf("%v: the refusal has no button %q", r.Call, door)
		}
	}
	if len(s.Pinged) > 0 {
		w.t.Errorf("%v: the refusal notifies %v", r.Call, s.Pinged)
	}
	return m
}

// wantText waits until the message contains the text.
func wantText(t *testing.T, m *sandbox.Message, text string) sandbox.Snapshot {
	t.Helper()
	return m.Wait(t, "a message with "+text, func(s sandbox.Snapshot) bool { return strings.Contains(s.Text(), text) })
}

// stale prepares a click on a button that the message has now, to be sent when it
// may no longer have it.
func (w *world) stale(who *sandbox.User, m *sandbox.Message, label string) func() *sandbox.Reply {
	w.t.Helper()
	b, ok := m.Snapshot().Button(label)
	if !ok {
		w.t.Fatalf("no button %q to press later", label)
	}
	return func() *sandbox.Reply { return who.ClickID(w.t, m, b.CustomID, sandbox.Forced) }
}

// grid returns the board of a message as text in the engine's notation.
func grid(s sandbox.Snapshot) string {
	var rows []string
	for _, row := range s.Rows() {
		if len(row) < engine.MinSide || len(row[0].CustomID) == 0 || !strings.HasPrefix(row[0].CustomID, "1:c:") {
			continue
		}
		var b strings.Builder
		for _, cell := range row {
			if cell.Label == "X" || cell.Label == "O" {
				b.WriteString(cell.Label)
			} else {
				b.WriteByte('.')
			}
		}
		rows = append(rows, b.String())
	}
	return strings.Join(rows, "/")
}

// empties returns the row and column of the empty cells of a running board.
func empties(s sandbox.Snapshot) (cells [][2]int) {
	for r, row := range strings.Split(grid(s), "/") {
		for c := range row {
			if row[c] == '.' {
				cells = append(cells, [2]int{r, c})
			}
		}
	}
	return cells
}

// over reports whether the board of the message takes no more clicks.
func over(s sandbox.Snapshot) bool {
	for _, row := range s.Rows() {
		for _, b := range row {
			if strings.HasPrefix(b.CustomID, "1:c:") {
				return b.Disabled
			}
		}
	}
	return true
}

// activeMatch returns the match that the channel has.
func (w *world) activeMatch() (store.Match, bool) {
	w.t.Helper()
	active, err := w.db.ActiveMatches(context.Background(), store.ChannelID(w.general.ID()))
	if err != nil {
		w.t.Fatal(err)
	}
	if len(active) == 0 {
		return store.Match{}, false
	}
	return active[0], true
}

// manualTime is a clock that tests move.
type manualTime struct {
	mu  sync.Mutex
	now time.Time
}

func newManualTime() *manualTime { return &manualTime{now: time.Now()} }

func (c *manualTime) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manualTime) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// eventually waits until cond holds, which may depend on more than the local
// Discord, and fails the test when it does not in time.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-tick.C:
		}
	}
}
