package view

import (
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestMarkSets: whatever a board shows with a set of marks can be told apart without
// colours, and no two sets share a mark of a player.
func TestMarkSets(t *testing.T) {
	seen := map[string]store.Marks{}
	for _, set := range []store.Marks{0, store.MarksBlocks, store.MarksHearts, store.MarksSky} {
		s := marksIn(set)
		all := []string{s.x.Plain, s.o.Plain, s.empty, s.x.Winning, s.o.Winning, s.x.Going, s.o.Going, s.x.Moved, s.o.Moved, s.better}
		for i, symbol := range all {
			if symbol == "" || slices.Contains(all[:i], symbol) {
				t.Errorf("set %d has %q twice, or not: %q", set, symbol, all)
			}
		}
		if s.x.label == "" || s.o.label == "" || s.x.label == s.o.label {
			t.Errorf("the buttons of set %d read %q and %q", set, s.x.label, s.o.label)
		}
		for _, symbol := range []string{s.x.Plain, s.o.Plain, s.x.label, s.o.label} {
			if other, ok := seen[symbol]; ok {
				t.Errorf("%q is in sets %d and %d", symbol, other, set)
			}
			seen[symbol] = set
		}
	}
}

// TestBoardsInTheirMarks: status, text board, list and buttons of a match all show its set,
// and none of another.
func TestBoardsInTheirMarks(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	for _, set := range []store.Marks{0, store.MarksBlocks, store.MarksHearts, store.MarksSky} {
		s := marksIn(set)
		for name, m := range map[string]store.Match{
			"running": matchtest.Between(t, engine.Standard, "a1 b2 c3"),
			"going":   matchtest.Between(t, engine.Vanishing, matchtest.SixMarks),
			"won":     over(matchtest.Between(t, engine.Standard, "a1 b2 a2 b1 a3"), store.ByLine, engine.X),
			"lost":    over(matchtest.Between(t, engine.Standard, "a1 b1 c1 b2 a3 b3"), store.ByLine, engine.O),
		} {
			for _, list := range []bool{false, true} {
				if m.Marks = set; list {
					matchtest.Listed(&m)
				}
				text := string(shown(t, v, m).Create())
				want := []string{s.x.Plain, s.o.Plain}
				switch name {
				case "going":
					if list {
						want = append(want, s.x.Going, s.o.Going)
					}
				case "won":
					want = []string{s.x.Winning, s.o.Plain}
				case "lost":
					want = []string{s.x.Plain, s.o.Winning}
				}
				if m.State == store.Active {
					want = append(want, s.x.label, s.o.label)
				}
				for _, symbol := range want {
					if !strings.Contains(text, symbol) {
						t.Errorf("set %d, %s, list %v: no %q in %s", set, name, list, symbol, text)
					}
				}
				for _, other := range []store.Marks{0, store.MarksBlocks, store.MarksHearts, store.MarksSky} {
					o := marksIn(other)
					for _, symbol := range []string{o.x.Plain, o.o.Plain, o.x.Going, o.o.Going, o.x.Winning, o.o.Winning} {
						if other != set && !slices.Contains([]string{s.x.Winning, s.o.Winning}, symbol) && strings.Contains(text, symbol) {
							t.Errorf("set %d, %s, list %v: %q of set %d in %s", set, name, list, symbol, other, text)
						}
					}
				}
			}
		}
	}
}
