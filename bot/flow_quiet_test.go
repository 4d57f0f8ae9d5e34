package bot_test

import (
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
)

// TestSharesNotifyNobody: where Discord does not tell names, what is shown to everybody
// mentions people, and notifies none of them.
func TestSharesNotifyNobody(t *testing.T) {
	t.Parallel()
	w, clock := puzzled(t, time.Monday)
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1", "a2", "b2", "a3", "c3")
	bottest.WantText(t, board, "wins")
	walk := shownBetter(t, w, w.Bob, board)
	stats := w.Answer(t, w.Bob.Command(t, w.Channel, "tictactoe stats", sandbox.OptUser("user", w.Ada)))
	riddle := opens(t, w, w.Bob)
	solves(t, w, w.Bob, riddle, puzzleAt(t, clock))
	bottest.WantText(t, riddle, "Solved on the first try!")
	w.Restart(t)
	w.Discord.Faults().FailNext("GET /guilds/{guild_id}/members/{user_id}", 403, 100)
	for what, shown := range map[string]*sandbox.Message{
		"a review":   w.Answer(t, w.Bob.Click(t, walk, "Share")),
		"statistics": w.Answer(t, w.Bob.Click(t, stats, "Show here")),
		"a puzzle":   w.Answer(t, w.Bob.Click(t, riddle, "Share")),
	} {
		s := shown.Snapshot()
		if !strings.Contains(s.Text(), "<@") || s.Ephemeral() || len(s.Pinged) > 0 {
			t.Errorf("%s: private %v, notifies %v, and says %s", what, s.Ephemeral(), s.Pinged, s.Text())
		}
		shown.Delete() // some viewers see @unknown-user: whoever is mentioned so that they do not is notified
	}
}
