package match

import (
	"errors"
	"slices"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// TestUsual: a guild decides what nobody chooses, and what does not go together gives way
// where nobody has chosen it.
func TestUsual(t *testing.T) {
	four := engine.Rules{M: 4, N: 4, K: 4}
	for _, test := range []struct {
		board, opponent string
		want            Choice
	}{
		{"", "", DefaultChoice},
		{"4x4", "hard", Choice{Opponent: "hard", Rules: four, First: FirstMe}},
		{"4x4", "ranks", Choice{Opponent: ClassicsLevel, Rules: four, First: FirstMe}},
		{"", "ranks", Choice{Opponent: "ranks", Rules: engine.Standard, First: FirstMe}},
		{"9x9", "nobody", DefaultChoice},
		{"3x5-3", "", Choice{Opponent: "medium", Rules: engine.Rules{M: 4, N: 5, K: 4}, First: FirstMe}},
		{"4x4-3", "", Choice{Opponent: "medium", Rules: four, First: FirstMe}},
		{"5x5-3", "", Choice{Opponent: "medium", Rules: engine.Rules{M: 5, N: 5, K: 4}, First: FirstMe}},
		{engine.Vanishing.String(), "", Choice{Opponent: "medium", Rules: engine.Vanishing, First: FirstMe}},
	} {
		if got := Usual(store.GuildSettings{Board: test.board, Opponent: test.opponent}); got != test.want {
			t.Errorf("%q and %q: %+v, want %+v", test.board, test.opponent, got, test.want)
		}
	}
	for _, r := range strategy.Boards() {
		if !slices.Contains(Boards, fair(r)) || FirstPlayerWins(fair(r)) {
			t.Errorf("instead of %v comes %v", r, fair(r))
		}
	}
	chosen := Fitting(Choice{Opponent: "ranks", Rules: four}, true)
	if chosen.Opponent != "ranks" || chosen.Rules != engine.Standard {
		t.Errorf("who was chosen plays %+v", chosen)
	}
	if c := (Choice{Opponent: "nobody", Rules: four}); Fitting(c, true) != c {
		t.Errorf("an opponent whom nobody knows becomes %+v", Fitting(c, true))
	}
}

// TestHintsGiven: a match keeps the hint that it began with.
func TestHintsGiven(t *testing.T) {
	off := time.UnixMilli(1_000)
	for _, test := range []struct {
		created, off time.Time
		want         error
	}{
		{off, time.Time{}, nil}, {off.Add(-1), off, nil}, {off, off, ErrHintsOff}, {off.Add(time.Hour), off, ErrHintsOff},
	} {
		if err := HintsGiven(store.Match{Created: test.created}, test.off); !errors.Is(err, test.want) {
			t.Errorf("begun at %v, off since %v: %v, want %v", test.created, test.off, err, test.want)
		}
	}
}
