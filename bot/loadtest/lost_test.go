package loadtest

import (
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
)

// TestLostAnswers plays with the bot while answers hang or come to nothing: people go
// on where the board stands, and all of it is counted.
func TestLostAnswers(t *testing.T) {
	const deadline = 300 * time.Millisecond
	w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.Deadline = deadline }))
	w.Discord.AllowUnanswered()
	c := newCrowd(w.Discord, Bot{}, 2, 1)
	c.limit = 2 * deadline
	sum := newTally()
	for range 3 {
		w.Discord.HangNext(sandbox.RouteCallback)
		w.Discord.ApplyThenFailNext(sandbox.RouteCallback)
		got, err := c.play(t.Context(), budget{games: 3}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(got)
	}
	if sum.games < 9 || sum.unanswered == 0 || sum.unexpected == 0 {
		t.Errorf("%d games, %d unanswered, %d unexpected", sum.games, sum.unanswered, sum.unexpected)
	}
}
