package bot

import (
	"testing"

	"tictactoe/engine"
	"tictactoe/store"
)

func TestLostBy(t *testing.T) {
	r := engine.Standard
	person := func(moves string) store.Match { return against(t, "perfect", r, moves) }
	for _, test := range []struct {
		name string
		m    store.Match
		ply  int
		held string // empty: there is nothing to say
	}{
		{"by a line", over(person("a1 b2 b1 c1 c3 a3"), store.ByLine, engine.O), 4, "a3"},
		{"given up when it was lost", over(swapped(person("a1 b1 a3")), store.Resignation, engine.X), 1, "b2"},
		{"given up one move before the line", over(person("a1 b2 b1 c1 c3"), store.Resignation, engine.O), 4, "a3"},
		{"given up when it was held", over(person("a1 b2"), store.Resignation, engine.O), 0, ""},
		{"given up when it was won", over(person("a1 b1"), store.Resignation, engine.O), 0, ""},
		{"given up before the first move", over(person(""), store.Resignation, engine.O), 0, ""},
		{"won", over(person("a1 b1 a3 b2 a2"), store.ByLine, engine.X), 0, ""},
		{"nobody came", over(swapped(person("a1 b1 a3")), store.Idle, engine.None), 0, ""},
		{"stopped", over(swapped(person("a1 b1 a3")), store.Stopped, engine.None), 0, ""},
		{"between people", over(between(t, r, "a1 b1 a3"), store.Resignation, engine.X), 0, ""},
		{"on a larger board", over(against(t, "hard", engine.Rules{M: 3, N: 5, K: 3}, "a1 b2 b1 c1 c3 a3"), store.ByLine, engine.O), 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ply, held, ok := lostBy(test.m)
			if ok != (test.held != "") || ok && (ply != test.ply || r.CellName(held) != test.held) {
				t.Errorf("got ply %d, %s, %v, want ply %d, %q", ply, r.CellName(held), ok, test.ply, test.held)
			}
		})
	}
}
