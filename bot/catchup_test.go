package bot

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
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
		if err := b.apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
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

// After an outage the times on boards have moved. Those that were touched last are
// drawn, then those whose time is nearly up, and the others when somebody comes.
func TestMovedTimesAreDrawnByNeed(t *testing.T) {
	clock := &testClock{now: time.Now()}
	b := newLoneBot(t, func(o *Options) { o.Now = clock.Now })
	b.standing(t, 5, func(i int) time.Duration { return time.Duration(6-i) * 10 * time.Minute })
	u := newUpkeep(b.Bot)
	u.most = 2
	u.timesMoved.Store(clock.advance(time.Second).UnixNano())
	u.catchUp(t.Context(), store.AllDomains)
	sameEdits(t, "touched last", b.edits(t), "4003", "4004")
	u.redrawNear(t.Context())
	sameEdits(t, "nobody's time is nearly up", b.edits(t))
	u.watchTimes(t.Context(), b.opts.Now())
	sameEdits(t, "nobody's time is nearly up, as Run looks", b.edits(t))
	clock.advance(39 * time.Minute)
	u.watchTimes(t.Context(), b.opts.Now())
	sameEdits(t, "nearly up", b.edits(t), "4002")
	u.redrawNear(t.Context())
	sameEdits(t, "drawn already", b.edits(t))
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
	boards := b.standing(t, dueBatch+5, func(int) time.Duration { return time.Hour })
	var want []string
	for _, m := range boards {
		m.Version, m.CellNames, m.Clock = 1, true, 0
		if err := b.apply(t.Context(), store.Change{Matches: []store.Match{m}}); err != nil {
			t.Fatal(err)
		}
		want = append(want, string(m.Message))
	}
	u := newUpkeep(b.Bot)
	u.most = 1
	u.catchUp(t.Context(), store.AllDomains)
	sameEdits(t, "all are behind", b.edits(t), want...)
	u.catchUp(t.Context(), store.AllDomains)
	sameEdits(t, "none is any more", b.edits(t))
}
