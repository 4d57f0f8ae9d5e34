package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
)

// gracious is a world in which Ada has a minute for her move, of which a moment is left.
func gracious(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	w := bottest.New(t, append(options, bottest.ByClock(clock), bottest.TimeLimit(time.Minute), bottest.ChallengeTTL(time.Minute),
		bottest.Bot(func(o *bot.Options) { o.Grace = grace }))...)
	return w, clock
}

// What can still be answered goes by the real clock, too, so these are stretched with it.
var (
	grace  = waittest.Limit(bottest.AnswerTime + time.Second)
	inTime = waittest.Limit(bottest.AnswerTime - 500*time.Millisecond)
	late   = grace - waittest.Limit(500*time.Millisecond)
)

const moment = 50 * time.Millisecond

// ways are how interactions come.
var ways = map[string][]bottest.Option{"over the Gateway": nil, "by HTTP": {bottest.ByHTTP}}

// TestClicksInTimeCount: a click that was made before the deadline plays, however late it
// comes while it can be answered, and the other one has a whole turn from then on. One that
// comes later than that has no effect, and its game is over then.
func TestClicksInTimeCount(t *testing.T) {
	t.Parallel()
	for way, options := range ways {
		for took, counts := range map[time.Duration]bool{100 * time.Millisecond: true, inTime: true, late: false} {
			t.Run(way+" after "+took.String(), func(t *testing.T) {
				t.Parallel()
				w, clock := gracious(t, options...)
				w.Transit(100 * time.Millisecond) // as long as all take at least
				m := w.Challenge(t, w.Ada, w.Bob)
				clock.Advance(time.Minute - moment)
				w.Transit(took)
				clock.Advance(took)
				clock.Looked(t)
				if bottest.Over(m.Snapshot()) {
					t.Fatal("it is over before the click has come")
				}
				r := w.Ada.ClickCell(t, m, 0, 0)
				w.Transit(0)
				if !counts {
					r.Call.AllowUnanswered()
					if r.Answered() || w.Position(t) != ".../.../..." {
						t.Errorf("a click that could not be answered any more: %v, board %s", r, w.Position(t))
					}
					clock.Advance(grace - took + 2*moment)
					bottest.WantText(t, m, "ran out of time")
					return
				}
				if !r.Answered() {
					t.Fatalf("not answered: %v", r.Problems)
				}
				w.Shows(t, m, "X../.../...")
				clock.Advance(time.Minute - moment)
				w.Cells(t, m, w.Bob, w.Ada, "b2")
				w.Shows(t, m, "X../.O./...")
			})
		}
	}
}

// TestOthersEndNothingEarly: while a click of who is to move may be on its way, neither a
// click of the other one nor a look at the clocks ends the game. Who comes too late reads so.
func TestOthersEndNothingEarly(t *testing.T) {
	t.Parallel()
	w, clock := gracious(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	clock.Advance(time.Minute + grace - time.Second)
	w.Refused(t, w.Bob.ClickCell(t, m, 1, 1), "turn")
	clock.Looked(t)
	if bottest.Over(m.Snapshot()) {
		t.Fatal("the other one's click has ended it")
	}
	w.Refused(t, w.Ada.ClickCell(t, m, 0, 0), "This game is over.")
	bottest.WantText(t, m, "ran out of time")
}

// TestAcceptedInTime: so it is with a challenge.
func TestAcceptedInTime(t *testing.T) {
	t.Parallel()
	w, clock := gracious(t)
	offer := w.Offer(t, w.Ada, w.Bob)
	clock.Advance(time.Minute - moment)
	w.Transit(inTime)
	clock.Advance(inTime)
	clock.Looked(t)
	if r := w.Bob.Click(t, offer, "Accept"); !r.Answered() || !strings.Contains(offer.Text(), "your move") {
		t.Errorf("accepted in time: %v, %q", r, offer.Text())
	}
}

// TestReplayedInTime: a click that Discord keeps while the connection is away plays when it is
// back, though others had longer for theirs.
func TestReplayedInTime(t *testing.T) {
	t.Parallel()
	w, clock := gracious(t, bottest.QuickGateway)
	m := w.Challenge(t, w.Ada, w.Bob)
	clock.Advance(time.Minute - moment)
	click := w.Ada.PrepareClickCell(t, m, 0, 0)
	const away = time.Second
	w.Transit(away)
	w.Reconnected(t, func() {
		w.Discord.Faults().ReplayOnResume(click)
		clock.Advance(away)
	})
	if r := click.Wait(t); !r.Answered() {
		t.Errorf("not answered: %v", r.Problems)
	}
	w.Transit(0)
	w.Shows(t, m, "X../.../...")
	waittest.Until(t, "nobody to have lost", func() bool { return !bottest.Over(m.Snapshot()) })
}

// TestRematchInTime: so it is with a rematch that the other one wishes for.
func TestRematchInTime(t *testing.T) {
	t.Parallel()
	w, clock := gracious(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	id := w.Match(t).ID
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b1", "a2", "b2", "a3")
	w.Ada.Click(t, m, "Rematch") // which the drawing of the points may show, too
	wished := func() bool {
		m, err := w.Store.Match(t.Context(), id)
		return err == nil && m.RematchX && !m.GridStands
	}
	clock.Advance(time.Minute) // for the grid
	waittest.Until(t, "the grid to go", wished)
	clock.Advance(time.Minute - moment)
	w.Transit(inTime)
	clock.Advance(inTime)
	clock.Looked(t)
	if !wished() {
		t.Error("the wish has lapsed while the other one's may have been on its way")
	}
	w.Answer(t, w.Bob.Click(t, m, "Yes, rematch"))
	if _, ok := w.Active(t); !ok {
		t.Error("no rematch has begun")
	}
}

// TestClocksRunOutWhileAnotherShardIsAway: it keeps the clocks of its own servers alone.
func TestClocksRunOutWhileAnotherShardIsAway(t *testing.T) {
	t.Parallel()
	w, clock := gracious(t, bottest.QuickGateway, bottest.Service(func(o *service.Options) { o.Shards.Count = 2 }))
	g := w.Discord.World().AddGuildOn("on the other shard", 0, 2)
	w.Ada.Join(g)
	w.Bob.Join(g)
	w.Channel = g.Channel("general")
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Discord.Faults().RefuseUpgrade(1 << 20)
	w.Discord.Faults().DropShard(1)
	waittest.Until(t, "one shard to be away", func() bool { return w.Service.Served() == evenDomains })
	clock.Looked(t)
	clock.Advance(time.Minute + grace + time.Second)
	bottest.WantText(t, m, "ran out of time")
}
