package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/store"
)

// atMidMonth returns a world in the middle of a month.
func atMidMonth(t *testing.T, options ...bottest.Option) (*bottest.World, *bottest.Clock) {
	t.Helper()
	clock := bottest.NewClock()
	clock.Advance(store.MonthOf(clock.Now()).End().Add(14 * 24 * time.Hour).Sub(clock.Now()))
	return bottest.New(t, append(options, bottest.ByClock(clock))...), clock
}

// TestNamesAreForgotten: a name is asked for again once it was known for some minutes, however
// long nobody looked meanwhile.
func TestNamesAreForgotten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		passes time.Duration
		want   string
	}{
		"at once": {time.Second, "Ada"}, "after eleven minutes": {11 * time.Minute, "Countess"}, "the next morning": {9 * time.Hour, "Countess"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, clock := atMidMonth(t)
			finish(t, w, w.Ada, w.Bob)
			says(t, w, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **3** Ada")
			w.Ada.Set(sandbox.Nick("Countess"))
			clock.Advance(test.passes)
			says(t, w, w.Bob.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **3** "+test.want)
		})
	}
}

// TestFirstThreeOfTheMonthBefore: they stay, and are told on the leaderboard of the next
// month, whose own begins empty.
func TestFirstThreeOfTheMonthBefore(t *testing.T) {
	t.Parallel()
	w, clock := atMidMonth(t)
	dora := w.Discord.User("Dora")
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Ada, w.Bob)
	finish(t, w, w.Bob, dora)
	finish(t, w, w.Cleo, dora)
	says(t, w, dora.Command(t, w.Channel, "tictactoe leaderboard"), "🥇 **6** Ada")
	clock.Advance(store.MonthOf(clock.Now()).End().Sub(clock.Now()))
	w.Restart(t)
	m := says(t, w, dora.Command(t, w.Channel, "tictactoe leaderboard"), "Last month: 🥇 **Ada** 🥈 **Cleo** 🥉 **Bob**", "Nobody yet")
	if strings.Contains(m.Text(), "Dora") {
		t.Errorf("more than three are told of: %s", m.Text())
	}
	finish(t, w, dora, w.Cleo)
	says(t, w, dora.Command(t, w.Channel, "tictactoe leaderboard"), "▶ 🥇 **3** **you**", "Last month: 🥇 **Ada** 🥈 **Cleo** 🥉 **Bob**")
}
