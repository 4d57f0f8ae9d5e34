package match

import (
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestVerdict covers what is said of the move that lost a match.
func TestVerdict(t *testing.T) {
	r := engine.Standard
	person := func(moves string) store.Match { return matchtest.Against(t, "perfect", r, moves) }
	vanishing := func(moves string) store.Match { return matchtest.Against(t, "perfect", engine.Vanishing, moves) }
	win, draw := store.ThrewWin, store.ThrewDraw
	for _, test := range []struct {
		name   string
		m      store.Match
		reason store.EndReason
		winner engine.Mark
		kind   store.VerdictKind
		ply    int
		cell   string
	}{
		{"a draw thrown away, by a line", person("a1 b2 b1 c1 c3 a3"), store.ByLine, engine.O, draw, 4, "a3"},
		{"a win thrown away, by a line", person("a2 b1 b2 a1 a3 c1"), store.ByLine, engine.O, win, 4, "c2"},
		{"given up when it was lost", matchtest.Swapped(person("a1 b1 a3")), store.Resignation, engine.X, draw, 1, "b2"},
		{"given up one move before the line", person("a1 b2 b1 c1 c3"), store.Resignation, engine.O, draw, 4, "a3"},
		{"given up when it was held", person("a1 b2"), store.Resignation, engine.O, store.NoMistake, 0, ""},
		{"given up when it was won", person("a1 b1"), store.Resignation, engine.O, store.NoMistake, 0, ""},
		{"given up before the first move", person(""), store.Resignation, engine.O, store.NoMistake, 0, ""},
		{"out of time", matchtest.Between(t, r, "a1 b1 a3"), store.Clock, engine.X, store.NoMistake, 0, ""},
		{"nobody came", matchtest.Swapped(person("a1 b1 a3")), store.Idle, engine.None, store.NoMistake, 0, ""},
		{"stopped", matchtest.Swapped(person("a1 b1 a3")), store.Stopped, engine.None, store.NoMistake, 0, ""},
		{"between people", matchtest.Between(t, r, "a1 b1 a3"), store.Resignation, engine.X, draw, 1, "b2"},
		{"where marks vanish, a win", vanishing("c3 b1 c2 c1 b2 a1"), store.ByLine, engine.O, win, 2, "c1"},
		{"where marks vanish, a draw", matchtest.Swapped(vanishing("b2 c2 c1 b1 a3")), store.ByLine, engine.X, draw, 1, "a1"},
		{"where marks vanish, drawn by repetition", vanishing(matchtest.Round + matchtest.Round + matchtest.SixMarks), store.Repetition, engine.None, store.NoMistake, 0, ""},
		{"on a larger board", matchtest.Against(t, "hard", engine.Rules{M: 3, N: 5, K: 3}, "a1 b2 b1 c1 c3 a3"), store.ByLine, engine.O, store.NotJudged, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := store.Verdict{Kind: test.kind, Ply: test.ply}
			if test.cell != "" {
				want.Cell = matchtest.Cell(t, r, test.cell)
			}
			if got := End(test.m, test.reason, test.winner).Verdict; got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// over is a match that has ended, with its verdict.
func over(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m = matchtest.Over(m, reason, winner)
	m.GridStands = true
	m.Verdict = verdictAtOnce(m)
	return m
}
