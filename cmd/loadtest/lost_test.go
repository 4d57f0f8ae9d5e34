package main

import (
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// TestLostAnswers plays with the bot while answers hang or come to nothing: people go
// on where the board stands, and all of it is counted.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	deadline := waittest.Limit(500 * time.Millisecond) // others are not to be lost, one flush to the disk included
	w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Deadline = deadline }))
	w.Discord.AllowUnanswered()
	c := newCrowd(w.Discord, true, 2)
	c.limit = 2 * deadline
	sum := newTally()
	for range 2 {
		w.Discord.Faults().HangNext(sandbox.RouteCallback)
		w.Discord.Faults().ApplyThenFailNext(sandbox.RouteCallback)
		if err := c.play(t.Context(), budget{games: 3}, 0, sum); err != nil {
			t.Fatal(err)
		}
	}
	if sum.Games < 6 || sum.Unanswered == 0 || sum.Unexpected == 0 {
		t.Errorf("%d games, %d unanswered, %d unexpected", sum.Games, sum.Unanswered, sum.Unexpected)
	}
}

// TestPictureThatFollows plays a game of which every picture comes as an edit behind the
// answer, as while something else is drawing the board: that is what was expected.
func TestPictureThatFollows(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	c := newCrowd(w.Discord, true, 1)
	c.limit = waittest.Patience()
	p, played := c.pairs[0], &turn{tally: newTally()}
	for step := 0; !p.game.Over(); step++ {
		if step > 0 {
			w.Discord.Faults().RefuseNext(sandbox.RouteCallback, http.StatusBadRequest, 50035)
			w.Discord.Faults().SlowNext(sandbox.RouteEditOriginal, 50*time.Millisecond)
		}
		if err := p.act(played); err != nil {
			t.Fatal(err)
		}
		if played.tally.Unexpected > 0 || p.board == nil && step > 0 {
			t.Fatalf("step %d was not expected", step)
		}
	}
}
