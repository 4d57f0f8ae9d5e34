package bot_test

import (
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

const routeChannel = "GET /channels/{channel_id}"

// TestAThreadThatCannotBeLookedAt: whether Discord does not let the bot look, or fails when
// it does, the clock of the game in the thread runs out.
func TestAThreadThatCannotBeLookedAt(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*bottest.World){
		"not let in":    func(w *bottest.World) { w.Channel.Set(sandbox.NoBotView) },
		"not this time": func(w *bottest.World) { w.Discord.FailNext(routeChannel, 500, 4) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(10*time.Minute))
			_, board := inThread(t, w)
			w.Cells(t, board, w.Ada, w.Bob, "a1", "b2")
			w.Handled(t)
			fault(w)
			clock.Advance(10*time.Minute + time.Second)
			w.NoMatch(t)
		})
	}
}

// TestResigningWaitsForNoThread: a look at the thread that takes too long does not keep a
// player from an answer.
func TestResigningWaitsForNoThread(t *testing.T) {
	t.Parallel()
	var gate bottest.Gate
	w := bottest.New(t, gate.Through(), bottest.TimeLimit(10*time.Minute))
	thread, board := inThread(t, w)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	w.Handled(t)
	gate.Hold(1, http.MethodGet, "/channels/"+thread.ID())
	defer gate.Open()
	question := w.Answer(t, w.Bob.Click(t, board, "Resign"))
	gate.Await(t, 1)
	w.Bob.Click(t, question, "Resign")
	bottest.WantText(t, board, "resigned")
}

// TestAThreadIsLookedAtAgain: one that was found open is looked at when it must have been
// archived next.
func TestAThreadIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := bottest.New(t, bottest.ByClock(clock), bottest.TimeLimit(0))
	thread, board := inThread(t, w)
	clock.Advance(6 * 24 * time.Hour)
	clock.Looked(t)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	w.Handled(t)
	before := w.Match(t)
	clock.Advance(24*time.Hour + 2*time.Minute)
	caredFor(t, w, before)
	thread.Set(sandbox.Archived(true))
	clock.Advance(2 * time.Minute)
	waittest.Until(t, "the line", func() bool { return len(back(thread)) == 1 && !thread.Archived() })
}

// TestAnAcceptanceInAThreadWhoseChallengeIsGone: what would have stood in the challenge's
// place is told privately.
func TestAnAcceptanceInAThreadWhoseChallengeIsGone(t *testing.T) {
	t.Parallel()
	w := bottest.New(t, bottest.ClicksDelivered)
	ruled(t, w)
	m := w.Offer(t, w.Ada, w.Bob)
	click := w.Bob.PrepareClick(t, m, "Accept")
	m.Delete()
	w.Discord.DispatchTogether(click)
	if r := click.Wait(t); !r.Answered() || r.Type != sandbox.CallbackMessage || !r.Ephemeral {
		t.Errorf("answered %v with type %d, privately %v: %q", r.Answered(), r.Type, r.Ephemeral, r.Text())
	}
	newThread(t, w, 1)
}
