package storetest

import (
	"errors"
	"testing"

	"tictactoe/store"
)

var guardCases = []testCase{
	{
		"Place", "a place in a channel has at most one active match; private ones take none, ended ones leave theirs",
		func(t *testing.T, f *fixture) {
			first := f.put(t, match(1, "1", 1))
			f.refuses(t, matchChange(match(2, "1", 1)), store.ErrPlaceTaken)
			f.wantNoMatch(t, 2)
			f.put(t, match(3, "1", 2))
			f.put(t, match(4, "01", 1))
			f.put(t, match(5, "1", 0))
			f.put(t, match(6, "1", 0))
			f.put(t, ended(match(7, "1", 1)))
			f.put(t, ended(first))
			f.put(t, match(2, "1", 1))
			got, err := f.ActiveMatches(t.Context(), "1")
			wantIDs(t, "ActiveMatches", got, err, 2, 3)
		},
	},
	{
		"PlaceMoved", "a match does not move to a place that is taken",
		func(t *testing.T, f *fixture) {
			f.put(t, match(1, "1", 1))
			other := f.put(t, match(2, "1", 2))
			f.refuses(t, matchChange(with(other, func(m *store.Match) { m.Place = 1 })), store.ErrPlaceTaken)
			f.wantMatch(t, other)
			f.wantMatch(t, f.put(t, with(other, func(m *store.Match) { m.Place = 3 })))
		},
	},
	{
		"Pair", "two people have at most one open challenge in a guild, whoever made it, and one person one open table",
		func(t *testing.T, f *fixture) {
			first := f.putChallenge(t, challenge(1, "1", "2"))
			f.refuses(t, challengeChange(challenge(2, "1", "2")), store.ErrPairTaken)
			f.refuses(t, challengeChange(challenge(2, "2", "1")), store.ErrPairTaken)
			f.putChallenge(t, challenge(3, "1", "02"))
			f.putChallenge(t, challenge(4, "1", ""))
			f.refuses(t, challengeChange(challenge(5, "1", "")), store.ErrPairTaken)
			f.putChallenge(t, challenge(6, "2", ""))
			f.putChallenge(t, with(challenge(7, "2", "1"), func(c *store.Challenge) { c.Guild = "other" }))
			f.putChallenge(t, with(challenge(8, "2", "1"), func(c *store.Challenge) { c.State = store.Declined }))
			f.putChallenge(t, with(first, func(c *store.Challenge) { c.State = store.Cancelled }))
			f.wantChallenge(t, f.putChallenge(t, challenge(2, "2", "1")))
		},
	},
	{
		"PairChanged", "an open table is not taken by somebody who has an open challenge with its owner, unless the change closes one of them",
		func(t *testing.T, f *fixture) {
			between := f.putChallenge(t, challenge(1, "1", "2"))
			table := f.putChallenge(t, challenge(2, "1", ""))
			taken := with(table, func(c *store.Challenge) { c.Opponent = "2" })
			f.refuses(t, challengeChange(taken), store.ErrPairTaken)
			f.wantChallenge(t, table)
			accepted := with(taken, func(c *store.Challenge) { c.State, c.Match = store.Accepted, 9 })
			f.wantChallenge(t, f.putChallenge(t, accepted))
			f.refuses(t, challengeChange(with(storedChallenge(accepted), func(c *store.Challenge) {
				c.State, c.Match = store.Open, 0
			})), store.ErrPairTaken)
			f.wantChallenge(t, between)
		},
	},
}

var challengeCases = []testCase{
	{
		"OpenChallenge", "the open challenge of a pair is found from both sides, and an open table by its owner",
		func(t *testing.T, f *fixture) {
			guild := challenge(1, "1", "2").Guild
			c := f.putChallenge(t, challenge(1, "2", "1"))
			table := f.putChallenge(t, challenge(2, "2", ""))
			for _, ask := range []struct {
				guild store.GuildID
				a, b  store.UserID
				want  store.ChallengeID // 0: none
			}{
				{guild, "1", "2", c.ID},
				{guild, "2", "1", c.ID},
				{guild, "2", "", table.ID},
				{guild, "", "2", table.ID},
				{guild, "1", "", 0},
				{guild, "1", "3", 0},
				{"", "1", "2", 0},
				{guild, "", "", 0},
			} {
				got, err := f.OpenChallenge(t.Context(), ask.guild, ask.a, ask.b)
				if ask.want == 0 {
					if !errors.Is(err, store.ErrNotFound) {
						t.Errorf("OpenChallenge(%q, %q, %q) = %d, %v, want %v", ask.guild, ask.a, ask.b, got.ID, err, store.ErrNotFound)
					}
					continue
				}
				if got.ID != ask.want || err != nil {
					t.Errorf("OpenChallenge(%q, %q, %q) = %d, %v, want %d", ask.guild, ask.a, ask.b, got.ID, err, ask.want)
				}
			}
			f.putChallenge(t, with(c, func(c *store.Challenge) { c.State = store.Expired }))
			if got, err := f.OpenChallenge(t.Context(), guild, "1", "2"); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("OpenChallenge after it expired = %d, %v, want %v", got.ID, err, store.ErrNotFound)
			}
		},
	},
	{
		"ClosedChallenges", "a closed challenge is still known, and one that expired can be marked as renewed",
		func(t *testing.T, f *fixture) {
			c := f.putChallenge(t, challenge(1, "1", "2"))
			for _, state := range []store.ChallengeState{store.Expired, store.Renewed} {
				c = f.putChallenge(t, with(c, func(c *store.Challenge) { c.State = state }))
				f.wantChallenge(t, c)
			}
		},
	},
}
