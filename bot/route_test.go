package bot

import (
	"maps"
	"slices"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/games"
	"tictactoe/bot/guilds"
	"tictactoe/bot/kit"
	"tictactoe/bot/people"
	"tictactoe/bot/puzzles"
	"tictactoe/bot/view"
)

// Every action that a button can carry and every command that is registered are routed, and
// nothing else is.
func TestEverythingIsRouted(t *testing.T) {
	var want []kit.Key
	for _, a := range customid.Actions() {
		want = append(want, kit.Button(a))
	}
	for _, c := range view.Load().Commands() {
		if c.Type == discord.CommandUser {
			want = append(want, kit.Command(c.Name))
			continue
		}
		if c.Name == view.ShortCommand {
			want = append(want, kit.Command(c.Name))
			continue
		}
		for _, sub := range c.Options {
			if name := sub.Name; c.Name == view.AdminCommand {
				want = append(want, kit.Command(c.Name+" "+name))
			} else {
				want = append(want, kit.Command(name))
			}
		}
	}
	all, err := newRoutes(idle())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range want {
		if all[k].Handle == nil {
			t.Errorf("nothing happens on %+v", k)
		}
		delete(all, k)
	}
	if len(all) > 0 {
		t.Errorf("routed, and not known: %+v", slices.Collect(maps.Keys(all)))
	}
}

// idle returns a bot whose rooms ask nobody for anything: enough to see what it routes.
func idle() *Bot {
	return &Bot{games: &games.Games{}, puzzles: &puzzles.Puzzles{}, people: &people.People{}, guilds: &guilds.Guilds{}}
}
