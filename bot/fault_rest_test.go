package bot_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
)

// answerFaults meet the first answer to an interaction.
var answerFaults = []struct {
	name string
	arm  func(*sandbox.Server)
	lost bool // the answer cannot be delivered at all
}{
	{"500", func(s *sandbox.Server) { s.FailNext(sandbox.RouteCallback, 500) }, false},
	{"502", func(s *sandbox.Server) { s.FailNext(sandbox.RouteCallback, 502) }, false},
	{"503", func(s *sandbox.Server) { s.FailNext(sandbox.RouteCallback, 503) }, false},
	{"500 for as long as it is tried", func(s *sandbox.Server) { s.FailNext(sandbox.RouteCallback, 500, 4) }, true},
	{"applied then 502, so that the next try meets 40060", func(s *sandbox.Server) { s.ApplyThenFailNext(sandbox.RouteCallback) }, false},
	{"reset before it is applied", func(s *sandbox.Server) { s.ResetNext(sandbox.RouteCallback, false) }, false},
	{"reset after it is applied", func(s *sandbox.Server) { s.ResetNext(sandbox.RouteCallback, true) }, false},
	{"slow", func(s *sandbox.Server) { s.SlowNext(sandbox.RouteCallback, 300*time.Millisecond) }, false},
	{"hangs once", func(s *sandbox.Server) { s.HangNext(sandbox.RouteCallback) }, false},
	{"hangs for as long as it is tried", func(s *sandbox.Server) {
		s.HangNext(sandbox.RouteCallback)
		s.HangNext(sandbox.RouteCallback)
	}, true},
	{"429 of the user, short", rateLimited(100*time.Millisecond, sandbox.ScopeUser), false},
	{"429 shared, short", rateLimited(100*time.Millisecond, sandbox.ScopeShared), false},
	{"429 global, short", rateLimited(100*time.Millisecond, sandbox.ScopeGlobal), false},
	{"429 in HTML, short", rateLimited(time.Second, sandbox.ScopeHTML), false},
	{"429 of the user, long", rateLimited(20*time.Second, sandbox.ScopeUser), true},
	{"429 shared, long", rateLimited(20*time.Second, sandbox.ScopeShared), true},
	{"429 global, long", rateLimited(20*time.Second, sandbox.ScopeGlobal), true},
	{"429 in HTML, long", rateLimited(20*time.Second, sandbox.ScopeHTML), true},
}

func rateLimited(wait time.Duration, scope sandbox.Scope) func(*sandbox.Server) {
	return func(s *sandbox.Server) { s.RateLimitNext(sandbox.RouteCallback, wait, scope) }
}

// TestAnswerFaultsAtAMove lets the answer to a move meet every fault. The move has
// one effect and the board shows it in the end, other games are answered
// meanwhile, and this one goes on.
func TestAnswerFaultsAtAMove(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.t = t
			w.elsewhere("move " + f.name)
			m := w.challenge(w.ada, w.bob)
			w.cells(m, w.ada, w.bob, "a1")
			f.arm(w.srv)
			click := w.bob.StartClickCell(t, m, 1, 1)
			w.disarmed()
			w.bystander()
			w.outcome(click, f.lost)
			w.shows(m, "X../.O./...")
			w.cells(m, w.ada, w.bob, "c3")
			w.shows(m, "X../.O./..X")
			if got := w.position(); got != "X../.O./..X" {
				t.Errorf("stored is %s", got)
			}
			neverBackwards(t, m)
		})
	}
	w.t = t
}

// outcome waits until the call is answered or, where the answer is to be lost, the
// bot has given it up.
func (w *faultWorld) outcome(c *sandbox.Call, lost bool) *sandbox.Reply {
	w.t.Helper()
	if lost {
		eventually(w.t, "the bot to give up the answer", func() bool { return w.bot.Counts().Failed > w.failed })
		w.failed++
	} else if r := c.Wait(w.t); !r.Answered() {
		w.t.Fatalf("not answered: %v", r.Problems)
	}
	return c.Reply()
}

// TestAnswerFaultsAtAStart lets the answer that would be a new board meet every
// fault. There is one match, and its player gets to it.
func TestAnswerFaultsAtAStart(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.t = t
			w.elsewhere("start " + f.name)
			f.arm(w.srv)
			start := w.ada.StartCommand(t, w.general, "tictactoe play")
			w.disarmed()
			w.bystander()
			m := w.outcome(start, f.lost).Message
			if f.lost {
				// The place in the channel is taken by a board that nobody sees: the way
				// to it is shown to whoever tries again.
				refusal := w.refused(w.ada.Command(t, w.general, "tictactoe play"), "A game is running here", "Show board")
				m = w.answer(w.ada.Click(t, refusal, "Show board"))
			}
			w.cell(w.ada, m, "a1")
			m.Wait(t, "the move and its reply", func(s sandbox.Snapshot) bool { return len(empties(s)) == 7 })
			if got := len(w.general.Messages(nil)); got != 1 && !f.lost {
				t.Errorf("%d messages in the channel, want one board", got)
			}
			if got := strings.Count(w.position(), "."); got != 7 {
				t.Errorf("the stored match has %d empty cells, want 7", got)
			}
		})
	}
	w.t = t
}

// TestAnswerFaultsAtAnAcceptance lets the answer that turns a challenge into a
// board meet every fault.
func TestAnswerFaultsAtAnAcceptance(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.t = t
			w.elsewhere("acceptance " + f.name)
			m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
			f.arm(w.srv)
			accept := w.bob.StartClick(t, m, "Accept")
			w.disarmed()
			w.bystander()
			w.outcome(accept, f.lost)
			wantText(t, m, "to move")
			w.cells(m, w.ada, w.bob, "a1", "b2")
			w.shows(m, "X../.O./...")
		})
	}
	w.t = t
}

// TestAnAcceptanceWhoseAnswerIsLostIsHealedByTheNextClick is where the app may not
// edit by itself: the challenge still stands there, and pressing Accept once more
// brings the board.
func TestAnAcceptanceWhoseAnswerIsLostIsHealedByTheNextClick(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.answer(w.ada.Command(t, w.general, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.general.Set(sandbox.NoBotView)
	w.srv.FailNext(sandbox.RouteCallback, 500, 4)
	w.bob.Click(t, m, "Accept")
	w.bob.Click(t, m, "Accept")
	wantText(t, m, "to move")
	w.cells(m, w.ada, w.bob, "a1", "b2")
}

// TestAnswerTooLateForDiscord: Discord has given up the interaction (10062) before
// its answer arrives. What was played counts, and the board follows.
func TestAnswerTooLateForDiscord(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.sandbox = func(o *sandbox.Options) { o.Deadline = 1200 * time.Millisecond }
	})
	m := w.challenge(w.ada, w.bob)
	w.srv.SlowNext(sandbox.RouteCallback, 1400*time.Millisecond)
	click := w.ada.StartClickCell(t, m, 0, 0)
	w.disarmed()
	w.bystander()
	if r := click.Wait(t); r.Answered() {
		t.Fatal("it was answered in time")
	}
	w.shows(m, "X../.../...")
	w.cells(m, w.bob, w.ada, "b2")
	w.shows(m, "X../.O./...")
}

// TestBoardWhoseMessageDiscordNeverNamed: the answer that made the board was applied
// but its outcome was lost, so that nobody knows the message. The token of the
// command still reaches it, and so does a click.
func TestBoardWhoseMessageDiscordNeverNamed(t *testing.T) {
	clock := newManualTime()
	start := func(t *testing.T, arm func(*sandbox.Server)) (*faultWorld, *sandbox.Message) {
		w := newFaultWorld(t, func(c *faultConfig) {
			c.bot = func(o *bot.Options) { o.Now, o.DefaultClock = clock.Now, time.Minute }
		})
		arm(w.srv)
		w.srv.ApplyThenFailNext(sandbox.RouteCallback)
		return w, w.play(w.ada)
	}
	t.Run("redrawn by the token", func(t *testing.T) {
		_, m := start(t, func(*sandbox.Server) {})
		clock.advance(61 * time.Second)
		wantText(t, m, "Closed: no move for 1 minute.")
	})
	t.Run("redrawn by a click", func(t *testing.T) {
		w, m := start(t, func(s *sandbox.Server) { s.FailNext(sandbox.RouteEditOriginal, 500, 1000) })
		defer w.srv.ClearFaults()
		clock.advance(61 * time.Second)
		eventually(t, "the game to end", func() bool { _, ok := w.activeMatch(); return !ok })
		if over(m.Snapshot()) {
			t.Fatal("the board was redrawn all the same")
		}
		w.cell(w.ada, m, "a1")
		wantText(t, m, "Closed: no move for 1 minute.")
	})
}

// redrawFaults meet a redraw of the board that no click on it caused.
var redrawFaults = []struct {
	name string
	arm  func(s *sandbox.Server, route string)
}{
	{"500", func(s *sandbox.Server, route string) { s.FailNext(route, 500) }},
	{"503 for as long as one call tries", func(s *sandbox.Server, route string) { s.FailNext(route, 503, 4) }},
	{"applied then 502", func(s *sandbox.Server, route string) { s.ApplyThenFailNext(route) }},
	{"reset before it is applied", func(s *sandbox.Server, route string) { s.ResetNext(route, false) }},
	{"reset after it is applied", func(s *sandbox.Server, route string) { s.ResetNext(route, true) }},
	{"slow", func(s *sandbox.Server, route string) { s.SlowNext(route, 300*time.Millisecond) }},
	{"429 of the user", func(s *sandbox.Server, route string) {
		s.RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeUser)
	}},
	{"429 shared", func(s *sandbox.Server, route string) {
		s.RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeShared)
	}},
	{"429 global", func(s *sandbox.Server, route string) {
		s.RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeGlobal)
	}},
	{"429 in HTML", func(s *sandbox.Server, route string) { s.RateLimitNext(route, time.Second, sandbox.ScopeHTML) }},
	{"401 without the code of a dead token", func(s *sandbox.Server, route string) { s.FailNext(route, 401) }},
}

// TestRedrawFaults lets the redraw after a resignation meet every fault, by the
// interaction's token and by the bot's own.
func TestRedrawFaults(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	for _, route := range []string{sandbox.RouteEditOriginal, sandbox.RouteEditMessage} {
		for _, f := range redrawFaults {
			if route == sandbox.RouteEditMessage && strings.HasPrefix(f.name, "401") {
				continue // that stops the program: TestTokenRefusedLater
			}
			t.Run(route+" "+f.name, func(t *testing.T) {
				w.t = t
				w.elsewhere(f.name + route[:5] + route[len(route)-6:])
				m := w.challenge(w.ada, w.bob)
				w.cells(m, w.ada, w.bob, "a1")
				ask := w.answer(w.ada.Click(t, m, "Resign"))
				if route == sandbox.RouteEditMessage {
					w.srv.ExpireTokens()
				}
				f.arm(w.srv, route)
				w.answer(w.ada.Click(t, ask, "Resign"))
				w.disarmed()
				w.bystander()
				s := wantText(t, m, "resigned")
				if !over(s) {
					t.Error("cells can still be pressed")
				}
				w.free()
			})
		}
	}
	w.t = t
	if w.fatal.Load() != nil {
		t.Errorf("taken for a refused bot token: %v", *w.fatal.Load())
	}
}

// TestRedrawGivenUpIsMadeGoodByAClick: when every try has failed, the next click
// redraws, even one that is refused.
func TestRedrawGivenUpIsMadeGoodByAClick(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	ask := w.answer(w.ada.Click(t, m, "Resign"))
	w.srv.FailNext(sandbox.RouteEditOriginal, 500, 1000)
	w.srv.FailNext(sandbox.RouteEditMessage, 500, 1000)
	w.answer(w.ada.Click(t, ask, "Resign"))
	eventually(t, "the bot to give up", func() bool { return strings.Contains(w.log.String(), "message not redrawn\"") })
	if over(m.Snapshot()) {
		t.Fatal("the board was redrawn all the same")
	}
	w.cell(w.bob, m, "b2")
	wantText(t, m, "resigned")
	w.srv.ClearFaults()
}

// TestADeadTokenIsTriedOnce: Discord stops listening to a bot that is refused ten
// thousand times in ten minutes, and every redraw of every board could be refused.
func TestADeadTokenIsTriedOnce(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	ask := w.answer(w.ada.Click(t, m, "Resign"))
	w.srv.ExpireTokens()
	w.srv.FailNext(sandbox.RouteEditMessage, 500, 1000)
	w.answer(w.ada.Click(t, ask, "Resign"))
	eventually(t, "the bot to give up", func() bool { return strings.Contains(w.log.String(), "message not redrawn\"") })
	refused := 0
	for _, r := range w.srv.Requests() {
		if r.Status == http.StatusUnauthorized {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d requests were refused for their token, want 1", refused)
	}
	w.srv.ClearFaults()
	w.cell(w.bob, m, "b2")
	wantText(t, m, "resigned")
}

// refusals answer edits with a status and no code of Discord's, and count them.
type refusals struct {
	status         int
	body           string
	byToken, byBot atomic.Int64
	all            flag // the bot's own edits as well
}

func (f *refusals) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPatch {
		return http.DefaultTransport.RoundTrip(r)
	}
	if strings.Contains(r.URL.Path, "/webhooks/") {
		f.byToken.Add(1)
	} else {
		f.byBot.Add(1)
		if !f.all.Load() {
			return http.DefaultTransport.RoundTrip(r)
		}
	}
	return &http.Response{StatusCode: f.status, Request: r, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(f.body))}, nil
}

// TestEditsRefusedWithoutACode: a proxy, or Discord in a hurry, refuses an edit in
// HTML or with code 0. By the interaction's token that leaves the bot's own, and by
// that too it leaves the message; no refusal is asked for twice.
func TestEditsRefusedWithoutACode(t *testing.T) {
	t.Parallel()
	for _, f := range []*refusals{
		{status: 401, body: ""},
		{status: 403, body: "<html>forbidden</html>"},
		{status: 403, body: `{"code":0,"message":"403: Forbidden"}`},
		{status: 404, body: "<html>not found</html>"},
		{status: 404, body: `{"code":0,"message":"404: Not Found"}`},
	} {
		t.Run(fmt.Sprint(f.status, " ", f.body), func(t *testing.T) {
			w := newFaultWorld(t, func(c *faultConfig) { c.rest = func(o *rest.Options) { o.Transport = f } })
			m := w.challenge(w.ada, w.bob)
			w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign"))
			wantText(t, m, "resigned")
			// A busy machine draws the board once more before.
			once := func() bool { return f.byToken.Load() == f.byBot.Load() }
			eventually(t, "an edit by the bot for each that its token could not make", once)
			if f.status == http.StatusUnauthorized {
				return // of the bot's own token it means something else
			}
			f.all.Store(true)
			w.elsewhere("other")
			m = w.challenge(w.ada, w.bob)
			w.answer(w.ada.Click(t, w.answer(w.ada.Click(t, m, "Resign")), "Resign"))
			eventually(t, "the bot to let the message be", func() bool { return strings.Contains(w.log.String(), "message left as it is") })
			eventually(t, "no edit that is refused twice", once)
			if strings.Contains(w.log.String(), "message not redrawn") {
				t.Error("a refused edit was to be tried again")
			}
			w.free()
		})
	}
}

// TestGoneAndForbidden takes the message, the channel, the guild or a right away
// in the middle of a game. The program goes on and nobody stays in a game that
// cannot be played.
func TestGoneAndForbidden(t *testing.T) {
	t.Run("10008, the message", func(t *testing.T) {
		w := newFaultWorld(t)
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		m.Delete()
		w.answer(w.ada.Click(t, ask, "Resign"))
		w.free()
	})
	t.Run("10003, the channel", func(t *testing.T) {
		w := newFaultWorld(t, withClock)
		side := w.srv.Guild().Channel("side")
		other := w.answer(w.cleo.Command(t, side, "tictactoe play"))
		w.challenge(w.ada, w.bob)
		w.stop()
		w.general.Delete()
		w.start()
		eventually(t, "the game to end", func() bool { _, ok := w.activeMatch(); return !ok })
		w.cell(w.cleo, other, "a1") // another channel's goes on
	})
	t.Run("10004, the guild", func(t *testing.T) {
		gone := &goneGuild{}
		w := newFaultWorld(t, withClock, func(c *faultConfig) {
			c.rest = func(o *rest.Options) { o.Transport = gone }
		})
		guild := w.srv.AddGuild("elsewhere")
		for _, u := range []*sandbox.User{w.ada, w.bob, w.cleo} {
			u.Join(guild)
		}
		mine := w.general
		first, second := guild.Channel("first"), guild.Channel("second")
		w.answer(w.cleo.Command(t, first, "tictactoe play"))
		w.general = second
		w.challenge(w.ada, w.bob)
		m := w.answer(w.cleo.Command(t, mine, "tictactoe play"))
		w.stop()
		id := second.ID()
		gone.channel.Store(&id)
		w.start()
		for _, ch := range []*sandbox.Channel{first, second} {
			w.general = ch
			eventually(t, "the game in "+ch.Name()+" to end", func() bool { _, ok := w.activeMatch(); return !ok })
		}
		w.cell(w.cleo, m, "a1")
	})
	t.Run("50001, the right to see the channel", func(t *testing.T) {
		w := newFaultWorld(t)
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		w.srv.ExpireTokens()
		w.general.Set(sandbox.NoBotView)
		w.answer(w.ada.Click(t, ask, "Resign"))
		w.healedByClick(m)
		w.free()
	})
	t.Run("50013, the right to write", func(t *testing.T) {
		w := newFaultWorld(t)
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		w.srv.ExpireTokens()
		w.srv.LosePermission(w.general)
		w.answer(w.ada.Click(t, ask, "Resign"))
		w.healedByClick(m)
		w.free()
	})
	t.Run("50083, the thread is archived", func(t *testing.T) {
		w := newFaultWorld(t)
		w.general = w.srv.Guild().Channel("thread", sandbox.Thread(w.general))
		m := w.challenge(w.ada, w.bob)
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		w.srv.ExpireTokens()
		w.general.Set(sandbox.Archived(true))
		w.answer(w.ada.Click(t, ask, "Resign"))
		w.healedByClick(m)
		w.free()
	})
}

// goneGuild is a transport that answers "Unknown Guild" for one channel: what
// Discord says there when the guild went and the channel did not.
type goneGuild struct{ channel atomic.Pointer[string] }

func (g *goneGuild) RoundTrip(r *http.Request) (*http.Response, error) {
	if ch := g.channel.Load(); ch != nil && strings.Contains(r.URL.Path, "/channels/"+*ch+"/") {
		return &http.Response{
			StatusCode: http.StatusNotFound, Request: r, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(`{"message":"Unknown Guild","code":10004}`)),
		}, nil
	}
	return http.DefaultTransport.RoundTrip(r)
}

// withClock gives every game a clock, so that its board is looked at after a start.
func withClock(c *faultConfig) {
	c.bot = func(o *bot.Options) { o.DefaultClock = time.Hour }
}

// healedByClick presses a cell of a board that has ended but may not show it, until
// it does.
func (w *faultWorld) healedByClick(m *sandbox.Message) {
	w.t.Helper()
	eventually(w.t, "a click to redraw the board", func() bool {
		if !over(m.Snapshot()) {
			w.ada.ClickCell(w.t, m, 1, 1, sandbox.Forced)
		}
		return over(m.Snapshot())
	})
}

// TestOneHangingEditDelaysNobody has eight boards whose redraws hang, as many as are
// drawn at a time, beside fifty other games. All of those are played and redrawn
// while the eight still hang, and a click on one of the eight is answered.
func TestOneHangingEditDelaysNobody(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.bot = func(o *bot.Options) { o.BackgroundTime = 10 * time.Minute }
	})
	const hanging, others = 8, 50
	resign := func(m *sandbox.Message) {
		ask := w.answer(w.ada.Click(t, m, "Resign"))
		w.answer(w.ada.Click(t, ask, "Resign"))
	}
	boards := make([]*sandbox.Message, hanging+others)
	for i := range boards {
		w.general = w.srv.Guild().Channel("game-" + string(rune('A'+i)))
		boards[i] = w.play(w.ada)
	}
	for _, m := range boards[:hanging] {
		w.srv.HangNext(sandbox.RouteEditOriginal)
		resign(m)
	}
	w.disarmed()
	stuck := func() int {
		n := 0
		for _, m := range boards[:hanging] {
			if !over(m.Snapshot()) {
				n++
			}
		}
		return n
	}
	calls := make([]*sandbox.Call, others)
	for i, m := range boards[hanging:] {
		calls[i] = w.ada.StartClickCell(t, m, 0, 0)
	}
	for i, c := range calls {
		if r := c.Wait(t); !r.Answered() {
			t.Fatalf("game %d: not answered: %v", i, r.Problems)
		}
	}
	w.cell(w.ada, boards[0], "a1") // a click on a board whose picture hangs
	if n := stuck(); n != hanging {
		t.Errorf("only %d of %d edits still hung when the other games were answered", n, hanging)
	}
	for _, m := range boards[:hanging] {
		wantText(t, m, "resigned")
	}
	if got := w.bot.Counts().Failed; got != 0 {
		t.Errorf("%d answers failed", got)
	}
}

// TestRedrawsThatWaitDelayNoClick has a redraw wait behind as many that hang as are
// drawn at a time. A click on its board is answered with the picture meanwhile.
func TestRedrawsThatWaitDelayNoClick(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t, func(c *faultConfig) {
		c.bot = func(o *bot.Options) { o.BackgroundTime = 10 * time.Minute }
	})
	var hanging []*sandbox.Message
	for i := range 8 {
		w.elsewhere(fmt.Sprint("hanging-", i))
		m := w.play(w.cleo)
		ask := w.answer(w.cleo.Click(t, m, "Resign"))
		w.srv.HangNext(sandbox.RouteEditOriginal)
		w.answer(w.cleo.Click(t, ask, "Resign"))
		hanging = append(hanging, m)
	}
	w.disarmed()
	w.elsewhere("waiting")
	m := w.challenge(w.ada, w.bob)
	w.srv.FailNext(sandbox.RouteCallback, 500, 4)
	w.outcome(w.ada.StartClickCell(t, m, 0, 0), true) // stored, not shown: to be redrawn
	if r := w.bob.Click(t, m, "Cell names"); r.Type != sandbox.CallbackUpdate || grid(m.Snapshot()) != "X../.../..." {
		t.Errorf("the click was answered by type %d and shows %s, not the stored board", r.Type, grid(m.Snapshot()))
	}
	for _, other := range hanging {
		if over(other.Snapshot()) {
			t.Error("the edits before it did not hang long enough for this to prove anything")
			break
		}
	}
	w.cells(m, w.bob, w.ada, "b2")
	w.shows(m, "X../.O./...")
	for _, other := range hanging {
		wantText(t, other, "resigned")
	}
}
