package games

import (
	"testing"

	"tictactoe/engine/coach"
	"tictactoe/store"
)

func TestJudgedIsBounded(t *testing.T) {
	var j Judged
	one, two := make([]coach.Verdict, 1), make([]coach.Verdict, 2)
	for id := range store.MatchID(judgedMost) {
		j.keep(id+1, two)
	}
	j.keep(1, one) // fewer than are known
	if got := j.of(1); len(got) != 2 {
		t.Errorf("%d verdicts are known of a match, want 2", len(got))
	}
	j.keep(judgedMost+1, one)
	if j.of(2) != nil || j.of(1) == nil || j.of(judgedMost+1) == nil || len(j.known) != judgedMost || len(j.used) != judgedMost {
		t.Errorf("%d matches are known, in %d places: forgotten is what was asked for longest ago", len(j.known), len(j.used))
	}
}
