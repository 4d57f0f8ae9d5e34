package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
)

// TestMoreWaysOn: what the row below a result has no room for is one click away, private, and
// only what the person who asks can do.
func TestMoreWaysOn(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	won := w.Finished(t)
	if got := fmt.Sprint(won.Snapshot().Labels()); !strings.HasSuffix(got, "Rematch Review More]") {
		t.Errorf("below the result are %s", got)
	}
	for who, want := range map[*sandbox.User]string{
		w.Ada: "[Review Last games Leaderboard]", w.Cleo: "[Play the winner Review Last games Leaderboard]",
	} {
		more := w.More(t, who, won)
		if got := fmt.Sprint(more.Snapshot().Labels()); got != want {
			t.Errorf("%s is led on by %s, want %s", who.Name(), got, want)
		}
		w.Refused(t, who.Click(t, more, "Last games"), map[*sandbox.User]string{w.Ada: "**Won** against " + w.Bob.Mention(), w.Cleo: "You have no finished game yet."}[who])
		w.Refused(t, who.Click(t, more, "Leaderboard"), "🥇 **Ada** · 3 points")
		w.Refused(t, who.Click(t, more, "Review"), "Review")
	}
	// While the game runs there is nothing to be led to.
	w.Channel = w.Side("side")
	next := w.Play(t, w.Bob)
	id := "1:mo:" + bottest.CustomID(t, next, "Resign")[len("1:r:"):]
	w.Refused(t, w.Bob.ClickID(t, next, id, sandbox.Forced), "still going on")
}
