package match_test

import (
	"errors"
	"testing"
	"time"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestRematchesRefused: each reason for which nobody plays again, and that it changes nothing.
func TestRematchesRefused(t *testing.T) {
	over := store.Match{X: store.Player{User: "1"}, O: store.Player{User: "2"}, Rules: engine.Standard, State: store.Ended, Winner: engine.X}
	for name, c := range map[string]struct {
		change func(*store.Match)
		user   store.UserID
		want   error
	}{
		"somebody else's":         {func(*store.Match) {}, "3", match.ErrNotYourGame},
		"still running":           {func(m *store.Match) { m.State = store.Active }, "1", match.ErrNotOver},
		"gone on":                 {func(m *store.Match) { m.Next = 7 }, "1", match.ErrNoRematch},
		"wished for by X already": {func(m *store.Match) { m.RematchX = true }, "1", match.ErrAlreadyOffered},
		"wished for by O already": {func(m *store.Match) { m.RematchO = true }, "2", match.ErrAlreadyOffered},
		"declined by O":           {func(m *store.Match) { m.RematchDeclined = engine.O }, "1", match.ErrRematchNo},
		"declined by X":           {func(m *store.Match) { m.RematchDeclined = engine.X }, "2", match.ErrRematchNo},
	} {
		m := over
		c.change(&m)
		got, agreed, err := match.OfferRematch(m, c.user, time.Minute, 0)
		if !errors.Is(err, c.want) || agreed || got.RematchX != m.RematchX || got.RematchO != m.RematchO || got.Deadline != m.Deadline {
			t.Errorf("%s: %v, agreed %v, want %v and nothing changed", name, err, agreed, c.want)
		}
	}
}

// TestOpponentsByName: a name that a message made up, and one whose program does not know a
// board, are told apart.
func TestOpponentsByName(t *testing.T) {
	if _, err := match.Opponent("nobody", engine.Standard); !errors.Is(err, match.ErrBadOption) {
		t.Errorf("nobody: %v", err)
	}
	if _, err := match.Opponent("ranks", engine.Rules{M: 4, N: 4, K: 4}); !errors.Is(err, match.ErrNotOffered) {
		t.Errorf("ranks, which knows 3×3 alone, on 4×4: %v", err)
	}
	if o, err := match.Opponent("perfect", engine.Standard); err != nil || o.Name != "perfect" {
		t.Errorf("perfect: %v, %v", o.Name, err)
	}
}

// TestDismissed: a moderator closes a challenge once.
func TestDismissed(t *testing.T) {
	c, err := match.Dismiss(store.Challenge{State: store.Open}, store.Dismissed)
	if err != nil || c.State != store.Dismissed {
		t.Fatalf("%v, %v", c.State, err)
	}
	for _, s := range []store.ChallengeState{store.Accepted, store.Declined, store.Cancelled, store.Expired, store.Dismissed} {
		if _, err := match.Dismiss(store.Challenge{State: s}, store.Dismissed); !errors.Is(err, match.ErrChallengeClosed) {
			t.Errorf("state %v: %v", s, err)
		}
	}
}
