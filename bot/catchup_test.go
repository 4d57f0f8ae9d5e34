package bot

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/engine"
	"tictactoe/store"
)

// standing stores boards in as many channels, the last one stored last. Each is shown
// by a message, in the version that is stored.
func (b *loneBot) standing(t *testing.T, n int, deadline func(i int) time.Duration) (boards []store.Match) {
	t.Helper()
	for i := range n {
		m := store.Match{
			ID: store.MatchID(i + 1), Guild: "201", Channel: store.ChannelID(fmt.Sprint(3000 + i)), Place: match.FirstPlace,
			Rules: engine.Standard, X: store.Player{User: "101"}, O: store.Player{User: "102"}, State: store.Active,
			Clock: time.Hour, Deadline: deadline(i), Locale: "en-US", Message: store.MessageID(fmt.Sprint(4000 + i)), Drawn: 1,
		}
		if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
		boards = append(boards, m)
	}
	return boards
}

func sameEdits(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%s: the messages %v were drawn, want %v", what, got, want)
	}
}

// After an outage the times on boards have moved. Those are drawn whose time is nearly up,
// and the others when somebody comes.
func TestMovedTimesAreDrawnByNeed(t *testing.T) {
	clock := &testClock{now: time.Now()}
	connected := true
	b := newLoneBot(t, func(o *Options) {
		o.Now, o.LongestStep, o.Connected = clock.Now, 24*time.Hour, func() bool { return connected }
	})
	boards := b.standing(t, 6, func(i int) time.Duration { return time.Duration(6-i) * 10 * time.Minute })
	u := b.upkeep
	for _, connected = range [...]bool{false, true} {
		clock.advance(time.Minute)
		b.kit.Clock.Look()
	}
	last := boards[5] // stored since without another picture, as by a reminder
	last.Version = 1
	b.store.Deliver(store.Delivery{Match: last.ID, Drawn: 2})
	if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{last}}); err != nil {
		t.Fatal(err)
	}
	look := func() []string {
		u.CatchUp(t.Context(), b.kit.Now())
		return b.edits(t)
	}
	sameEdits(t, "one's time is nearly up", look(), "4005")
	clock.advance(6 * time.Minute)
	sameEdits(t, "another's", look(), "4004")
	sameEdits(t, "drawn already", look())
	clock.advance(time.Minute)
	sameEdits(t, "looked for again", look())
	clock.advance(10 * time.Minute)
	sameEdits(t, "the next", look(), "4003")
	click := fmt.Sprintf(`"message": {"id": "4000", "flags": 32768}, "data": {"component_type": 2, "custom_id": "%s"}`,
		customid.ID{Action: customid.Resign, Match: 1})
	for _, want := range [][]string{{"4000"}, nil} {
		b.answer(t, discord.KindComponent, click, rest.CallbackMessage)
		sameEdits(t, "somebody comes", b.edits(t), want...)
	}
}

// A board that shows an older version is drawn, however many there are.
func TestBoardsBehindAreAllDrawn(t *testing.T) {
	b := newLoneBot(t)
	boards := b.standing(t, kit.Batch+5, func(int) time.Duration { return time.Hour })
	var want []string
	for _, m := range boards {
		m.Version, m.RematchTold, m.Clock = 1, true, 0
		if err := b.change.Apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
		want = append(want, string(m.Message))
	}
	u := b.upkeep
	u.CatchUp(t.Context(), b.kit.Now())
	sameEdits(t, "all are behind", b.edits(t), want...)
	u.RedrawBehind(t.Context(), store.AllDomains)
	sameEdits(t, "none is any more", b.edits(t))
}
