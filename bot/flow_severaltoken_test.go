package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

// toKnow is how many seconds a process has until it knows that the other one has clocks, and who
// has made a message has looked once more.
const toKnow = 20

// byTokenOfOne plays one move with one of two processes by HTTP, where tokens of interactions
// alone can change messages, and has Discord post to the other one from then on. It does so for
// each of the two: one of them has the clock. What a bot does later, after is given.
func byTokenOfOne(t *testing.T, after func(wait time.Duration, f func()), test func(t *testing.T, w *bottest.World, clock *bottest.Clock, board *sandbox.Message)) {
	for i := range 2 {
		t.Run(fmt.Sprintf("process %d", i), func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w, other := twoProcesses(t, bottest.ByHTTP, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute), bottest.Bot(func(o *bot.Options) { o.After = after }))
			w.Ada.Set(sandbox.Installed(true))
			w.Channel = away["a server"](w)
			share(t, w, other)
			services := [...]*service.Service{w.Service, other.Service}
			w.PostsTo(services[i], nil)
			board := turn(t, w)
			seconds(t, clock, toKnow)
			w.PostsTo(services[1-i], nil)
			test(t, w, clock, board)
			w.Stop(t)
			nothingByItself(t, w)
		})
	}
}

// TestABoardIsDrawnByWhoHasItsToken: what another process stores is shown by the one that can.
func TestABoardIsDrawnByWhoHasItsToken(t *testing.T) {
	t.Parallel()
	never := func(time.Duration, func()) {} // does who has answered look again
	byTokenOfOne(t, never, func(t *testing.T, w *bottest.World, clock *bottest.Clock, board *sandbox.Message) {
		w.Ada.Click(t, w.Answer(t, w.Ada.Command(t, w.Channel, "tictactoe resign")), "Resign")
		waittest.Until(t, "the end", func() bool { _, running := w.Active(t); return !running })
		waittest.Until(t, "the picture", func() bool {
			seconds(t, clock, 1)
			return strings.Contains(board.Text(), "resigned")
		})
	})
}

// TestWhoHasTheTokenReminds: it sends the line, whoever has the clock, and takes it away again,
// whoever stores the move.
func TestWhoHasTheTokenReminds(t *testing.T) {
	t.Parallel()
	soon := func(_ time.Duration, f func()) { time.AfterFunc(10*time.Millisecond, f) }
	byTokenOfOne(t, soon, func(t *testing.T, w *bottest.World, clock *bottest.Clock, board *sandbox.Message) {
		clock.Advance(halfGone - toKnow*time.Second)
		waittest.Until(t, "the line", func() bool { return len(reminded(w)) == 1 })
		line := reminded(w)[0]
		w.Cells(t, board, w.Bob, w.Ada, "b2")
		waittest.Until(t, "the line to go", line.Deleted)
	})
}

// seconds has some pass in steps that are no outage.
func seconds(t *testing.T, clock *bottest.Clock, n int) {
	t.Helper()
	for range n {
		clock.Advance(time.Second)
		clock.Looked(t)
	}
}
