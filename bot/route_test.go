package bot

import (
	"maps"
	"slices"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/view"
)

// Every action that a button can carry is routed, and nothing else is.
func TestEveryActionIsRouted(t *testing.T) {
	table := newRoutes(nil)
	routed, known := slices.Sorted(maps.Keys(table.buttons)), customid.Actions()
	if !slices.Equal(routed, known) {
		t.Errorf("routed are %q, known are %q", routed, known)
	}
}

// Every command that is registered is routed, and nothing else is.
func TestEveryCommandIsRouted(t *testing.T) {
	var want []string
	for _, c := range view.Load().Commands() {
		if c.Type == discord.CommandUser {
			want = append(want, c.Name)
			continue
		}
		for _, sub := range c.Options {
			if name := sub.Name; c.Name == view.AdminCommand {
				want = append(want, c.Name+" "+name)
			} else {
				want = append(want, name)
			}
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(newRoutes(nil).commands)); !slices.Equal(got, want) {
		t.Errorf("routed are %q, registered are %q", got, want)
	}
}
