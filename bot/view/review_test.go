package view

import (
	"testing"

	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// TestReviewBeginsAtOnesOwnMistake: who has made one sees it first, whoever has made none the
// first of all, and where nobody has made one the end.
func TestReviewBeginsAtOnesOwnMistake(t *testing.T) {
	m := store.Match{X: store.Player{User: "1"}, O: store.Player{User: "2"}, Moves: make([]engine.Cell, 5)}
	good, bad := coach.Verdict{Kind: coach.KeptDraw}, coach.Verdict{Kind: coach.GaveDraw}
	for _, test := range []struct {
		verdicts []coach.Verdict
		user     store.UserID
		want     int
	}{
		{[]coach.Verdict{good, bad, good, bad, bad}, "1", 5},
		{[]coach.Verdict{good, bad, good, bad, bad}, "2", 2},
		{[]coach.Verdict{good, bad, good, bad, bad}, "3", 2},
		{[]coach.Verdict{good, good, bad, good, good}, "2", 3},
		{[]coach.Verdict{good, good, good, good, good}, "1", 5},
	} {
		if got := ReviewFrom(m, test.verdicts, test.user); got != test.want {
			t.Errorf("%s begins at %d of %v, want %d", test.user, got, test.verdicts, test.want)
		}
	}
}
