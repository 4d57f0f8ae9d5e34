package games

import (
	"testing"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// TestAim covers what a click tells of the position that it was meant for.
func TestAim(t *testing.T) {
	m := store.Match{ID: 7, Rules: engine.Standard, Moves: []engine.Cell{0, 4, 8}}
	edited := time.Date(2026, 3, 4, 5, 6, 7, 120e6, time.UTC)
	cell := customid.ID{Action: customid.Cell, Match: 7, Cell: 2}
	at := func(after time.Duration) string { return discordtest.MadeAt(edited.Add(after)) }
	for name, c := range map[string]struct {
		id       customid.ID
		click    string
		marker   int
		unedited bool
		want     aim
	}{
		"the stored position, looked at":    {cell, at(400 * time.Millisecond), customid.Marker(3), false, aim{3, 3}},
		"long after":                        {cell, at(time.Hour), customid.Marker(3), false, aim{3, 3}},
		"just before anybody can have seen": {cell, at(399 * time.Millisecond), customid.Marker(3), false, aim{3, 2}},
		"in the same instant":               {cell, at(0), customid.Marker(3), false, aim{3, 2}},
		"clocks of two servers":             {cell, at(-100 * time.Millisecond), customid.Marker(3), false, aim{3, 2}},
		"an id that is older than the edit": {cell, at(-101 * time.Millisecond), customid.Marker(3), false, aim{3, 3}},
		"an id that holds no time":          {cell, "12345", customid.Marker(3), false, aim{3, 3}},
		"an id that is no number":           {cell, "x", customid.Marker(3), false, aim{3, 3}},
		"a message that was never edited":   {cell, at(0), customid.Marker(3), true, aim{3, 3}},
		"an older position":                 {cell, at(time.Second), customid.Marker(1), false, aim{1, 1}},
		"an older position, too soon":       {cell, at(time.Millisecond), customid.Marker(1), false, aim{1, 0}},
		"too soon after it was drawn again": {cell, at(0), customid.AgainMarker(3), false, aim{3, 3}},
		"no marker":                         {cell, at(0), 1, false, aim{3, 3}},
		"a button of an older version":      {customid.ID{Action: customid.CellAtPly, Match: 7, Ply: 2, Cell: 2}, at(0), 1, false, aim{2, 2}},
	} {
		in := &discord.Interaction{ID: c.click}
		in.Message.Marker = c.marker
		if !c.unedited {
			in.Message.Edited = edited
		}
		if got := aimOf(in, c.id, m); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
		// A message that lacks the button tells only if it is the match's own.
		in.Message.ID, in.Message.Lacks = "401", true
		if got := aimOf(in, customid.ID{Action: customid.Cell}, m); got != (aim{3, 3}) {
			t.Errorf("%s, on another message: got %+v", name, got)
		}
		own := m
		own.Message = "401"
		if got := aimOf(in, c.id, own); got != c.want {
			t.Errorf("%s, on its own message without the button: got %+v, want %+v", name, got, c.want)
		}
	}
}
