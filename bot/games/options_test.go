package games

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/match/matchtest"
	"tictactoe/engine"
	"tictactoe/store"
)

// requested returns the request that an interaction makes.
func requested(t testing.TB, raw string) *kit.Request {
	t.Helper()
	in, err := discord.DecodeInteraction(json.RawMessage(raw), matchtest.TestEpoch)
	if err != nil {
		t.Fatal(err)
	}
	return kit.NewRequest(&dispatch.Call{Interaction: in})
}

// What handlers read of an interaction may be anything.
func TestDamagedOptions(t *testing.T) {
	for name, payload := range discordtest.Payloads {
		t.Run(name, func(t *testing.T) {
			discordtest.EachDamage(t, payload, func(_ string, damaged []byte) {
				in, _ := discord.DecodeInteraction(damaged, matchtest.TestEpoch)
				if in == nil {
					return
				}
				r := kit.NewRequest(&dispatch.Call{Interaction: in})
				_, _ = readChoice(r)
				_ = checkOpponent(r, store.Challenge{Opponent: r.TargetID})
				_ = checkOpponent(r, store.Challenge{Opponent: matchtest.Bob})
				_, _ = customid.Parse(r.CustomID)
			})
		})
	}
}

func TestReadOptions(t *testing.T) {
	if c, err := readChoice(requested(t, discordtest.SlashPayload)); err != nil || c.Rules != (engine.Rules{M: 4, N: 5, K: 4}) {
		t.Errorf("option board: got %v, %v, want 4x5-4", c.Rules, err)
	}
	c, err := readChoice(requested(t, discordtest.DirectPayload))
	if want := (match.Choice{Opponent: "hard", Rules: engine.Standard, First: match.FirstMe}); err != nil || c != want {
		t.Errorf("got the choice %+v, %v, want %+v", c, err, want)
	}
}

// Discord checks the values of options only in its clients.
func TestOptionsThatWereNotOffered(t *testing.T) {
	for name, value := range map[string]string{
		"board of another size": `{"name": "board", "type": 3, "value": "3x4-3"}`,
		"board spelt otherwise": `{"name": "board", "type": 3, "value": "3X3"}`,
		"board spelt long":      `{"name": "board", "type": 3, "value": "3x3-3"}`,
		"board as a number":     `{"name": "board", "type": 4, "value": 3}`,
		"board empty":           `{"name": "board", "type": 3, "value": ""}`,
		"board without a value": `{"name": "board", "type": 3}`,
		"difficulty as a list":  `{"name": "difficulty", "type": 3, "value": ["easy"]}`,
		"first as a truth":      `{"name": "first", "type": 5, "value": true}`,
	} {
		raw := strings.Replace(discordtest.DirectPayload, `{"name": "difficulty", "type": 3, "value": "hard"}`, value, 1)
		if c, err := readChoice(requested(t, raw)); !errors.Is(err, match.ErrBadOption) {
			t.Errorf("%s: got %+v, %v, want errBadOption", name, c, err)
		}
	}
	for name, want := range map[string]error{"easy": nil, "": match.ErrBadOption, "Easy": match.ErrBadOption, "god": match.ErrBadOption} {
		if _, err := match.Opponent(name, engine.Standard); !errors.Is(err, want) {
			t.Errorf("opponent %q: got %v, want %v", name, err, want)
		}
	}
}

func TestOpponentsWhoCannotBeChallenged(t *testing.T) {
	in := requested(t, discordtest.SlashPayload)
	in.Users["104"], in.Members["104"] = discord.ResolvedUser{Bot: true}, discord.ResolvedMember{Permissions: "1024"}
	in.Users["105"] = discord.ResolvedUser{} // not a member
	in.Users["106"], in.Members["106"] = discord.ResolvedUser{}, discord.ResolvedMember{Permissions: "2048"}
	in.Users["107"], in.Members["107"] = discord.ResolvedUser{}, discord.ResolvedMember{Permissions: "8"}
	in.Users[string(matchtest.Ada)] = discord.ResolvedUser{}
	for user, want := range map[store.UserID]error{
		matchtest.Bob: nil, "107": nil, matchtest.Ada: match.ErrNoOpponent, "104": match.ErrNoOpponent, "105": match.ErrCannotSee, "106": match.ErrCannotSee,
		"": match.ErrBadOption, "999": match.ErrBadOption, "<@&1>": match.ErrBadOption,
	} {
		if err := checkOpponent(in, store.Challenge{Opponent: user}); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", user, err, want)
		}
	}
}
