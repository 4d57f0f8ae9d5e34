package bot_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/gateway"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/engine"
	"tictactoe/store"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/postgrestest"
)

// twoProcesses is a world with a bot beside the first on one database, either of which
// takes what Discord posts.
func twoProcesses(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Process) {
	t.Helper()
	address := postgrestest.Empty(t)
	patience := postgres.WithTimeout(waittest.Limit(1500 * time.Millisecond))
	w := bottest.New(t, append([]bottest.Option{onPostgres(address, postgres.WithDomainLease(waittest.Limit(time.Second)), patience)}, options...)...)
	return w, w.Beside(t)
}

// toBothProcesses is a world in which two processes get every interaction, as Discord may
// deliver one twice: the first one has the shard, and the other gets what another session of
// that shard receives.
func toBothProcesses(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Process) {
	t.Helper()
	w := bottest.New(t, append([]bottest.Option{bottest.GoesBack(), onPostgres(postgrestest.Empty(t), postgres.WithTimeout(waittest.Limit(1500*time.Millisecond)))}, options...)...)
	w.Configure(func(o *service.Options) { o.GatewayOff = true })
	other := w.Beside(t)
	api := rest.New(rest.Options{BaseURL: w.Discord.APIURL(), Token: w.Discord.Token()})
	t.Cleanup(api.Close)
	var handling tasks.Group
	second := gateway.New(gateway.Options{
		Token: w.Discord.Token(), GatewayBot: api.GatewayBot, Identifies: gateway.NewIdentifiesEvery(time.Millisecond),
		OnInteraction: other.Service.Handle, Handling: &handling,
	})
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- second.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, handling.Wait(context.Background())); err != nil {
			t.Error(err)
		}
	})
	waittest.Until(t, "both to be connected", func() bool { return w.Discord.Gateway().Sessions() == 2 })
	return w, other
}

// share waits until both processes own clocks.
func share(t *testing.T, w *bottest.World, other *bottest.Process) {
	t.Helper()
	owns := func(s store.Store) int { return s.(*postgres.Store).Leases() }
	waittest.Until(t, "two processes to share the clocks", func() bool {
		return owns(w.Store) == store.Domains/2 && owns(other.Store) == store.Domains/2
	})
}

// TestWordsBehindAnAnswerAreSaidOnce: two processes refuse the same choice in a list, which stores
// nothing that either could find. The words come behind the answer that Discord has taken.
func TestWordsBehindAnAnswerAreSaidOnce(t *testing.T) {
	t.Parallel()
	w, other := toBothProcesses(t)
	byList(t, w, w.Ada, w.Bob)
	m := w.Challenge(t, w.Ada, w.Bob)
	list := listOn(t, m)
	for _, cell := range []string{"a1", "b1", "c1"} {
		r := chooseAtOnce(t, w.Cleo, m, list, cell)
		w.FollowUp(t, r, "Want one of your own?")
		w.Handled(t)
		waittest.Until(t, "the other process to have handled it", func() bool { return other.Service.Handling() == 0 })
		if n := len(r.Followups()); n != 1 {
			t.Errorf("%s: the words were said %d times", cell, n)
		}
	}
}

// TestAnOlderPictureComesLastFromAnotherProcess: the picture of one process is delayed
// past a newer one of another. Its sender looks again when it has arrived, and the newest
// picture stands in the end.
func TestAnOlderPictureComesLastFromAnotherProcess(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.GoesBack())
	m := w.Challenge(t, w.Ada, w.Bob)
	writes := func() int { return len(m.Snapshot().Writes) }
	arrive := make(chan struct{})
	w.PostsTo(other.Service, arrive)
	click := w.Ada.StartClickCell(t, m, 0, 0)
	waittest.Until(t, "the first move to be stored", func() bool { return w.Position(t) == "X../.../..." })
	w.PostsTo(w.Service, nil)
	newest := func() bool { return strings.Contains(m.Text(), "resigned") && bottest.Ply(m.Snapshot()) == 1 }
	w.Bob.Click(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe resign")), "Resign")
	waittest.Until(t, "the picture of the other process", newest)
	before := writes()
	close(arrive)
	if r := click.Wait(t); !r.Answered() {
		t.Fatalf("the click whose picture was late is not answered: %v", r.Problems)
	}
	waittest.Until(t, "the late picture and the newest behind it", func() bool { return writes() >= before+2 && newest() })
}

// TestAPictureThatIsLateOnItsWay: the picture of one process is held up behind its response,
// and a newer one of another overtakes it. Once no picture can arrive any more, the newest
// one is drawn again.
func TestAPictureThatIsLateOnItsWay(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	var processes, looks atomic.Int64
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.GoesBack(), bottest.Bot(func(o *bot.Options) {
		o.After = func(_ time.Duration, f func()) { go func() { <-arrived; f() }() }
	}), bottest.Behind(func(real store.Store) store.Store {
		if processes.Add(1) == 1 {
			return real
		}
		return looking{real.(*postgres.Store), &looks}
	}))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.PostsTo(other.Service, nil)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	waittest.Until(t, "the other process to know the message", func() bool { return looks.Load() >= 3 })
	var late atomic.Bool
	arrive := make(chan struct{})
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !late.Swap(false) {
			w.Service.Interactions().ServeHTTP(rw, r)
			return
		}
		response := httptest.NewRecorder()
		other.Service.Interactions().ServeHTTP(response, r)
		<-arrive
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write(response.Body.Bytes())
	}))
	t.Cleanup(front.Close)
	if err := w.Discord.REST().SetEndpoint(t.Context(), w.Discord.App(), front.URL+"/interactions"); err != nil {
		t.Fatal(err)
	}
	late.Store(true)
	looked := looks.Load()
	click := w.Ada.StartClickCell(t, m, 2, 2)
	waittest.Until(t, "the first picture to be on its way", func() bool { return other.Service.Handling() == 0 && looks.Load() > looked })
	newest := func() bool { return strings.Contains(m.Text(), "resigned") && bottest.Ply(m.Snapshot()) == 3 }
	w.Bob.Click(t, w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe resign")), "Resign")
	waittest.Until(t, "the picture of the other process", newest)
	close(arrive)
	if r := click.Wait(t); !r.Answered() || newest() {
		t.Fatalf("the late picture stands: %v; %v", !newest(), r.Problems)
	}
	close(arrived)
	waittest.Until(t, "the newest picture", newest)
}

// TestAProcessDiesBetweenMoveAndPicture: a process stores a move and dies before it shows it.
// The other one shows it, whichever of them had the guild's clock.
func TestAProcessDiesBetweenMoveAndPicture(t *testing.T) {
	t.Parallel()
	for _, owner := range [...]bool{true, false} {
		t.Run(fmt.Sprintf("owner=%v", owner), func(t *testing.T) {
			t.Parallel()
			var begun atomic.Int64
			var dead [2]atomic.Bool
			w, other := twoProcesses(t, bottest.ByHTTP, bottest.Behind(func(real store.Store) store.Store {
				return mortal{real.(*postgres.Store), &dead[begun.Add(1)-1]}
			}))
			share(t, w, other)
			m := w.Challenge(t, w.Ada, w.Bob)
			dies, arrive := 0, make(chan struct{})
			if first := w.Match(t).Guild.Domain() < store.Domains/2; first != owner { // who was first keeps those
				dies = 1
			}
			w.PostsTo([...]*service.Service{w.Service, other.Service}[dies], arrive)
			w.Ada.StartClickCell(t, m, 0, 0)
			waittest.Until(t, "the move to be stored", func() bool { return w.Position(t) == "X../.../..." })
			dead[dies].Store(true)
			defer func() { // so that it ends in good order
				dead[dies].Store(false)
				close(arrive)
			}()
			w.Shows(t, m, "X../.../...")
		})
	}
}

// TestAClickShowsWhatAnotherProcessStored: a process that stored something may have died before
// it shows it. Whoever clicks on what stands there meanwhile sees it at once.
func TestAClickShowsWhatAnotherProcessStored(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP)
	share(t, w, other)
	w.PostsTo(w.Service, nil)
	offer := w.Offer(t, w.Bob, w.Ada)
	m := w.Challenge(t, w.Ada, w.Cleo)
	w.Cells(t, m, w.Ada, w.Cleo, "a1", "b2") // by now it knows that its pictures arrive
	arrive := make(chan struct{})
	w.PostsTo(other.Service, arrive)
	held := []*sandbox.Call{w.Ada.StartClickCell(t, m, 0, 1), w.Ada.StartClick(t, offer, "Decline")}
	waittest.Until(t, "both to be stored", func() bool {
		open, err := w.Store.ChallengesOf(t.Context(), store.UserID(w.Ada.ID()), 9)
		return err == nil && len(open) == 0 && w.Position(t) == "XX./.O./..."
	})
	w.PostsTo(w.Service, nil)
	w.Ada.ClickCell(t, m, 0, 2)
	w.Ada.Click(t, offer, "Accept")
	if bottest.Ply(m.Snapshot()) != 3 || !strings.Contains(offer.Text(), "can't play right now") {
		t.Errorf("behind the answers %q and %q stand", m.Text(), offer.Text())
	}
	close(arrive)
	for _, click := range held {
		click.Wait(t)
	}
}

// mortal is a database of a process that can die: from then on it asks nothing.
type mortal struct {
	*postgres.Store
	dead *atomic.Bool
}

func (m mortal) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (store.Leases, error) {
	if m.dead.Load() {
		return store.Leases{}, store.ErrUnreachable
	}
	return m.Store.Lease(ctx, want, u)
}

func (m mortal) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	if m.dead.Load() {
		return store.Shown{}, store.ErrUnreachable
	}
	return m.Store.MatchVersion(ctx, id)
}

// TestAProcessWithoutItsDatabase: of two processes that get everything one can save nothing,
// and says so before the other one has saved the move. The board shows the move all the same,
// and the private words stay what they are.
func TestAProcessWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	var processes atomic.Int64
	said := make(chan struct{})
	var lost atomic.Bool
	w, _ := toBothProcesses(t, bottest.Behind(func(real store.Store) store.Store {
		first := processes.Add(1) == 1
		return applying{real.(*postgres.Store), func(ctx context.Context, c store.Change) error {
			switch {
			case c.Interaction == "" || !lost.Load():
			case first:
				<-said
			default:
				return store.ErrUnreachable
			}
			return real.Apply(ctx, c)
		}}
	}))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Settle(t)
	lost.Store(true)
	words := w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), notSaved)
	close(said)
	w.Shows(t, m, "X../.../...")
	w.Handled(t)
	w.Discord.Settle(t)
	if text := words.Text(); !strings.Contains(text, notSaved) {
		t.Errorf("the private words have become %q", text)
	}
}

// looking is a database that counts how often somebody looks for a newer version.
type looking struct {
	*postgres.Store
	looks *atomic.Int64
}

func (l looking) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	defer l.looks.Add(1)
	return l.Store.MatchVersion(ctx, id)
}

// applying is a database whose changes something else makes.
type applying struct {
	*postgres.Store
	apply func(context.Context, store.Change) error
}

func (a applying) Apply(ctx context.Context, c store.Change) error { return a.apply(ctx, c) }

// TestPlayedOnInAnotherProcess: two processes answer by turns, each behind a picture of the
// other. Where the click comes as soon as that has arrived its sender may draw once more, and
// the newest picture stands in the end.
func TestPlayedOnInAnotherProcess(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.GoesBack())
	m := w.Challenge(t, w.Ada, w.Bob)
	processes, people := [...]*service.Service{other.Service, w.Service}, [...]*sandbox.User{w.Ada, w.Bob}
	for i, cell := range [...]string{"a1", "b2", "a2", "a3", "c1", "b1", "b3"} {
		w.PostsTo(processes[i%2], nil)
		w.Cells(t, m, people[i%2], nil, cell)
	}
	w.Discord.Settle(t)
	w.Shows(t, m, "XOX/XO./OX.")
}

// toBoth plays cells, Ada first, behind so many moves of a match of which both processes get
// every click. Each is played when both are done with what was before and the board shows it,
// as it does at the end: the one that comes too late may draw an older picture for a moment.
func toBoth(t *testing.T, w *bottest.World, m *sandbox.Message, moves int, cells ...string) {
	t.Helper()
	shown := func() {
		t.Helper()
		w.Discord.Settle(t)
		m.Wait(t, fmt.Sprintf("the board after %d moves", moves), func(s sandbox.Snapshot) bool { return bottest.Ply(s) == moves })
	}
	for _, cell := range cells {
		shown()
		w.Cells(t, m, [...]*sandbox.User{w.Ada, w.Bob}[moves%2], nil, cell)
		moves++
	}
	shown()
}

// TestDeliveredToTwoProcesses: both processes are connected, and Discord sends everything
// to both. Each interaction has one effect and is answered once.
func TestDeliveredToTwoProcesses(t *testing.T) {
	t.Parallel()
	w, _ := toBothProcesses(t)
	for n := range 3 {
		w.Elsewhere("both" + string(rune('a'+n)))
		m := w.Challenge(t, w.Ada, w.Bob)
		toBoth(t, w, m, 0, "a1", "b2", "a2", "b1")
		w.Refused(t, w.Bob.ClickCell(t, m, 2, 2), "it's "+w.Ada.Mention()+"'s turn")
		toBoth(t, w, m, 4, "a3")
		bottest.WantText(t, m, w.Ada.Mention()+" wins")
		w.Free(t)
	}
}

// TestTwoProcessesEndOneMatch: while one makes the last move the other one resigns, and two
// processes get both. Each match has one result, and every sum is that of the results.
func TestTwoProcessesEndOneMatch(t *testing.T) {
	t.Parallel()
	w, _ := toBothProcesses(t)
	const matches = 3
	for n := range matches {
		w.Elsewhere("ends" + string(rune('a'+n)))
		m := w.Challenge(t, w.Ada, w.Bob)
		toBoth(t, w, m, 0, "a1", "b2", "a2", "b1")
		id := w.Match(t).ID
		resign := w.Bob.PrepareClick(t, w.Answer(t, w.Bob.Click(t, m, "⋯ More")), "Resign")
		last := w.Ada.PrepareClickCell(t, m, 2, 0)
		w.Discord.DispatchTogether(last, resign)
		last.Wait(t)
		resign.Wait(t)
		w.Free(t)
		r, err := w.Store.Result(t.Context(), id)
		if err != nil || r.Winner != engine.X || r.EndReason != store.ByLine && r.EndReason != store.Resignation {
			t.Errorf("Result = %+v, %v", r, err)
		}
	}
	guild, ada := store.GuildID(w.Discord.Guild().ID()), store.UserID(w.Ada.ID())
	p, err := w.Store.Profile(t.Context(), ada, "", guild)
	if err != nil || len(p.Tallies) != 1 || p.Tallies[0].Won != matches || p.Streak != matches {
		t.Errorf("Profile = %+v, %v, want %d wins", p, err, matches)
	}
	row, err := w.Store.Standing(t.Context(), guild, store.AllTime, ada) // two of a day count in the same seats
	if want := (store.Standing{User: ada, Rank: 1, Points: 6, Won: 2}); row != want || err != nil {
		t.Errorf("Standing = %+v, %v, want %+v", row, err, want)
	}
	if wrong, err := w.Store.Recount(t.Context()); wrong != 0 || err != nil {
		t.Errorf("Recount() = %d, %v, want every sum to be right", wrong, err)
	}
}

// TestTwoProcessesBeginOneThread: a press that both processes get begins one thread, which
// cannot be taken back as a match can that is stored twice.
func TestTwoProcessesBeginOneThread(t *testing.T) {
	t.Parallel()
	w, _ := toBothProcesses(t, bottest.Places(1), bottest.ClicksDelivered)
	w.Play(t, w.Bob)
	for n := range 3 {
		ada := w.Discord.User(fmt.Sprint("Ada-", n))
		_, press := threadDoor(t, w, ada, "3x3")
		press()
		newThread(t, w, n+1)
		w.Handled(t)
		w.Discord.Settle(t)
		if got := len(threadsOf(w)); got != n+1 {
			t.Fatalf("there are %d threads of %d presses", got, n+1)
		}
	}
}

// TestLimitsHoldAcrossProcesses: starts, the pause between two posts of a board and the
// settings of a guild are those of all processes together.
func TestLimitsHoldAcrossProcesses(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.StartLimit("3"))
	services := []func(){
		func() { w.PostsTo(w.Service, nil) },
		func() { w.PostsTo(other.Service, nil) },
	}
	for n := range 3 {
		services[n%2]()
		w.Elsewhere("limit" + string(rune('a'+n)))
		w.Play(t, w.Ada)
	}
	for n := range 2 {
		services[n]()
		w.Refused(t, w.Ada.Command(t, w.Side("limitd"), "tictactoe play"), "Slow down")
	}
	services[0]()
	if r := w.Ada.Command(t, w.Channel, "tictactoe board"); !r.Answered() || r.Message == nil || r.Message.Snapshot().Ephemeral() {
		t.Fatal("the board was not posted again")
	}
	services[1]()
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe board"), "posted a moment ago")
	w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe board"), "posted a moment ago")
}

// TestNoProcessCountsWhatCameToNothing: a start that Discord has refused leaves room for
// another, whichever process takes that, and for no more.
func TestNoProcessCountsWhatCameToNothing(t *testing.T) {
	t.Parallel()
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.Places(1), bottest.ClicksDelivered, bottest.StartLimit("1"))
	w.PostsTo(w.Service, nil)
	w.Play(t, w.Bob)
	_, press := threadDoor(t, w, w.Ada, "3x3")
	w.Discord.Faults().RefuseNext(routeCreateThread, 403, 50013)
	w.Refused(t, press(), "*Create Public Threads*")
	if n := threadRequests(w); n != 1 {
		t.Fatalf("Discord was asked for %d threads", n)
	}
	w.PostsTo(other.Service, nil)
	w.Elsewhere("room")
	if m := w.Play(t, w.Ada); len(bottest.Empties(m.Snapshot())) != 9 {
		t.Fatalf("the next start is answered with %q", m.Text())
	}
	w.PostsTo(w.Service, nil)
	w.Refused(t, w.Ada.Command(t, w.Side("no-room"), "tictactoe play"), "Slow down")
}

// threadRequests returns how often Discord was asked for a thread.
func threadRequests(w *bottest.World) (n int) {
	for _, q := range w.Discord.REST().Requests() {
		if q.Method+" "+q.Route == routeCreateThread {
			n++
		}
	}
	return n
}

// TestStartsOfTwoProcessesCountOnce: what both processes get counts once, and stays counted
// though one of them has come too late. Of somebody's data it makes one copy.
func TestStartsOfTwoProcessesCountOnce(t *testing.T) {
	t.Parallel()
	w, _ := toBothProcesses(t, bottest.StartLimit("2"))
	for n := range 2 {
		w.Elsewhere("once" + string(rune('a'+n)))
		w.Play(t, w.Ada)
		w.Handled(t)
	}
	w.Refused(t, w.Ada.Command(t, w.Side("oncec"), "tictactoe play"), "Slow down")

	exportOf(t, w, w.Bob)
	w.Handled(t)
	w.Discord.Settle(t)
	if n := sent(w, sandbox.RouteEditOriginal); n != 1 {
		t.Errorf("%d copies were handed over", n)
	}
}

// asking is a database that counts how often processes ask for clocks.
type asking struct {
	*postgres.Store
	asked *atomic.Int64
}

func (a asking) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (store.Leases, error) {
	a.asked.Add(1)
	return a.Store.Lease(ctx, want, u)
}

// TestClocksChangeHands: a clock goes on whichever process owns it, one of which ends in
// order, and runs out once.
func TestClocksChangeHands(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	var asked atomic.Int64
	w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.Behind(func(real store.Store) store.Store {
		return asking{real.(*postgres.Store), &asked}
	}))
	share(t, w, other)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	up := func() time.Duration {
		up, err := w.Store.Uptime(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return up[w.Match(t).Guild.Domain()]
	}
	begun := up()
	clock.Advance(40 * time.Second)
	waittest.Until(t, "the clock to be saved", func() bool { return up() >= begun+40*time.Second })
	if at := up(); at > begun+41*time.Second {
		t.Errorf("of 40 s the clock has made %v", at-begun)
	}
	w.PostsTo(other.Service, nil)
	w.Stop(t) // and gives its clocks back
	w.Store = other.Store
	waittest.Until(t, "the other to own all clocks", func() bool { return other.Store.(*postgres.Store).Leases() == store.Domains })
	before := asked.Load()
	waittest.Until(t, "the other to know that, and ask again", func() bool { return asked.Load() > before })
	w.Shows(t, m, "X../.O./...")
	clock.Advance(30 * time.Second)
	bottest.WantText(t, m, w.Bob.Mention()+" wins")
	if _, active := w.Active(t); active {
		t.Error("the match goes on")
	}
}

// TestSettingsReachOtherProcesses: what another process has set counts some seconds later.
func TestSettingsReachOtherProcesses(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, onPostgres(postgrestest.Empty(t)), bottest.ByClock(clock))
	w.Play(t, w.Ada) // which reads the settings
	set := store.GuildSettings{Guild: w.Match(t).Guild, Places: 1}
	if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{set}}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(4*time.Second + time.Millisecond)
	w.FollowUp(t, w.Bob.Command(t, w.Channel, "tictactoe play"), "This channel is full")
}
