package bot_test

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
)

// TestPanicInAHandler: whoever meets it is told a number that is also in the log,
// it is counted, and nothing stays locked or half done.
func TestPanicInAHandler(t *testing.T) {
	t.Parallel()
	var armed flag
	dice := fixedDice()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.bot = func(o *bot.Options) {
			o.Dice = func() *rand.Rand {
				if armed.Load() {
					panic("the dice are broken")
				}
				return dice()
			}
		}
	})
	m := w.play(w.ada)
	side := w.srv.Guild().Channel("side")
	armed.Store(true)
	var numbers []string
	for _, r := range []*sandbox.Reply{
		w.ada.ClickCell(t, m, 0, 0), // the program would choose its reply
		w.cleo.Command(t, side, "tictactoe play", sandbox.Opt("first", "bot")),
		w.cleo.Command(t, side, "tictactoe play", sandbox.Opt("first", "random")),
	} {
		numbers = append(numbers, incident(t, w.refused(r, "Something went wrong on my side.").Text()))
	}
	log := w.log.String()
	for _, n := range numbers {
		if strings.Count(log, "incident="+n) != 1 {
			t.Errorf("incident %s is %d times in the log, want once", n, strings.Count(log, "incident="+n))
		}
	}
	if !strings.Contains(log, "the dice are broken") || !strings.Contains(log, "fault_panic_test.go") {
		t.Error("the log does not say what happened where")
	}
	if got := w.bot.Counts().Panics; got != 3 {
		t.Errorf("%d panics counted, want 3", got)
	}
	w.bystander()
	armed.Store(false)
	if got := w.position(); got != ".../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.cell(w.ada, m, "a1")
	m.Wait(t, "the move and its reply", func(s sandbox.Snapshot) bool { return len(empties(s)) == 7 })
	w.general = side
	w.free()
}

// brokenTransport panics when it is told to, where the answer is sent or a message
// is edited.
type brokenTransport struct{ callback, edit flag }

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
	w := newFaultWorld(t, func(c *faultConfig) { c.rest = func(o *rest.Options) { o.Transport = broken } })
	m := w.challenge(w.ada, w.bob)
	broken.callback.Store(true)
	click := w.ada.StartClickCell(t, m, 0, 0)
	click.AllowUnanswered()
	eventually(t, "the panic to be counted", func() bool { return w.bot.Counts().Panics == 1 })
	w.shows(m, "X../.../...")
	w.cells(m, w.bob, w.ada, "b2")
	w.shows(m, "X../.O./...")
}

// TestPanicWhileRedrawing: a redraw that nobody waits for panics.
func TestPanicWhileRedrawing(t *testing.T) {
	t.Parallel()
	clock := newManualTime()
	broken := &brokenTransport{}
	w := newFaultWorld(t, func(c *faultConfig) {
		c.rest = func(o *rest.Options) { o.Transport = broken }
		c.bot = func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, time.Minute }
	})
	m := w.challenge(w.ada, w.bob)
	broken.edit.Store(true)
	clock.advance(61 * time.Second)
	eventually(t, "the panic to be counted", func() bool { return w.bot.Counts().Panics == 1 })
	eventually(t, "a click to bring the board", func() bool {
		w.ada.ClickCell(t, m, 0, 0, sandbox.Forced)
		return over(m.Snapshot())
	})
	w.bob.Click(t, m, "Rematch")
	wantText(t, m, "wants a rematch")
}
