package match

import (
	"errors"
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

func TestHint(t *testing.T) {
	running := matchtest.Against(t, "hard", engine.Standard, "a1 b2")
	hinted, waiting := running, matchtest.Against(t, "hard", engine.Standard, "a1")
	hinted.Hinted = true
	for _, test := range []struct {
		name string
		m    store.Match
		user store.UserID
		want error
	}{
		{"against the program", running, matchtest.Ada, nil},
		{"by somebody else", running, matchtest.Bob, ErrNotYourGame},
		{"a second time", hinted, matchtest.Ada, ErrHinted},
		{"while the program is to move", waiting, matchtest.Ada, ErrNotYourTurn},
		{"between people", matchtest.Between(t, engine.Standard, "a1 b2"), matchtest.Ada, ErrNoHints},
		{"after the end", End(running, store.Resignation, engine.O), matchtest.Ada, ErrMatchOver},
	} {
		m, err := Hint(test.m, test.user)
		if !errors.Is(err, test.want) || err == nil && (!m.Hinted || m.HintPly != len(m.Moves)) {
			t.Errorf("%s: hinted %t, %v, want %v", test.name, m.Hinted, err, test.want)
		}
	}
	told := hinted
	told.HintPly = len(told.Moves)
	at := matchtest.Against(t, "hard", engine.Standard, "a1 b2 c3 c1")
	at.Hinted, at.HintPly = true, 2
	for _, test := range []struct {
		name string
		m    store.Match
		user store.UserID
		want bool
	}{
		{"in the position", told, matchtest.Ada, true},
		{"to somebody else", told, matchtest.Bob, false},
		{"later", at, matchtest.Ada, false},
		{"after the end", End(told, store.Resignation, engine.O), matchtest.Ada, false},
		{"without one", running, matchtest.Ada, false},
	} {
		if got := HintStands(test.m, test.user); got != test.want {
			t.Errorf("%s: the hint stands %t, want %t", test.name, got, test.want)
		}
	}
	m, _ := Hint(running, matchtest.Ada)
	if a := Award(End(m, store.Resignation, engine.X)); a.Why != store.WithHint || !a.Hinted {
		t.Errorf("a match with a hint is worth %+v", a)
	}
}
