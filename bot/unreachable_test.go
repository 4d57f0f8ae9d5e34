package bot

import (
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// What people have brought along to a guild goes on when the bot is removed from it.
func TestBroughtAlongGoesOn(t *testing.T) {
	for name, lose := range map[string]func(*loneBot) error{
		"its guild is unknown": func(b *loneBot) error {
			records{b.Bot}.Unreachable(t.Context(), tracker.Rendering{Guild: "201"}, &rest.Error{Status: 404, Code: 10004})
			return nil
		},
		"its guild is erased": func(b *loneBot) error { return b.upkeep.Guilds.EndAll(t.Context(), "201") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newLoneBot(t)
			boards := b.standing(t, 2, func(int) time.Duration { return time.Hour })
			boards[1].Version, boards[1].TokenOnly = 1, true
			open := []store.Challenge{
				{ID: 1, Guild: "201", Channel: "301", Challenger: "101", Rules: boards[0].Rules, First: store.FirstChallenger, State: store.Open, Deadline: time.Hour, Locale: "en-US"},
				{ID: 2, Guild: "201", Channel: "302", Challenger: "102", Rules: boards[0].Rules, First: store.FirstChallenger, State: store.Open, Deadline: time.Hour, Locale: "en-US", TokenOnly: true},
			}
			if err := b.change.Apply(t.Context(), store.Change{Matches: boards[1:], Challenges: open}); err != nil {
				t.Fatal(err)
			}
			if err := lose(b); err != nil {
				t.Fatal(err)
			}
			for i, want := range []store.State{store.Ended, store.Active} {
				if m, err := b.store.Match(t.Context(), boards[i].ID); m.State != want || err != nil {
					t.Errorf("by tokens only %v: the match is %v, %v", m.TokenOnly, m.State, err)
				}
			}
			if c, err := b.store.Challenge(t.Context(), 2); c.State != store.Open || err != nil {
				t.Errorf("the challenge that was brought along is %v, %v", c.State, err)
			}
			if c, err := b.store.Challenge(t.Context(), 1); name == "its guild is erased" && c.State != store.Dismissed || err != nil {
				t.Errorf("the other challenge is %v, %v", c.State, err)
			}
		})
	}
}
