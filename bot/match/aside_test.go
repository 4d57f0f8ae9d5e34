package match

import (
	"errors"
	"testing"
	"time"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestPutAsideAndGoneOn: everything but the time for a move stays as it was.
func TestPutAsideAndGoneOn(t *testing.T) {
	m := matchtest.Against(t, "hard", engine.Standard, "a1 b2")
	m.Hinted, m.HintPly, m.Lost, m.Series, m.Thread = true, 2, 1, store.Score{O: 1}, "302"
	people := matchtest.Between(t, engine.Standard, "")
	private := m
	private.Place = 0
	for name, test := range map[string]struct {
		m, next store.Match
		want    bool
	}{
		"one of the players": {m, people, true},
		"somebody else":      {m, matchtest.Swapped(matchtest.Against(t, "easy", engine.Standard, "")), false},
		"between people":     {people, people, false},
	} {
		if got := StepsAside(test.m, test.next); got != test.want {
			t.Errorf("%s: StepsAside() = %v", name, got)
		}
	}
	const up = time.Hour
	aside := PutAside(m, people, up)
	if aside.EndedBy != matchtest.Bob || !Paused(aside) || aside.Deadline != up+PausedFor || aside.Validate() != nil {
		t.Errorf("put aside: %+v, %v", aside, aside.Validate())
	}
	for what, do := range map[string]func() error{
		"play":   func() error { _, err := Play(aside, matchtest.Ada, 2, 8, nil, up); return err },
		"hint":   func() error { _, err := Hint(aside, matchtest.Ada); return err },
		"resign": func() error { _, err := Resign(aside, matchtest.Ada); return err },
	} {
		if err := do(); !errors.Is(err, ErrPaused) || !errors.Is(err, ErrMatchOver) {
			t.Errorf("%s: %v, want that it is paused", what, err)
		}
	}
	if _, _, err := GoOn(aside, matchtest.Bob, 8); !errors.Is(err, ErrNotYourGame) {
		t.Errorf("somebody else goes on: %v", err)
	}
	if _, _, err := GoOn(m, matchtest.Ada, 8); !errors.Is(err, ErrNotOver) {
		t.Errorf("one that runs: %v", err)
	}
	next, old, err := GoOn(aside, matchtest.Ada, 8)
	if err != nil {
		t.Fatal(err)
	}
	if next, err = Open(next, nil, 0, up); err != nil || next.Deadline != up+TimeLimit(next) || next.Given != m.Given || next.Hinted != m.Hinted || next.Lost != m.Lost ||
		next.Series != m.Series || next.X != m.X || next.O != m.O || len(next.Moves) != 2 || next.HintPly != 2 || next.Thread != m.Thread {
		t.Errorf("gone on with: %+v, %v", next, err)
	}
	if _, _, err := GoOn(old, matchtest.Ada, 9); !errors.Is(err, ErrGoneOn) || old.Deadline != 0 || old.Next != 8 {
		t.Errorf("twice: %v, %+v", err, old)
	}
	left, ok := Expire(aside, time.Hour, aside.Deadline)
	if _, _, err := GoOn(left, matchtest.Ada, 9); !ok || Paused(left) || errors.Is(err, ErrPaused) || !errors.Is(err, ErrMatchOver) {
		t.Errorf("left alone for a day: %v, %+v", err, left)
	}
}
