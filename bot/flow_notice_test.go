package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/bottest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// TestAcceptedElsewhereTellsTheChallenger: whoever made a challenge in one channel is
// told when it is accepted in another, where the board is.
func TestAcceptedElsewhereTellsTheChallenger(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	other := w.Side("elsewhere")
	w.Offer(t, w.Ada, w.Bob)
	r := w.Bob.Command(t, other, "tictactoe challenge", sandbox.OptUser("user", w.Ada))
	waittest.Until(t, "the notice", func() bool { return len(r.Followups()) == 1 })
	notice := r.Followups()[0].Snapshot()
	if !slices.Equal(notice.Pinged, []string{w.Ada.ID()}) || !strings.Contains(notice.Text(), w.Answer(t, r).ID()) {
		t.Errorf("the notice %q notifies %v and should lead to %s", notice.Text(), notice.Pinged, w.Answer(t, r).ID())
	}
}

// TestLateRematchTellsWhoOffered: a rematch that is taken minutes after it was offered
// begins with a notice; one that is taken at once does not.
func TestLateRematchTellsWhoOffered(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"late": 3 * time.Minute, "at once": 0} {
		t.Run(name, func(t *testing.T) {
			clock := bottest.NewClock()
			w := bottest.New(t, bottest.ByClock(clock))
			m := w.Offer(t, w.Ada, w.Bob)
			w.Bob.Click(t, m, "Accept")
			w.Cells(t, m, w.Ada, w.Bob, "a1", "a2", "b1", "b2", "c1")
			w.Weighed(t, m)
			w.Ada.Click(t, m, "Rematch")
			clock.Advance(wait)
			r := w.Bob.Click(t, m, "Yes, rematch")
			if wait == 0 {
				w.Stop(t) // what follows an answer has been done then
				if len(r.Followups()) > 0 {
					t.Errorf("a notice nobody needs: %q", r.Followups()[0].Text())
				}
				return
			}
			waittest.Until(t, "the notice", func() bool { return len(r.Followups()) == 1 })
			if s := r.Followups()[0].Snapshot(); !slices.Equal(s.Pinged, []string{w.Ada.ID()}) {
				t.Errorf("the notice %q notifies %v", s.Text(), s.Pinged)
			}
		})
	}
}

// TestNoticeWhereTheBotIsNoMember: there the token of who has accepted sends the notice, and
// takes it away with the first move.
func TestNoticeWhereTheBotIsNoMember(t *testing.T) {
	t.Parallel()
	clock := bottest.NewClock()
	w := brought(t, away["a server"], bottest.ByClock(clock))
	m := w.Offer(t, w.Ada, w.Bob)
	clock.Advance(3 * time.Minute)
	r := w.Bob.Click(t, m, "Accept")
	waittest.Until(t, "the notice", func() bool { return len(r.Followups()) == 1 })
	w.Cells(t, m, w.Ada, w.Bob, "a1")
	waittest.Until(t, "the notice to go", r.Followups()[0].Deleted)
	w.Stop(t)
	nothingByItself(t, w)
}
