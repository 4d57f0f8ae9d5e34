package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/store"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

// TestPlayedByHTTP: without a Gateway connection a game is played to its end. What
// changes the clicked message is the response's body, what makes one goes by the
// callback route, so that its id is known.
func TestPlayedByHTTP(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ByHTTP)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2", "a2", "b1")
	if id := w.Match(t).Message; string(id) != m.ID() {
		t.Errorf("the board's message is %q in the store, want %s", id, m.ID())
	}
	w.Refused(t, w.Bob.ClickCell(t, m, 2, 2), "Not yet")
	w.Cells(t, m, w.Ada, w.Bob, "a3")
	bottest.WantText(t, m, w.Ada.Mention()+" wins")
	if n := w.Discord.Gateway().Sessions(); n != 0 {
		t.Errorf("%d Gateway sessions, want none", n)
	}
	var answers []sandbox.Request
	waittest.Until(t, "the record of every answer, which comes behind its effect", func() bool {
		answers = slices.DeleteFunc(w.Discord.REST().Requests(), func(r sandbox.Request) bool { return !strings.HasSuffix(r.Route, "/callback") })
		return len(answers) >= len(w.Discord.World().Calls())
	})
	inBody := map[bool]int{}
	for _, r := range answers {
		inBody[r.InBody]++
		if made := strings.HasPrefix(string(r.Body), `{"type":4`); made == r.InBody {
			t.Errorf("in the body %v: %.40s", r.InBody, r.Body)
		}
	}
	if inBody[true] != 6 || inBody[false] != 2 { // Accept and five moves; the challenge and the refusal
		t.Errorf("%d answers in a body and %d others, want 6 and 2", inBody[true], inBody[false])
	}
}

// TestPostedTwice: one interaction that is posted twice, at once or later, has one
// effect and one answer.
func TestPostedTwice(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ByHTTP)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Faults().RedeliverNext()
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	r := w.Cell(t, w.Bob, m, "b2")
	w.Discord.Faults().Redeliver(r.Call)
	w.Restart(t)
	w.Discord.Faults().Redeliver(r.Call)
	w.Cells(t, m, w.Ada, w.Bob, "c3")
	w.Shows(t, m, "X../.O./..X")
}

// TestClicksInTheSameInstantByHTTP: nobody tells when the picture in a response's body
// has been drawn, and still none goes backwards, and the newest stands in the end.
func TestClicksInTheSameInstantByHTTP(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ByHTTP, bottest.Places(20))
	for range 10 {
		w.Elsewhere("race" + time.Now().Format("150405.000000000"))
		m := w.Challenge(t, w.Ada, w.Bob)
		for ply := range 4 {
			free := bottest.Empties(m.Snapshot())
			a, b := free[0], free[len(free)-1]
			first, second := w.Ada.PrepareClickCell(t, m, a[0], a[1]), w.Bob.PrepareClickCell(t, m, b[0], b[1])
			w.Discord.DispatchTogether(first, second)
			if ra, rb := first.Wait(t), second.Wait(t); !ra.Answered() || !rb.Answered() {
				t.Fatalf("move %d: answered %v and %v", ply+1, ra.Problems, rb.Problems)
			}
			w.Handled(t)
			want := w.Position(t)
			waittest.Until(t, "the newest picture", func() bool { return bottest.Grid(m.Snapshot()) == want })
		}
		w.Resign(t, w.Ada, m)
	}
}

// TestClocksByHTTP: without a Gateway a clock advances, but not while nothing can be
// saved.
func TestClocksByHTTP(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByHTTP, bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.SQLite(sqlite.WithBusyTimeout(100*time.Millisecond)))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	release := bottest.Lock(t, w.Path)
	if err := w.Service.Health(t.Context()); !errors.Is(err, service.ErrNotWritable) {
		t.Errorf("with a locked database its health is %v", err)
	}
	for range 11 {
		if r := w.Bob.ClickCell(t, m, 1, 1); !strings.Contains(r.Text(), notSaved) {
			t.Fatalf("with a locked database: %q", r.Text())
		}
		clock.Advance(20 * time.Second)
	}
	release()
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	clock.Advance(time.Minute + time.Second)
	bottest.WantText(t, m, w.Ada.Mention()+" ran out of time")
}

// TestStoppedWhileAClickIsHandled: from the moment that the bot is told to end it says
// so to whoever asks for its health. Where balancers have no time to notice it takes
// nothing new, and answers what it has begun.
func TestStoppedWhileAClickIsHandled(t *testing.T) {
	t.Parallel()
	begun, finish := make(chan struct{}), make(chan struct{})
	var f bottest.Failing
	w := bottest.New(t, bottest.ByHTTP, f.Between(), bottest.Bot(func(o *bot.Options) { o.WorkTime = waittest.Limit(3 * time.Second) }))
	m := w.Challenge(t, w.Ada, w.Bob)
	f.Fail(func(c store.Change) error {
		close(begun)
		<-finish
		return f.Store.Apply(t.Context(), c)
	})
	click := w.Ada.StartClickCell(t, m, 0, 0)
	<-begun
	f.Fail(nil)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.Stop(t)
	}()
	waittest.Until(t, "the bot to say that it stops", func() bool { return errors.Is(w.Service.Health(t.Context()), service.ErrStopping) })
	late := w.Bob.Command(t, w.Side("side"), "tictactoe help")
	if late.Answered() || !strings.Contains(strings.Join(late.Problems, " "), "503") {
		t.Errorf("a command that came too late: answered %v, %v", late.Answered(), late.Problems)
	}
	late.Call.AllowUnanswered()
	close(finish)
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("the click that was begun is not answered: %v", r.Problems)
	}
	<-stopped
	w.Shows(t, m, "X../.../...")
}

// TestWrongPublicKey: no interaction could ever be taken, so that the bot says it and
// ends.
func TestWrongPublicKey(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t)
	db := sqlitetest.Open(t)
	defer db.Close()
	o := service.Options{Store: db, REST: rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()}}
	o.Webhook.Key = make([]byte, 32)
	if err := service.New(o).Run(t.Context()); !errors.Is(err, service.ErrWrongKey) {
		t.Errorf("it ended with %v", err)
	}
}
