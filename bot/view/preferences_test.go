package view

import (
	"strings"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/store"
)

// panelsOfMarks are panels on which people choose their marks.
func panelsOfMarks(v View) map[string]discord.Message {
	panel := func(mark store.OwnMark, p Preferences) discord.Message {
		p.Mark, p.Tab = mark, "boards"
		return v.People().Preferences(p)
	}
	return map[string]discord.Message{
		"preferences with a mark":    panel(store.MarkStar, Preferences{}),
		"preferences always X and O": panel(store.AlwaysXO, Preferences{}),
		"preferences with X or O":    panel(0, Preferences{}),
	}
}

// TestMarksAreChosen: each value of the list is a mark, and nothing else is.
func TestMarksAreChosen(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	if text := textOf(v.People().Preferences(Preferences{Tab: "boards"})); strings.Contains(text, "mark") {
		t.Errorf("without emojis the panel says %q", text)
	}
	v.OwnMarks = ownMarks()
	seen, byMark := map[store.OwnMark]bool{}, customid.ID{Action: customid.OwnMark}
	walk(v.People().Preferences(Preferences{Tab: "boards", Person: store.Person{Mark: markCat}}).Components, 0, func(c discord.Component, _ int) {
		if c.CustomID != "1:om" {
			return
		}
		for _, o := range c.Options {
			p, ok := v.People().Set(store.Person{}, byMark, o.Value)
			mark := p.Mark
			if !ok || seen[mark] || o.Default != (mark == markCat) || mark.Chosen() && MarkNames()[mark] != o.Value {
				t.Errorf("%+v stands for mark %d, %v", o, mark, ok)
			}
			seen[mark] = true
		}
	})
	if len(seen) != 25 {
		t.Errorf("there are %d choices", len(seen))
	}
	for _, value := range []string{"dog", ""} {
		if p, ok := v.People().Set(store.Person{}, byMark, value); ok {
			t.Errorf("%q stands for mark %d", value, p.Mark)
		}
	}
	for _, test := range []struct {
		before store.OwnMark
		value  string
		after  store.OwnMark
	}{
		{store.MarkStar, switchOn, store.AlwaysXO}, {store.AlwaysXO, switchOff, 0}, {store.MarkStar, switchOff, store.MarkStar}, {0, switchOn, store.AlwaysXO},
	} {
		if p, ok := v.People().Set(store.Person{Mark: test.before}, customid.ID{Action: customid.Preference, Preference: "xo", Value: test.value}, ""); !ok || p.Mark != test.after {
			t.Errorf("after mark %d, always X and O turned %s makes %d, %v", test.before, test.value, p.Mark, ok)
		}
	}
}
