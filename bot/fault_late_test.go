package bot_test

import (
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/waittest"
)

// TestTooLateHasNoEffect: what arrives after Discord's three seconds cannot be
// answered, and therefore nothing happens either, whatever it is.
func TestTooLateHasNoEffect(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	ask := w.Answer(t, w.Ada.Click(t, m, "⋯ More"))
	side := w.Side("side")
	open := w.Answer(t, w.Cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.Bob)))
	w.Transit(waittest.Limit(bottest.AnswerTime) - 100*time.Millisecond)
	late := []*sandbox.Call{
		w.Bob.StartClickCell(t, m, 1, 1),
		w.Bob.StartClick(t, m, "⋯ More"),
		w.Ada.StartClick(t, ask, "Resign"),
		w.Bob.StartClick(t, open, "Accept"),
		w.Cleo.StartClick(t, open, "Decline"),
		w.Cleo.StartCommand(t, w.Side("other"), "tictactoe play"),
	}
	for _, c := range late {
		c.AllowUnanswered()
	}
	waittest.Until(t, "them to arrive", func() bool { return w.Service.Counts().Late == int64(len(late)) })
	w.Transit(0)
	for _, c := range late {
		if r := c.Reply(); r.Acks != 0 {
			t.Errorf("answered: %v", c)
		}
	}
	if got := w.Position(t); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.Cells(t, m, w.Bob, w.Ada, "b2")
	w.Bob.Click(t, open, "Accept")
	bottest.WantText(t, open, "your move")
	w.Channel = w.Side("other")
	w.Free(t)
}

// TestSlowButInTimeIsPlayed: what comes late but not too late is answered in the
// time that is left.
func TestSlowButInTimeIsPlayed(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	m := w.Challenge(t, w.Ada, w.Bob)
	w.Transit(waittest.Limit(1500 * time.Millisecond))
	w.Cells(t, m, w.Ada, w.Bob, "a1", "b2")
	w.Shows(t, m, "X../.O./...")
}

// shiftedClock is Discord's clock seen from a machine whose own is wrong.
type shiftedClock struct {
	clock.Clock
	by time.Duration
}

func (c shiftedClock) Now() time.Time { return c.Clock.Now().Add(c.by) }

// TestWrongSystemClockSilencesNobody plays with a machine whose clock is minutes, hours or
// days before or behind Discord's.
func TestWrongSystemClockSilencesNobody(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{5 * time.Hour, -5 * time.Hour, 400 * 24 * time.Hour, -400 * 24 * time.Hour, 7 * time.Minute, -7 * time.Minute} {
		t.Run(by.String(), func(t *testing.T) {
			w := bottest.New(t, bottest.Discord(func(o *sandbox.Options) { o.World.Clock = shiftedClock{clock.Real, by} }))
			m := w.Finished(t)
			bottest.WantText(t, m, "wins")
			w.Transit(waittest.Limit(time.Minute)) // and what is late is still told apart
			late := w.Bob.StartClick(t, m, "Rematch")
			late.AllowUnanswered()
			waittest.Until(t, "it to arrive", func() bool { return w.Service.Counts().Late == 1 })
			if n := late.Reply().Acks; n != 0 {
				t.Errorf("%d answers to what came too late", n)
			}
		})
	}
}
