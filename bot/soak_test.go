package bot_test

import (
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/gateway"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
)

// soakVariable says how many interactions the long run plays.
const soakVariable = "TICTACTOE_SOAK"

// soakDefault is how many an ordinary run plays.
const soakDefault = 1000

// TestSoak has many people press whatever they find, in many channels, while faults
// of REST, of the Gateway and of the store happen. In the end every interaction was
// answered or a fault accounts for it, every stored match is legal, no line of the whole
// log has a secret, and memory, goroutines, files and connections are where they began.
func TestSoak(t *testing.T) {
	total, people := soakDefault, soakPeople
	if v := os.Getenv(soakVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s is no number of interactions: %q", soakVariable, v)
		}
		total, people = n, 64
	}
	// One look in half a megabyte, the usual rate, makes two or three megabytes of noise.
	rate := runtime.MemProfileRate
	runtime.MemProfileRate = 32 << 10
	t.Cleanup(func() { runtime.MemProfileRate = rate })
	var ahead atomic.Int64 // of the real time is the bot's
	w := bottest.New(t, bottest.ClicksDelivered, bottest.EditsGetLost, bottest.Discord(func(o *sandbox.Options) {
		// What Discord remembers must be full before the first look at the heap.
		o.World.KeepMessages, o.REST.KeepRequests, o.World.KeepWrites, o.World.KeepCalls = 6, 50, 2, 50
		o.World.KeepTokens = min(16384, max(256, total/20))
		o.Gateway.ReplayBuffer = 128
		o.Gateway.SessionStarts = 1_000_000
	}), bottest.REST(func(o *rest.Options) {
		// Minutes stand for days here: what Discord takes of refused requests in ten
		// minutes has a test of its own.
		o.Limits.Invalid = 1 << 30
	}), bottest.Service(func(o *service.Options) {
		o.Bot.DefaultClock, o.Bot.BackgroundTime = time.Hour, 5*time.Second
		o.Bot.GridTime = 2 * time.Hour // finished games that fold would be drawn again beside the last look
		o.Bot.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		o.Gateway.Timing = gateway.Timing{
			BackoffMin: 10 * time.Millisecond, BackoffMax: 100 * time.Millisecond, Invalid: 10 * time.Millisecond, Stable: time.Second,
		}
	}))
	w.Discord.AllowUnanswered() // who is to blame is looked at below
	s := newSoak(t, w, people, people)

	warm := max(total/10, min(total/2, 2000)) // then caches, pools and connections are as full as they get
	s.play(warm)
	s.rest()
	before, held := measure(t), leastHeap(t)
	began := time.Now()
	s.play(total - warm)
	took := time.Since(began)
	s.rest()
	after := measure(t)

	t.Logf("%d interactions in %v (%.0f/s): %d answered, %d not, all accounted for; %d met a fault, %d were refused; counts %+v",
		s.sent.Load(), took.Round(time.Millisecond), float64(total-warm)/took.Seconds(), s.answered.Load(), s.excused.Load(), s.struck.Load(), s.refused.Load(), w.Service.Counts())
	matches := s.checkMatches()
	t.Logf("before: %v; after: %v; %d matches", before, after, matches)
	for what, list := range s.unexplained {
		t.Errorf("%s: %d, such as %s", what, len(list), list[0])
	}
	if n := w.Log.Lines(slog.LevelDebug); n < s.sent.Load() {
		t.Errorf("%d lines were logged about %d interactions: too few to look for secrets in", n, s.sent.Load())
	}
	if p := w.Service.Counts().Panics; p != 0 {
		t.Errorf("%d panics", p)
	}
	// For half an hour the bot remembers where a message's newest token is.
	ahead.Store(int64(31 * time.Minute))
	// What is kept up to a bound, the local Discord's share included: in a long run tokens
	// lead to thousands of messages, and their share was seen to differ by 80 MB. Of the bot's
	// own heap, which the profile tells apart roughly, little stays: boards that a fault left
	// behind are about to be drawn.
	allowed := uint64(12 << 20)
	if os.Getenv(soakVariable) != "" {
		allowed += uint64(128<<20 + 256*total) //nolint:gosec // a number of interactions
	}
	botAllowed := int64(6<<20 + 64*total)
	var later footprint
	waittest.Until(t, fmt.Sprintf("the heap to be where it began, at %d KB", before.heap>>10), func() bool {
		later = measure(t)
		return later.heap < before.heap+allowed
	})
	waittest.Until(t, fmt.Sprintf("the bot's own heap to be where it began, at %d KB", held>>10), func() bool { return leastHeap(t) < held+botAllowed })
	t.Logf("half an hour later: %v, %d KB the bot's, after %d", later, botHeap()>>10, held>>10)
	// Boards that wait for their turn at Discord's limits hold some for a while.
	waittest.Until(t, fmt.Sprintf("goroutines to be as many as before, %d", before.goroutines), func() bool {
		w.Service.CloseIdleConnections()
		return runtime.NumGoroutine() <= before.goroutines+20
	})
	// Connections to Discord that nobody uses stay open for a while, and both ends are here.
	if after.files > before.files+60 {
		t.Errorf("open files and connections grew from %d to %d", before.files, after.files)
	}
	w.Stop(t)
	waittest.Until(t, "goroutines and files to go with the bot", func() bool {
		now := measure(t)
		return now.goroutines < before.goroutines && (now.files < before.files || before.files == 0)
	})
}

// soak is a crowd at play.
type soak struct {
	t        *testing.T
	w        *bottest.World
	people   []*sandbox.User
	channels []*sandbox.Channel

	budget                  atomic.Int64 // interactions still to be sent
	sent, answered, excused atomic.Int64
	struck                  atomic.Int64
	refused                 atomic.Int64 // with 401, 403 or 429, of which Discord takes only so many
	disturbed               atomic.Int64 // odd while the Gateway is cut off on purpose, and grows
	waiting                 sync.Map     // call id to *outcome
	mu                      sync.Mutex
	unexplained             map[string][]string
	gatewayBusy, lockBusy   atomic.Int64 // 1 while somebody causes such a fault
}

// outcome is what the requests for a call have come to so far.
type outcome struct {
	done  chan struct{}
	once  sync.Once
	fault atomic.Bool
}

func newSoak(t *testing.T, w *bottest.World, people, channels int) *soak {
	s := &soak{t: t, w: w, unexplained: map[string][]string{}}
	for i := range people {
		s.people = append(s.people, w.Discord.User(fmt.Sprint("person-", i)))
	}
	for i := range channels {
		s.channels = append(s.channels, w.Discord.Guild().Channel(fmt.Sprint("soak-", i)))
	}
	w.Discord.REST().OnRequest(s.seen)
	return s
}

// seen learns from a request what became of a call.
func (s *soak) seen(r sandbox.Request) {
	if r.Fault != "" {
		s.struck.Add(1)
	}
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		s.refused.Add(1)
	}
	if r.CallID == "" || r.Method != http.MethodPost || !strings.HasSuffix(r.Route, "/callback") {
		return
	}
	v, _ := s.waiting.LoadOrStore(r.CallID, &outcome{done: make(chan struct{})})
	o := v.(*outcome)
	if r.Fault != "" {
		o.fault.Store(true)
	}
	if r.Status == http.StatusOK || r.Status == http.StatusNoContent || strings.Contains(string(r.Response), "40060") {
		o.once.Do(func() { close(o.done) })
	}
}

// play has the crowd send so many interactions, with faults in between.
func (s *soak) play(n int) {
	s.budget.Store(int64(n))
	var crowd sync.WaitGroup
	for i, who := range s.people {
		crowd.Go(func() {
			dice := rand.New(rand.NewPCG(uint64(i), uint64(n)))
			for s.budget.Add(-1) >= 0 {
				for !s.act(who, i, dice) {
				}
				s.trouble(dice)
			}
		})
	}
	crowd.Wait()
}

// rest waits until nothing is under way.
func (s *soak) rest() {
	s.w.Discord.Faults().Clear()
	s.w.Service.CloseIdleConnections() // the pools keep as many idle connections as the last burst needed
	least, since := runtime.NumGoroutine(), 0
	waittest.Until(s.t, "the bot to come to rest", func() bool {
		// Redraws and words behind an answer are still on their way: until for a while
		// nothing ends any more.
		if n := runtime.NumGoroutine(); n < least {
			least, since = n, 0
		}
		if since++; since == 250 {
			s.w.Service.CloseIdleConnections()
		}
		return s.w.Service.Ready() && s.w.Service.Handling() == 0 && since > 500
	})
}

// act has a person do something and waits for the answer. It reports false when
// the person's client would not let him.
func (s *soak) act(who *sandbox.User, home int, dice *rand.Rand) bool {
	epoch := s.disturbed.Load()
	action := s.choose(who, home, dice)
	c, err := who.Do(action)
	if err != nil {
		return false
	}
	s.sent.Add(1)
	v, _ := s.waiting.LoadOrStore(c.ID(), &outcome{done: make(chan struct{})})
	o := v.(*outcome)
	defer s.waiting.Delete(c.ID())
	limit := time.NewTimer(waittest.Limit(bottest.AnswerTime) + 200*time.Millisecond)
	defer limit.Stop()
	select {
	case <-o.done:
		s.answered.Add(1)
		return true
	case <-limit.C:
	}
	switch {
	case c.Reply().Answered():
		s.answered.Add(1)
	case o.fault.Load(), epoch%2 == 1, s.disturbed.Load() != epoch, deletedMeanwhile(action):
		s.excused.Add(1)
	default:
		s.mu.Lock()
		defer s.mu.Unlock()
		what := "not answered and no fault accounts for it"
		s.unexplained[what] = append(s.unexplained[what], fmt.Sprint(c, c.Reply().Problems))
	}
	return true
}

// deletedMeanwhile reports whether the message that was clicked is gone: Discord
// takes no answer that would change it.
func deletedMeanwhile(a sandbox.Action) bool {
	click, ok := a.(sandbox.ButtonClick)
	return ok && click.Message.Deleted()
}

// choose is what somebody does next: mostly press a button of a message that he
// sees, sometimes one that he should not, else a command.
func (s *soak) choose(who *sandbox.User, home int, dice *rand.Rand) sandbox.Action {
	ch := s.channels[dice.IntN(len(s.channels))]
	if dice.IntN(8) > 0 { // people have their haunts
		ch = s.channels[(home+dice.IntN(2))%len(s.channels)]
	}
	all := ch.Messages(who)
	if len(all) > 0 && dice.IntN(10) < 9 {
		m := all[len(all)-1-dice.IntN(min(len(all), 3))]
		mine := false
		for _, own := range all { // most of the time people play where it is their turn
			if strings.Contains(own.Text(), who.Mention()+", your move") && dice.IntN(8) > 0 {
				m, mine = own, true
			}
		}
		var ids []string
		for _, row := range m.Snapshot().Rows() {
			for _, b := range row {
				cell := !bottest.Over(m.Snapshot()) && bottest.IsCell(b.CustomID) && !strings.HasPrefix(b.Label, "X") && !strings.HasPrefix(b.Label, "O")
				if mine && cell || !mine && !b.Disabled || dice.IntN(20) == 0 {
					ids = append(ids, b.CustomID)
				}
			}
		}
		if len(ids) > 0 {
			return sandbox.ButtonClick{Message: m, CustomID: ids[dice.IntN(len(ids))], Forced: dice.IntN(4) == 0}
		}
		if dice.IntN(8) == 0 {
			return sandbox.ButtonClick{Message: m, CustomID: "1:k:zz:" + strconv.Itoa(dice.IntN(30)), Forced: true}
		}
	}
	command := func(path string, args ...sandbox.Arg) sandbox.Action {
		return sandbox.SlashCommand{Channel: ch, Path: "tictactoe " + path, Args: args}
	}
	switch dice.IntN(12) {
	case 0, 1, 2, 3:
		return command("play", sandbox.Opt("difficulty", "easy"))
	case 4:
		return command("play", sandbox.Opt("difficulty", "medium"), sandbox.Opt("private", true))
	case 5, 6, 7:
		return command("challenge", sandbox.OptUser("user", s.people[(home+1+dice.IntN(3)*(len(s.people)-2))%len(s.people)]))
	case 8:
		return command("challenge")
	case 9:
		return command("board")
	case 10:
		return command("resign")
	default:
		return command("help")
	}
}

// trouble causes a fault now and then. What Discord refuses for want of a right or a
// living token is rare: it takes ten thousand such requests in ten minutes, and a
// soak squeezes hours into those.
func (s *soak) trouble(dice *rand.Rand) {
	srv := s.w.Discord
	routes := []string{sandbox.RouteCallback, sandbox.RouteCallback, sandbox.RouteEditOriginal, sandbox.RouteEditMessage, sandbox.RouteFollowUp}
	route := routes[dice.IntN(len(routes))]
	switch n := dice.IntN(20_000); {
	case n < 60:
		srv.Faults().FailNext(route, []int{500, 502, 503}[dice.IntN(3)])
	case n < 100:
		srv.Faults().ApplyThenFailNext(route)
	case n < 140:
		srv.Faults().ResetNext(route, dice.IntN(2) == 0)
	case n < 180:
		srv.Faults().RateLimitNext(route, 50*time.Millisecond, []sandbox.Scope{sandbox.ScopeUser, sandbox.ScopeShared, sandbox.ScopeGlobal}[dice.IntN(3)])
	case n < 200:
		srv.Faults().SlowNext(route, 100*time.Millisecond)
	case n < 204:
		srv.Faults().HangNext(route)
	case n < 230:
		srv.Faults().RedeliverNext(3)
	case n < 250:
		if m := s.channels[dice.IntN(len(s.channels))].LastMessage(nil); m != nil {
			m.Delete()
		}
	case n < 252:
		s.channels[dice.IntN(len(s.channels))].Set([]sandbox.ChannelOption{sandbox.NoBotView, sandbox.BotAllowed, sandbox.BotAllowed, sandbox.BotAllowed}[dice.IntN(4)])
	case n < 253:
		srv.Faults().ExpireTokens()
	case n < 258:
		s.gatewayTrouble([]func(){
			srv.Faults().DropGateway, srv.Faults().ReconnectOp7, func() { srv.Faults().CloseGateway(4000) }, func() { srv.Faults().InvalidSession(false) },
		}[dice.IntN(4)])
	case n < 262:
		s.lockedDatabase()
	}
}

// gatewayTrouble cuts the bot off, and waits until it is back: one at a time.
func (s *soak) gatewayTrouble(cut func()) {
	if !s.gatewayBusy.CompareAndSwap(0, 1) {
		return
	}
	defer s.gatewayBusy.Store(0)
	s.disturbed.Add(1)
	defer s.disturbed.Add(1)
	s.w.Reconnected(s.t, cut)
}

// lockedDatabase is another program that takes the database for a moment.
func (s *soak) lockedDatabase() {
	if !s.lockBusy.CompareAndSwap(0, 1) {
		return
	}
	defer s.lockBusy.Store(0)
	db, err := sql.Open("sqlite", "file:"+s.w.Path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	if err != nil {
		s.t.Error(err)
		return
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		return // the bot's own writes came first for five seconds
	}
	hold := time.NewTimer(20 * time.Millisecond)
	<-hold.C
	if err := tx.Rollback(); err != nil {
		s.t.Error(err)
	}
}

// checkMatches holds every stored match to the promises and returns their number.
func (s *soak) checkMatches() int {
	t := s.t
	db, err := sql.Open("sqlite", "file:"+s.w.Path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT id FROM matches")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	active := map[store.ChannelID][]store.Match{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		m, err := s.w.Store.Match(t.Context(), store.MatchID(id))
		if err != nil {
			t.Fatal(err)
		}
		bottest.PositionOf(t, m)
		if m.State == store.Active && !m.Private() {
			active[m.Channel] = append(active[m.Channel], m)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for ch, games := range active {
		in := 0
		for _, m := range games {
			if m.Thread == "" {
				in++
			}
		}
		if in > match.Places {
			t.Errorf("%d active matches in channel %s", in, ch)
		}
		players := map[store.UserID]bool{"": true}
		for _, m := range games {
			for _, p := range []store.Player{m.X, m.O} {
				if p.IsUser() && players[p.User] {
					t.Errorf("%s plays twice in channel %s", p.User, ch)
				}
				players[p.User] = true
			}
		}
	}
	return n
}

// footprint is what the process uses.
type footprint struct {
	heap       uint64 // bytes in use after collection
	goroutines int
	files      int // open files and connections; 0 where that cannot be counted
}

func (f footprint) String() string {
	return fmt.Sprintf("%d KB of heap, %d goroutines, %d files", f.heap>>10, f.goroutines, f.files)
}

func measure(t *testing.T) footprint {
	t.Helper()
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := footprint{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine()}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		f.files = len(open)
	}
	return f
}
