package judged

import (
	"testing"

	"tictactoe/engine/coach"
	"tictactoe/store"
)

func TestVerdictsAreBounded(t *testing.T) {
	var j Verdicts
	one, two := make([]coach.Verdict, 1), make([]coach.Verdict, 2)
	for id := range store.MatchID(most) {
		j.Keep(id+1, two)
	}
	j.Keep(1, one) // fewer than are known
	if got := j.Of(1); len(got) != 2 {
		t.Errorf("%d verdicts are known of a match, want 2", len(got))
	}
	j.Keep(most+1, one)
	if j.Of(2) != nil || j.Of(1) == nil || j.Of(most+1) == nil || len(j.known) != most || len(j.used) != most {
		t.Errorf("%d matches are known, in %d places: forgotten is what was asked for longest ago", len(j.known), len(j.used))
	}
}
