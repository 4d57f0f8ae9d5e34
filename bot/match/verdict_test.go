package match

import (
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// TestVerdict covers which matches are looked at for mistakes, and what is found.
func TestVerdict(t *testing.T) {
	wide := engine.Rules{M: 4, N: 4, K: 4}
	none := func(m store.Match) store.Match { return m }
	const full = "a1 b1 a2 b2 b3 a3 b4 a4 c1 d1 c2 d2 d3 c3 d4 c4"
	for _, test := range []struct {
		name   string
		rules  engine.Rules
		moves  string
		change func(store.Match) store.Match
		reason store.EndReason
		winner engine.Mark
		looked bool
		kind   store.VerdictKind
	}{
		{"a draw on 3x3", engine.Standard, "b2 a1 a2 c2 b1 b3 a3 c1 c3", none, store.FullBoard, engine.None, false, 0},
		{"a win on 4x4", wide, "a1 a2 b1 b2 c1 c2 d1", none, store.ByLine, engine.X, true, store.ThrewDraw},
		{"a draw on 4x4", wide, full, none, store.FullBoard, engine.None, true, store.Flawless},
		{"with a hint", wide, full, func(m store.Match) store.Match { m.Hinted = true; return m }, store.FullBoard, engine.None, false, 0},
		{"from a position", wide, full, func(m store.Match) store.Match { m.Given = 2; return m }, store.FullBoard, engine.None, false, 0},
		{"given up", wide, "a1 a2", none, store.Resignation, engine.O, false, 0},
		{"where marks vanish", engine.Vanishing, "c3 b1 c2 c1 b2 a1", none, store.ByLine, engine.O, true, store.ThrewWin},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := End(test.change(matchtest.Between(t, test.rules, test.moves)), test.reason, test.winner)
			if m.Verdict != (store.Verdict{}) || MayBeFlawless(m) != test.looked {
				t.Fatalf("looked at: %t, want %t; at its end it has %+v", MayBeFlawless(m), test.looked, m.Verdict)
			}
			if !test.looked {
				return
			}
			found, err := coach.Game(t.Context(), m.Rules, m.Moves, nil)
			if err != nil {
				t.Fatal(err)
			}
			m.Verdict = Verdict(found)
			if m.Verdict.Kind != test.kind {
				t.Errorf("got %+v, want kind %d", m.Verdict, test.kind)
			}
			if err := (store.Change{Matches: []store.Match{m}}).Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}

// over is a match that has ended.
func over(m store.Match, reason store.EndReason, winner engine.Mark) store.Match {
	m = matchtest.Over(m, reason, winner)
	m.GridStands = true
	return m
}
