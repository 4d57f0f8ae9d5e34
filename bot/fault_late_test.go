package bot_test

import (
	"testing"
	"time"

	"tictactoe/bot/sandbox"
)

// TestTooLateHasNoEffect: what arrives after Discord's three seconds cannot be
// answered, and therefore nothing happens either, whatever it is.
func TestTooLateHasNoEffect(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.cells(m, w.ada, w.bob, "a1")
	ask := w.answer(w.ada.Click(t, m, "Resign"))
	side := w.srv.Guild().Channel("side")
	open := w.answer(w.cleo.Command(t, side, "tictactoe challenge", sandbox.OptUser("user", w.bob)))
	w.transit.Store(int64(2900 * time.Millisecond))
	late := []*sandbox.Call{
		w.bob.StartClickCell(t, m, 1, 1),
		w.bob.StartClick(t, m, "Cell names"),
		w.ada.StartClick(t, ask, "Resign"),
		w.bob.StartClick(t, open, "Accept"),
		w.cleo.StartClick(t, open, "Cancel challenge"),
		w.cleo.StartCommand(t, w.srv.Guild().Channel("other"), "tictactoe play"),
	}
	for _, c := range late {
		c.AllowUnanswered()
	}
	eventually(t, "them to arrive", func() bool { return w.bot.Counts().Late == int64(len(late)) })
	w.transit.Store(0)
	for _, c := range late {
		if r := c.Reply(); r.Acks != 0 {
			t.Errorf("answered: %v", c)
		}
	}
	if got := w.position(); got != "X../.../..." {
		t.Errorf("stored is %s", got)
	}
	w.cells(m, w.bob, w.ada, "b2")
	w.bob.Click(t, open, "Accept")
	wantText(t, open, "to move")
	w.general = w.srv.Guild().Channel("other")
	w.free()
}

// TestSlowButInTimeIsPlayed: what comes late but not too late is answered in the
// time that is left.
func TestSlowButInTimeIsPlayed(t *testing.T) {
	t.Parallel()
	w := newFaultWorld(t)
	m := w.challenge(w.ada, w.bob)
	w.transit.Store(int64(1500 * time.Millisecond))
	w.cells(m, w.ada, w.bob, "a1", "b2")
	w.shows(m, "X../.O./...")
}

// shiftedClock is Discord's clock seen from a machine whose own is wrong.
type shiftedClock struct {
	sandbox.Clock
	by time.Duration
}

func (c shiftedClock) Now() time.Time { return c.Clock.Now().Add(c.by) }

// TestWrongSystemClockSilencesNobody plays with a machine whose clock is hours, or
// days, before or behind Discord's.
func TestWrongSystemClockSilencesNobody(t *testing.T) {
	t.Parallel()
	for _, by := range []time.Duration{5 * time.Hour, -5 * time.Hour, 400 * 24 * time.Hour, -400 * 24 * time.Hour, 10 * time.Second, -10 * time.Second} {
		t.Run(by.String(), func(t *testing.T) {
			w := newFaultWorld(t, func(c *faultConfig) {
				c.sandbox = func(o *sandbox.Options) { o.Clock = shiftedClock{sandbox.RealClock, by} }
			})
			m := w.finished()
			wantText(t, m, "wins")
			w.transit.Store(int64(time.Minute)) // and what is late is still told apart
			late := w.bob.StartClick(t, m, "Rematch")
			late.AllowUnanswered()
			eventually(t, "it to arrive", func() bool { return w.bot.Counts().Late == 1 })
			if n := late.Reply().Acks; n != 0 {
				t.Errorf("%d answers to what came too late", n)
			}
		})
	}
}
