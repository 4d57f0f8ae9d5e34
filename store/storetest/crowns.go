package storetest

import (
	"testing"
	"time"

	"tictactoe/store"
)

// forCrown is a challenge to the king of the channel.
func forCrown(id store.ChallengeID, by, king store.UserID, channel store.ChannelID) store.Challenge {
	return with(challenge(id, by, king), func(c *store.Challenge) {
		c.Crown, c.Quiet, c.Created = channel, true, noon.Add(time.Duration(id)*time.Second)
	})
}

var crownCases = []testCase{
	{"Crowns", "a channel has one crown, stored over the version that was read", func(t *testing.T, f *fixture) {
		keeps(t, f, store.Crown{Guild: club, Channel: "1"},
			func(c *store.Crown, i int) { c.Wins = i },
			func(c *store.Crown) { c.User, c.Match, c.Since, c.Last = ada.User, 1, noon, noon.Add(time.Hour) },
			func(c *store.Crown) { c.User, c.Match = bob.User, 2 },
			func(c *store.Crown) { *c = store.Crown{Guild: club, Channel: "1", Version: c.Version} })
	}},
	{"ChannelResults", "results that count of somebody with other people in a channel, of eight days", func(t *testing.T, f *fixture) {
		day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
		id := store.MatchID(0)
		here := func(x, o store.Player) store.Match {
			id++
			return with(between(id, x, o), func(m *store.Match) { m.Channel = "7" })
		}
		f.end(t, here(ada, bob), day(-8), nil) // too long ago
		first := f.end(t, here(ada, bob), day(-7), nil)
		f.end(t, here(ada, easy), day(-1), nil)
		f.end(t, with(here(ada, bob), func(m *store.Match) { m.Channel = "8" }), day(-1), nil)
		f.end(t, with(here(ada, bob), func(m *store.Match) { m.Place = 0 }), day(-1), nil)
		f.end(t, with(here(ada, bob), func(m *store.Match) { m.Guild = "9" }), day(-1), nil)
		f.end(t, here(ada, bob), day(-1), func(a *store.Award) { a.Why = store.TooShort })
		f.end(t, here(bob, eva), day(-1), nil)
		later := f.end(t, here(bob, ada), day(0).Add(time.Hour), nil)
		second := f.end(t, here(ada, eva), day(0), nil)
		wantEqual(t, "ChannelResults", []store.Result{first, second, later})(f.ChannelResults(t.Context(), club, "7", ada.User, store.DayOf(noon)))
	}},
	oneOf("RaceForCrown", "of many who challenge a king at the same time one does", store.ErrPairTaken, func(i int) store.Change {
		return changeOf(forCrown(store.ChallengeID(i+1), matchOf(store.MatchID(i+1), "1", 1).X.User, bob.User, "7"))
	}),
}
