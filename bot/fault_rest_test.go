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
	"tictactoe/bot/bottest"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/store"
)

// answerFaults meet the first answer to an interaction.
var answerFaults = []struct {
	name string
	arm  func(*sandbox.Server)
	lost bool // the answer cannot be delivered at all
}{
	{"500", func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 500) }, false},
	{"502", func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 502) }, false},
	{"503", func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 503) }, false},
	{"500 for as long as it is tried", func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteCallback, 500, 4) }, true},
	{"applied then 502, so that the next try meets 40060", func(s *sandbox.Server) { s.Faults().ApplyThenFailNext(sandbox.RouteCallback) }, false},
	{"reset before it is applied", func(s *sandbox.Server) { s.Faults().ResetNext(sandbox.RouteCallback, false) }, false},
	{"reset after it is applied", func(s *sandbox.Server) { s.Faults().ResetNext(sandbox.RouteCallback, true) }, false},
	{"slow", func(s *sandbox.Server) { s.Faults().SlowNext(sandbox.RouteCallback, 300*time.Millisecond) }, false},
	{"slower than the first try waits", func(s *sandbox.Server) { s.Faults().SlowNext(sandbox.RouteCallback, waittest.Limit(2*time.Second)) }, false},
	{"hangs once", func(s *sandbox.Server) { s.Faults().HangNext(sandbox.RouteCallback) }, false},
	{"hangs for as long as it is tried", func(s *sandbox.Server) {
		s.Faults().HangNext(sandbox.RouteCallback)
		s.Faults().HangNext(sandbox.RouteCallback)
	}, true},
	{"429 of the user, short", rateLimited(100*time.Millisecond, sandbox.ScopeUser), false},
	{"429 shared, short", rateLimited(100*time.Millisecond, sandbox.ScopeShared), false},
	{"429 global, short", rateLimited(100*time.Millisecond, sandbox.ScopeGlobal), false},
	{"429 in HTML, short", rateLimited(time.Second, sandbox.ScopeHTML), false},
	{"429 of the user, long", rateLimited(longWait, sandbox.ScopeUser), true},
	{"429 shared, long", rateLimited(longWait, sandbox.ScopeShared), true},
	{"429 global, long", rateLimited(longWait, sandbox.ScopeGlobal), true},
	{"429 in HTML, long", rateLimited(longWait, sandbox.ScopeHTML), true},
}

// longWait is longer than anybody waits for an answer.
var longWait = waittest.Limit(20 * time.Second)

func rateLimited(wait time.Duration, scope sandbox.Scope) func(*sandbox.Server) {
	return func(s *sandbox.Server) { s.Faults().RateLimitNext(sandbox.RouteCallback, wait, scope) }
}

// TestAnswerFaultsAtAMove lets the answer to a move meet every fault. The move has
// one effect and the board shows it in the end, other games are answered
// meanwhile, and this one goes on.
func TestAnswerFaultsAtAMove(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.Elsewhere("move " + f.name)
			m := w.Challenge(t, w.Ada, w.Bob)
			w.Cells(t, m, w.Ada, w.Bob, "a1")
			f.arm(w.Discord)
			click := w.Bob.StartClickCell(t, m, 1, 1)
			w.Disarmed(t)
			w.Bystander(t)
			w.Outcome(t, click, f.lost)
			w.Shows(t, m, "X../.O./...")
			w.Cells(t, m, w.Ada, w.Bob, "c3")
			w.Shows(t, m, "X../.O./..X")
			if got := w.Position(t); got != "X../.O./..X" {
				t.Errorf("stored is %s", got)
			}
			bottest.NeverBackwards(t, m)
		})
	}
}

// TestAnswerFaultsAtAStart lets the answer that would be a new board meet every
// fault. There is one match, and its player gets to it.
func TestAnswerFaultsAtAStart(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.Elsewhere("start " + f.name)
			f.arm(w.Discord)
			start := w.Ada.StartCommand(t, w.Channel, "tictactoe play")
			w.Disarmed(t)
			w.Bystander(t)
			m := w.Outcome(t, start, f.lost).Message
			if f.lost {
				// The place in the channel is taken by a board that nobody sees: the way
				// to it is shown to whoever tries again.
				refusal := w.Refused(t, w.Ada.Command(t, w.Channel, "tictactoe play"), "You already have a game here", "Show my board")
				m = w.Answer(t, w.Ada.Click(t, refusal, "Show my board"))
			}
			w.Cell(t, w.Ada, m, "a1")
			m.Wait(t, "the move and its reply", func(s sandbox.Snapshot) bool { return len(bottest.Empties(s)) == 7 })
			if got := len(w.Channel.Messages(nil)); got != 1 && !f.lost {
				t.Errorf("%d messages in the channel, want one board", got)
			}
			if got := strings.Count(w.Position(t), "."); got != 7 {
				t.Errorf("the stored match has %d empty cells, want 7", got)
			}
		})
	}
}

// TestAnswerFaultsAtAnAcceptance lets the answer that turns a challenge into a
// board meet every fault.
func TestAnswerFaultsAtAnAcceptance(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for _, f := range answerFaults {
		t.Run(f.name, func(t *testing.T) {
			w.Elsewhere("acceptance " + f.name)
			m := w.Offer(t, w.Ada, w.Bob)
			f.arm(w.Discord)
			accept := w.Bob.StartClick(t, m, "Accept")
			w.Disarmed(t)
			w.Bystander(t)
			w.Outcome(t, accept, f.lost)
			bottest.WantText(t, m, "your move")
			w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
			w.Shows(t, m, "X../.O./...")
		})
	}
}

// TestAnAcceptanceWhoseAnswerIsLostIsHealedByTheNextClick is where the app may not
// edit by itself: the challenge still stands there, and pressing Accept once more
// brings the board.
func TestAnAcceptanceWhoseAnswerIsLostIsHealedByTheNextClick(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Offer(t, w.Ada, w.Bob)
	w.Channel.Set(sandbox.NoBotView)
	w.Discord.Faults().FailNext(sandbox.RouteCallback, 500, 4)
	w.Bob.Click(t, m, "Accept")
	w.Bob.Click(t, m, "Accept")
	bottest.WantText(t, m, "your move")
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
}

// TestAnswerTooLateForDiscord: Discord has given up the interaction (10062) before
// its answer arrives. What was played counts, and the board follows.
func TestAnswerTooLateForDiscord(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Deadline = waittest.Limit(1200 * time.Millisecond) }))
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Faults().SlowNext(sandbox.RouteCallback, waittest.Limit(1400*time.Millisecond))
	click := w.Ada.StartClickCell(t, m, 0, 0)
	w.Disarmed(t)
	w.Bystander(t)
	if r := click.Wait(t); r.Answered() {
		t.Fatal("it was answered in time")
	}
	w.Shows(t, m, "X../.../...")
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
}

// TestBoardWhoseMessageDiscordNeverNamed: the answer that made the board was applied
// but its outcome was lost, so that nobody knows the message. The token of the
// command still reaches it, and so does a click.
func TestBoardWhoseMessageDiscordNeverNamed(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	start := func(t *testing.T, arm func(*sandbox.Server)) (*bottest.World, *sandbox.Message) {
		w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(time.Minute))
		arm(w.Discord)
		w.Discord.Faults().ApplyThenFailNext(sandbox.RouteCallback)
		return w, w.Play(t, w.Ada)
	}
	t.Run("redrawn by the token", func(t *testing.T) {
		_, m := start(t, func(*sandbox.Server) {})
		clock.Advance(61 * time.Second)
		bottest.WantText(t, m, "Closed after 1 minute without a move.")
	})
	t.Run("redrawn by a click", func(t *testing.T) {
		w, m := start(t, func(s *sandbox.Server) { s.Faults().FailNext(sandbox.RouteEditOriginal, 500, 1000) })
		defer w.Discord.Faults().Clear()
		clock.Advance(61 * time.Second)
		waittest.Until(t, "the game to end", func() bool { _, ok := w.Active(t); return !ok })
		if bottest.Over(m.Snapshot()) {
			t.Fatal("the board was redrawn all the same")
		}
		w.Cell(t, w.Ada, m, "a1")
		bottest.WantText(t, m, "Closed after 1 minute without a move.")
	})
}

// redrawFaults meet a redraw of the board that no click on it caused.
var redrawFaults = []struct {
	name string
	arm  func(s *sandbox.Server, route string)
}{
	{"500", func(s *sandbox.Server, route string) { s.Faults().FailNext(route, 500) }},
	{"503 for as long as one call tries", func(s *sandbox.Server, route string) { s.Faults().FailNext(route, 503, 4) }},
	{"applied then 502", func(s *sandbox.Server, route string) { s.Faults().ApplyThenFailNext(route) }},
	{"reset before it is applied", func(s *sandbox.Server, route string) { s.Faults().ResetNext(route, false) }},
	{"reset after it is applied", func(s *sandbox.Server, route string) { s.Faults().ResetNext(route, true) }},
	{"slow", func(s *sandbox.Server, route string) { s.Faults().SlowNext(route, 300*time.Millisecond) }},
	{"429 of the user", func(s *sandbox.Server, route string) {
		s.Faults().RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeUser)
	}},
	{"429 shared", func(s *sandbox.Server, route string) {
		s.Faults().RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeShared)
	}},
	{"429 global", func(s *sandbox.Server, route string) {
		s.Faults().RateLimitNext(route, 100*time.Millisecond, sandbox.ScopeGlobal)
	}},
	{"429 in HTML", func(s *sandbox.Server, route string) { s.Faults().RateLimitNext(route, time.Second, sandbox.ScopeHTML) }},
	{"401 without the code of a dead token", func(s *sandbox.Server, route string) { s.Faults().FailNext(route, 401) }},
}

// TestRedrawFaults lets the redraw after a resignation meet every fault, by the
// interaction's token and by the bot's own.
func TestRedrawFaults(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for _, route := range []string{sandbox.RouteEditOriginal, sandbox.RouteEditMessage} {
		for _, f := range redrawFaults {
			if route == sandbox.RouteEditMessage && strings.HasPrefix(f.name, "401") {
				continue // that stops the program: TestTokenRefusedLater
			}
			t.Run(route+" "+f.name, func(t *testing.T) {
				w.Elsewhere(f.name + route[:5] + route[len(route)-6:])
				m := w.Challenge(t, w.Ada, w.Bob)
				w.Cells(t, m, w.Ada, w.Bob, "a1")
				ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
				if route == sandbox.RouteEditMessage {
					w.Discord.Faults().ExpireTokens()
				}
				f.arm(w.Discord, route)
				w.Answer(t, w.Ada.Click(t, ask, "Resign"))
				w.Disarmed(t)
				w.Bystander(t)
				s := bottest.WantText(t, m, "resigned")
				if !bottest.Over(s) {
					t.Error("cells can still be pressed")
				}
				w.Free(t)
			})
		}
	}
	if w.Reason() != nil {
		t.Errorf("taken for a refused bot token: %v", w.Reason())
	}
}

// TestRedrawGivenUpIsMadeGoodByAClick: when every try has failed, the next click
// redraws, even one that is refused.
func TestRedrawGivenUpIsMadeGoodByAClick(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	w.Discord.Faults().FailNext(sandbox.RouteEditOriginal, 500, 1000)
	w.Discord.Faults().FailNext(sandbox.RouteEditMessage, 500, 1000)
	w.Answer(t, w.Ada.Click(t, ask, "Resign"))
	waittest.Until(t, "the bot to give up", func() bool { return w.Service.Counts().Undrawn >= 1 })
	if bottest.Over(m.Snapshot()) {
		t.Fatal("the board was redrawn all the same")
	}
	// A click that meets a last edit on its way leaves the board to that.
	waittest.Until(t, "a click to make it good", func() bool {
		w.Cell(t, w.Bob, m, "b2")
		return bottest.Over(m.Snapshot())
	})
	bottest.WantText(t, m, "resigned")
	w.Discord.Faults().Clear()
}

// TestADeadTokenIsTriedOnce: Discord stops listening to a bot that is refused ten
// thousand times in ten minutes, and every redraw of every board could be refused.
func TestADeadTokenIsTriedOnce(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	w.Discord.Faults().ExpireTokens()
	w.Discord.Faults().FailNext(sandbox.RouteEditMessage, 500, 1000)
	w.Answer(t, w.Ada.Click(t, ask, "Resign"))
	waittest.Until(t, "the bot to give up", func() bool { return w.Service.Counts().Undrawn >= 1 })
	refused := 0
	for _, r := range w.Discord.REST().Requests() {
		if r.Status == http.StatusUnauthorized {
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d requests were refused for their token, want 1", refused)
	}
	w.Discord.Faults().Clear()
	w.Cell(t, w.Bob, m, "b2")
	bottest.WantText(t, m, "resigned")
}

// refusals answer edits with a status and no code of Discord's, and count them.
type refusals struct {
	status         int
	body           string
	byToken, byBot atomic.Int64
	all            atomic.Bool // the bot's own edits as well
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
			w := bottest.New(t, bottest.REST(func(o *rest.Options) { o.Transport = f }))
			m := w.Challenge(t, w.Ada, w.Bob)
			w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, m, "⋯ More")), "Resign"))
			bottest.WantText(t, m, "resigned")
			// A busy machine draws the board once more before.
			// What the game has given is drawn behind its end, of each game once, without a token
			// that was refused a moment ago.
			once := func() bool {
				more := f.byBot.Load() - f.byToken.Load()
				return 0 <= more && more <= 2
			}
			waittest.Until(t, "an edit by the bot for each that its token could not make", once)
			if f.status == http.StatusUnauthorized {
				return // of the bot's own token it means something else
			}
			f.all.Store(true)
			w.Elsewhere("other")
			m = w.Challenge(t, w.Ada, w.Bob)
			w.Answer(t, w.Ada.Click(t, w.Answer(t, w.Ada.Click(t, m, "⋯ More")), "Resign"))
			waittest.Until(t, "the bot to let the message be", func() bool { return w.Service.Counts().Left >= 1 })
			waittest.Until(t, "no edit that is refused twice", once)
			if n := w.Service.Counts().Undrawn; n != 0 {
				t.Errorf("%d refused edits were tried again until the end", n)
			}
			w.Free(t)
		})
	}
}

// TestGoneAndForbidden takes the message, the channel, the guild or a right away
// in the middle of a game. The program goes on and nobody stays in a game that
// cannot be played.
func TestGoneAndForbidden(t *testing.T) {
	t.Parallel()
	t.Run("10008, the message", func(t *testing.T) {
		w := bottest.New(t)
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		m.Delete()
		w.Answer(t, w.Ada.Click(t, ask, "Resign"))
		w.Free(t)
	})
	t.Run("10003, the channel", func(t *testing.T) {
		w := bottest.New(t, bottest.TimeLimit(10*time.Minute))
		side := w.Side("side")
		other := w.Answer(t, w.Cleo.Command(t, side, "tictactoe play"))
		w.Challenge(t, w.Ada, w.Bob)
		g := store.GuildSettings{Guild: store.GuildID(w.Discord.Guild().ID()), Games: store.ChannelID(w.Channel.ID())}
		if err := w.Store.Apply(t.Context(), store.Change{Guilds: []store.GuildSettings{g}}); err != nil {
			t.Fatal(err)
		}
		w.Stop(t)
		w.Channel.Delete()
		w.Start(t)
		waittest.Until(t, "the game to end", func() bool { _, ok := w.Active(t); return !ok })
		waittest.Until(t, "games to be everywhere", func() bool { return stored(t, w).Games == "" })
		w.Cell(t, w.Cleo, other, "a1") // another channel's goes on
	})
	t.Run("10004, the guild", func(t *testing.T) {
		w := bottest.New(t, bottest.TimeLimit(10*time.Minute))
		guild := w.Discord.World().AddGuild("elsewhere")
		for _, u := range []*sandbox.User{w.Ada, w.Bob, w.Cleo} {
			u.Join(guild)
		}
		mine := w.Channel
		first, second := guild.Channel("first"), guild.Channel("second")
		w.Answer(t, w.Cleo.Command(t, first, "tictactoe play"))
		w.Channel = second
		w.Challenge(t, w.Ada, w.Bob)
		m := w.Answer(t, w.Cleo.Command(t, mine, "tictactoe play"))
		w.Stop(t)
		w.Discord.Faults().RefuseNext(sandbox.RouteEditMessage, http.StatusNotFound, 10004)
		w.Start(t)
		for _, ch := range []*sandbox.Channel{first, second} {
			w.Channel = ch
			waittest.Until(t, "the game in "+ch.Name()+" to end", func() bool { _, ok := w.Active(t); return !ok })
		}
		w.Cell(t, w.Cleo, m, "a1")
	})
	t.Run("50001, the right to see the channel", func(t *testing.T) {
		w := bottest.New(t)
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		w.Discord.Faults().ExpireTokens()
		w.Channel.Set(sandbox.NoBotView)
		w.Answer(t, w.Ada.Click(t, ask, "Resign"))
		healedByClick(t, w, m)
		w.Free(t)
	})
	t.Run("50013, the right to write", func(t *testing.T) {
		w := bottest.New(t)
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		w.Discord.Faults().ExpireTokens()
		w.Channel.Set(sandbox.NoBotPosts)
		w.Answer(t, w.Ada.Click(t, ask, "Resign"))
		healedByClick(t, w, m)
		w.Free(t)
	})
	t.Run("50083, the thread is archived", func(t *testing.T) {
		w := bottest.New(t, bottest.ClicksFromDesktop)
		w.Channel = w.Discord.Guild().Channel("thread", sandbox.Thread(w.Channel))
		m := w.Challenge(t, w.Ada, w.Bob)
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		w.Discord.Faults().ExpireTokens()
		w.Channel.Set(sandbox.Archived(true))
		w.Answer(t, w.Ada.Click(t, ask, "Resign"))
		healedByClick(t, w, m)
		w.Free(t)
	})
}

// healedByClick presses a cell of a board that has ended but may not show it, until
// it does.
func healedByClick(t *testing.T, w *bottest.World, m *sandbox.Message) {
	t.Helper()
	waittest.Until(t, "a click to redraw the board", func() bool {
		if !bottest.Over(m.Snapshot()) {
			w.Ada.ClickCell(t, m, 1, 1, sandbox.Forced)
		}
		return bottest.Over(m.Snapshot())
	})
}

// patient is a bot whose edits may take as long as a test keeps them.
var patient = bottest.Bot(func(o *bot.Options) { o.BackgroundTime, o.EditTime = 10*time.Minute, 10*time.Minute })

// TestOneHangingEditDelaysNobody has eight boards whose redraws hang, as many as are
// drawn at a time, beside fifty other games. All of those are played and redrawn
// while the eight still hang, and a click on one of the eight is answered. That an edit gives
// up its place in the end: TestRedrawThatHangsGivesItsPlaceBack in package tracker.
func TestOneHangingEditDelaysNobody(t *testing.T) {
	t.Parallel()
	var gate bottest.Gate
	w := bottest.New(t, gate.Through(), patient)
	const hanging, others = 8, 50
	resign := func(m *sandbox.Message) {
		ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
		w.Answer(t, w.Ada.Click(t, ask, "Resign"))
	}
	boards := make([]*sandbox.Message, hanging+others)
	for i := range boards {
		w.Channel = w.Discord.Guild().Channel("game-" + string(rune('A'+i)))
		boards[i] = w.Play(t, w.Ada)
	}
	gate.Hold(hanging, http.MethodPatch, "/messages/@original")
	for _, m := range boards[:hanging] {
		resign(m)
	}
	gate.Await(t, hanging)
	stuck := func() int {
		n := 0
		for _, m := range boards[:hanging] {
			if !bottest.Over(m.Snapshot()) {
				n++
			}
		}
		return n
	}
	calls := make([]*sandbox.Call, others)
	for i, m := range boards[hanging:] {
		calls[i] = w.Ada.StartClickCell(t, m, 0, 0)
	}
	for i, c := range calls {
		if r := c.Wait(t); !r.Answered() {
			t.Fatalf("game %d: not answered: %v", i, r.Problems)
		}
	}
	w.Cell(t, w.Ada, boards[0], "a1") // a click on a board whose picture hangs
	if n := stuck(); n != hanging {
		t.Errorf("only %d of %d edits still hung when the other games were answered", n, hanging)
	}
	gate.Open()
	for _, m := range boards[:hanging] {
		bottest.WantText(t, m, "resigned")
	}
	if got := w.Service.Counts().Failed; got != 0 {
		t.Errorf("%d answers failed", got)
	}
}

// TestRedrawsThatWaitDelayNoClick has a redraw wait behind as many that hang as are
// drawn at a time. A click on its board is answered with the picture meanwhile.
func TestRedrawsThatWaitDelayNoClick(t *testing.T) {
	t.Parallel()
	var gate bottest.Gate
	w := bottest.New(t, gate.Through(), patient, bottest.ClicksDelivered)
	gate.Hold(8, http.MethodPatch, "/messages/@original")
	var hanging []*sandbox.Message
	for i := range 8 {
		w.Elsewhere(fmt.Sprint("hanging-", i))
		m := w.Play(t, w.Cleo)
		ask := w.Answer(t, w.Cleo.Click(t, m, "⋯ More"))
		w.Answer(t, w.Cleo.Click(t, ask, "Resign"))
		hanging = append(hanging, m)
	}
	gate.Await(t, len(hanging))
	w.Elsewhere("waiting")
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Faults().FailNext(sandbox.RouteCallback, 500, 4)
	w.Outcome(t, w.Ada.StartClickCell(t, m, 0, 0), true)                         // stored, not shown: to be redrawn
	names := strings.Replace(bottest.CustomID(t, m, "⋯ More"), ":mo:", ":n:", 1) // of an older version
	if r := w.Bob.ClickID(t, m, names, sandbox.Forced); r.Type != sandbox.CallbackUpdate || bottest.Grid(m.Snapshot()) != "X../.../..." {
		t.Errorf("the click was answered by type %d and shows %s, not the stored board", r.Type, bottest.Grid(m.Snapshot()))
	}
	for _, other := range hanging {
		if bottest.Over(other.Snapshot()) {
			t.Error("an edit before it was not held")
		}
	}
	gate.Open()
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Shows(t, m, "X../.O./...")
	for _, other := range hanging {
		bottest.WantText(t, other, "resigned")
	}
}
