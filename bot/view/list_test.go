package view

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// checkOptions holds a select against what Discord takes.
func checkOptions(t *testing.T, c discord.Component) {
	t.Helper()
	if n := len(c.Options); n < 1 || n > maxOptions || len(c.CustomID) > customid.MaxLength {
		t.Errorf("a select of %d options, custom ID %q", n, c.CustomID)
	}
	values := map[string]bool{}
	for _, o := range c.Options {
		for what, text := range map[string]string{"label": o.Label, "value": o.Value, "description": o.Description} {
			if n := utf8.RuneCountInString(text); n > maxOptionText || n == 0 && what != "description" {
				t.Errorf("a choice with a %s of %d characters", what, n)
			}
			if bad := leftover.FindString(text); bad != "" {
				t.Errorf("%q is in the choice %q", bad, text)
			}
		}
		if values[o.Value] {
			t.Errorf("the value %q is there twice", o.Value)
		}
		values[o.Value] = true
	}
}

// listOf returns the select of a board.
func listOf(msg discord.Message) (list discord.Component, ok bool) {
	walk(msg.Components, 0, func(c discord.Component, _ int) {
		if c.Type == discord.TypeSelect {
			list, ok = c, true
		}
	})
	return list, ok
}

// TestMatchViewList checks that a board which is a list has a choice for each cell at
// every moment, each with its value, its name and what is in it, and that no other has one.
func TestMatchViewList(t *testing.T) {
	eachScene(t, func(t *testing.T, v View, m store.Match) {
		list, ok := listOf(shown(t, v, m))
		if want := byList(m) && (m.State == store.Active || m.GridStands); ok != want {
			t.Fatalf("there is a list: %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		if want := (customid.ID{Action: customid.CellInList, Match: m.ID}).String(); list.CustomID != want || list.Disabled {
			t.Errorf("the list is %s, disabled %v, want %s at every moment", list.CustomID, list.Disabled, want)
		}
		g, err := match.Position(m)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Options) != m.Rules.Cells() {
			t.Fatalf("%d choices for %d cells", len(list.Options), m.Rules.Cells())
		}
		for i, o := range list.Options {
			c, name := engine.Cell(i), m.Rules.CellName(engine.Cell(i))
			if o.Value != customid.CellValue(c) {
				t.Errorf("%s has the value %q", name, o.Value)
			}
			mark := g.At(c)
			if taken := mark != engine.None; !strings.HasPrefix(o.Label, name) || taken != (o.Label != name) || taken && !strings.HasSuffix(o.Label, mark.String()) {
				t.Errorf("%s, in which there is %v, is called %q", name, mark, o.Label)
			}
			if got, want := o.Description != "", m.State == store.Active && g.Age(c) > 0; got != want {
				t.Errorf("%s tells its age: %v, want %v: %q", name, got, want, o.Description)
			}
		}
		picture, err := v.Board().Snapshot(m)
		if err != nil {
			t.Fatal(err)
		}
		if list, ok := listOf(picture); ok && !list.Disabled {
			t.Error("something can be chosen in a picture")
		}
	})
}

// TestListTellsAges reads the choices where six marks stand: each says by how many moves of
// its own side it outlives the position.
func TestListTellsAges(t *testing.T) {
	c := Load()
	m := matchtest.Between(t, engine.Vanishing, matchtest.SixMarks)
	matchtest.Listed(&m)
	g, err := match.Position(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, locale := range c.locales {
		v := testView(c, locale)
		list, _ := listOf(shown(t, v, m))
		for i, o := range list.Options {
			cell := engine.Cell(i)
			age := g.Age(cell)
			if age == 0 {
				continue
			}
			// The mark is gone after so many more moves of its side, and not before.
			want := v.say(goesKeys[outlives(t, g, cell)], args{"Mark": g.At(cell).String()})
			if o.Description != want {
				t.Errorf("%s: %s, of age %d, says %q, want %q", locale, o.Label, age, o.Description, want)
			}
			if soon := strings.Contains(o.Description, "⏳"); soon != (age == 3) {
				t.Errorf("%s: %s, of age %d, has the sign: %v", locale, o.Label, age, soon)
			}
		}
	}
}

// outlives returns how many moves of its own side a mark outlives, both sides playing the
// first free cell.
func outlives(t *testing.T, g engine.Game, cell engine.Cell) (n int) {
	t.Helper()
	mark := g.At(cell)
	for {
		mover := g.SideToMove()
		next, ok := g, false
		for c := engine.Cell(0); g.Rules().Contains(c) && !ok; c++ {
			if c == cell || g.At(c) != engine.None {
				continue
			}
			if played, err := g.Play(c); err == nil && !played.Over() {
				next, ok = played, true
			}
		}
		if !ok {
			t.Fatalf("no move goes on from %v", g)
		}
		g = next
		if mover != mark {
			continue
		}
		if g.At(cell) != mark {
			return n
		}
		n++
	}
}

func TestSettledMarker(t *testing.T) {
	v := testView(Load(), DefaultLocale)
	m := matchtest.Between(t, engine.Standard, "a1 b2")
	matchtest.Listed(&m)
	msg := DrawnAgain(shown(t, v, m), m)
	if ply, ok := customid.PlyOf(msg.Components[0].ID); ply != 2 || !ok || !customid.Again(msg.Components[0].ID) {
		t.Errorf("the marker reads as ply %d, %v", ply, ok)
	}
}
