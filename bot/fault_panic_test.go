package bot_test

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// TestPanicInAHandler: whoever meets it is told a number that is also in the log,
// it is counted, and nothing stays locked or half done.
func TestPanicInAHandler(t *testing.T) {
	t.Parallel()
	var armed atomic.Bool
	dice := bottest.FixedDice()
	w := bottest.New(t, bottest.Bot(func(o *bot.Options) {
		o.Dice = func() *rand.Rand {
			if armed.Load() {
				panic("the dice are broken")
			}
			return dice()
		}
	}))
	m := w.Play(t, w.Ada)
	side := w.Side("side")
	armed.Store(true)
	var numbers []string
	for _, r := range []*sandbox.Reply{
		w.Ada.ClickCell(t, m, 0, 0), // the program would choose its reply
		w.Cleo.Command(t, side, "tictactoe play", sandbox.Opt("first", "bot")),
		w.Cleo.Command(t, side, "tictactoe play", sandbox.Opt("first", "random")),
	} {
		numbers = append(numbers, incident(t, w.Refused(t, r, "Something went wrong on my side.").Text()))
	}
	log := w.Log.String()
	for _, n := range numbers {
		if got := strings.Count(log, `msg="interaction failed" incident=`+n); got != 1 {
			t.Errorf("incident %s is %d times in the log, want once", n, got)
		}
	}
	if !strings.Contains(log, "the dice are broken") || !strings.Contains(log, "fault_panic_test.go") {
		t.Error("the log does not say what happened where")
	}
	if got := w.Service.Counts().Panics; got != 3 {
		t.Errorf("%d panics counted, want 3", got)
	}
	w.Bystander(t)
	armed.Store(false)
	if got := w.Position(t); got != ".../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.Cell(t, w.Ada, m, "a1")
	m.Wait(t, "the move and its reply", func(s sandbox.Snapshot) bool { return len(bottest.Empties(s)) == 7 })
	w.Channel = side
	w.Free(t)
}

// brokenTransport panics when it is told to, where the answer is sent or a message
// is edited.
type brokenTransport struct{ callback, edit atomic.Bool }

func (b *brokenTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, "/callback") && b.callback.CompareAndSwap(true, false) ||
		r.Method == http.MethodPatch && b.edit.CompareAndSwap(true, false) {
		panic("the transport is broken")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestPanicWhileAnswering: the answer itself panics. The move is stored, and the
// board is not left waiting for a picture that will never arrive.
func TestPanicWhileAnswering(t *testing.T) {
	t.Parallel()
	broken := &brokenTransport{}
	w := bottest.New(t, bottest.REST(func(o *rest.Options) { o.Transport = broken }))
	m := w.Challenge(t, w.Ada, w.Bob)
	broken.callback.Store(true)
	click := w.Ada.StartClickCell(t, m, 0, 0)
	click.AllowUnanswered()
	waittest.Until(t, "the panic to be counted", func() bool { return w.Service.Counts().Panics == 1 })
	w.Shows(t, m, "X../.../...")
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
}

// TestPanicWhileRedrawing: a redraw that nobody waits for panics.
func TestPanicWhileRedrawing(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	broken := &brokenTransport{}
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.REST(func(o *rest.Options) { o.Transport = broken }))
	m := w.Challenge(t, w.Ada, w.Bob)
	broken.edit.Store(true)
	clock.Advance(61 * time.Second)
	waittest.Until(t, "the panic to be counted", func() bool { return w.Service.Counts().Panics == 1 })
	waittest.Until(t, "a click to bring the board", func() bool {
		w.Ada.ClickCell(t, m, 0, 0, sandbox.Forced)
		return bottest.Over(m.Snapshot())
	})
	w.Bob.Click(t, m, "Rematch")
	bottest.WantText(t, m, "wants a rematch")
}
