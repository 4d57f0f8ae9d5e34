package storetest

import (
	"errors"
	"testing"
	"time"

	"tictactoe/store"
)

// crown is one that ada has won in the channel.
func crown(channel store.ChannelID) store.Crown {
	return store.Crown{Channel: channel, Guild: club, User: ada.User, Match: 1, Wins: 3, Since: noon, Last: noon.Add(time.Hour)}
}

func crownChange(c store.Crown) store.Change { return store.Change{Crowns: []store.Crown{c}} }

// forCrown is a challenge to the king of the channel.
func forCrown(id store.ChallengeID, by, king store.UserID, channel store.ChannelID) store.Challenge {
	return with(challenge(id, by, king), func(c *store.Challenge) {
		c.Crown, c.Quiet, c.Created = channel, true, noon.Add(time.Duration(id)*time.Second)
	})
}

var crownCases = []testCase{
	{"Crowns", "a channel has one crown, stored over the version that was read", func(t *testing.T, f *fixture) {
		free := store.Crown{Guild: club, Channel: "1"}
		wantEqual(t, "no crown", free)(f.Crown(t.Context(), club, "1"))
		c := crown("1")
		f.apply(t, crownChange(c))
		f.refuses(t, crownChange(c), store.ErrConflict)
		f.reopen(t)
		c.Version = 1
		wantEqual(t, "Crown", c)(f.Crown(t.Context(), club, "1"))
		free.Version = 1
		f.apply(t, crownChange(free))
		f.refuses(t, crownChange(c), store.ErrConflict)
		free.Version = 2
		wantEqual(t, "a free crown", free)(f.Crown(t.Context(), club, "1"))
		f.refuses(t, crownChange(with(crown("2"), func(c *store.Crown) { c.Version = 1 })), store.ErrNotFound)
		for what, bad := range map[string]store.Crown{
			"no channel":      {Guild: club, User: "1"},
			"no guild":        {Channel: "1", User: "1"},
			"wins of nobody":  {Channel: "1", Guild: club, Wins: 1},
			"a negative wins": {Channel: "1", Guild: club, User: "1", Wins: -1},
			"a zero byte":     {Channel: "1", Guild: club, User: "\x00"},
		} {
			f.invalid(t, what, crownChange(bad))
		}
	}},
	{"CrownErasing", "nobody is made king who is being erased", func(t *testing.T, f *fixture) {
		f.apply(t, store.Change{Erasures: []store.Erasure{erasureOf(ada.User, ghost.User)}})
		f.refuses(t, crownChange(crown("1")), store.ErrErasing)
	}},
	{"CrownErased", "a crown goes with its king, and is there to be won again", func(t *testing.T, f *fixture) {
		f.apply(t, crownChange(crown("1")))
		f.apply(t, crownChange(with(crown("2"), func(c *store.Crown) { c.User = bob.User })))
		e := erasureOf(ada.User, ghost.User)
		f.apply(t, store.Change{Erasures: []store.Erasure{e}})
		f.eraseAll(t, e, 50, func() {})
		wantEqual(t, "Crown", store.Crown{Guild: club, Channel: "1"})(f.Crown(t.Context(), club, "1"))
		if c, err := f.Crown(t.Context(), club, "2"); c.User != bob.User || err != nil {
			t.Errorf("another king's crown is %+v, %v", c, err)
		}
		f.refuses(t, crownChange(with(crown("1"), func(c *store.Crown) { c.Version = 1 })), store.ErrNotFound)
	}},
	{"ChannelResults", "results that count of somebody with other people in a channel, of eight days", func(t *testing.T, f *fixture) {
		day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
		id := store.MatchID(0)
		play := func(x, o store.Player, at time.Time, change func(*store.Match), award func(*store.Award)) store.Result {
			t.Helper()
			id++
			m := between(id, x, o)
			m.Channel = "7"
			if change != nil {
				change(&m)
			}
			f.apply(t, lastMove(f.put(t, m), at, award))
			r, err := f.Result(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		play(ada, bob, day(-8), nil, nil) // too long ago
		first := play(ada, bob, day(-7), nil, nil)
		play(ada, easy, day(-1), nil, nil)
		play(ada, bob, day(-1), func(m *store.Match) { m.Channel = "8" }, nil)
		play(ada, bob, day(-1), func(m *store.Match) { m.Place = 0 }, nil)
		play(ada, bob, day(-1), func(m *store.Match) { m.Guild = "9" }, nil)
		play(ada, bob, day(-1), nil, func(a *store.Award) { a.Why = store.TooShort })
		play(bob, store.Player{User: "3"}, day(-1), nil, nil)
		later := play(bob, ada, day(0).Add(time.Hour), nil, nil)
		second := play(ada, store.Player{User: "3"}, day(0), nil, nil)
		today := store.DayOf(noon)
		wantEqual(t, "ChannelResults", []store.Result{first, second, later})(f.ChannelResults(t.Context(), club, "7", ada.User, today))
		wantEqual(t, "of a day before", 2)(length(f.ChannelResults(t.Context(), club, "7", ada.User, today-1)))
		wantEqual(t, "of nobody", 0)(length(f.ChannelResults(t.Context(), club, "7", "", today)))
	}},
	{"OneForCrown", "the kings of a channel have at most one open challenge for its crown", func(t *testing.T, f *fixture) {
		put := func(c store.Challenge) store.Change { return store.Change{Challenges: []store.Challenge{c}} }
		_, err := f.CrownChallenge(t.Context(), "7")
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("CrownChallenge = %v, want none", err)
		}
		first := f.putChallenge(t, forCrown(1, "3", ada.User, "7"))
		f.refuses(t, put(forCrown(2, "4", ada.User, "7")), store.ErrPairTaken)
		f.refuses(t, put(forCrown(2, "4", bob.User, "7")), store.ErrPairTaken)
		f.putChallenge(t, forCrown(3, "4", ada.User, "8"))
		f.putChallenge(t, challenge(4, "5", ada.User))
		f.putChallenge(t, challenge(5, "6", ada.User))
		wantEqual(t, "CrownChallenge", first)(f.CrownChallenge(t.Context(), "7"))
		first = f.putChallenge(t, with(first, func(c *store.Challenge) { c.State = store.Declined }))
		wantEqual(t, "one that was declined", first)(f.CrownChallenge(t.Context(), "7"))
		second := f.putChallenge(t, forCrown(2, "9", ada.User, "7"))
		f.reopen(t)
		wantEqual(t, "the later one", second)(f.CrownChallenge(t.Context(), "7"))
		f.refuses(t, put(with(first, func(c *store.Challenge) { c.State = store.Open })), store.ErrPairTaken)
		f.invalid(t, "a crown that nobody wears", put(forCrown(6, "9", "", "1")))
	}},
	{"RaceForCrown", "of many who challenge a king at the same time one does", func(t *testing.T, f *fixture) {
		n := 0
		for _, err := range Race(func(i int) error {
			id := store.ChallengeID(i + 1)
			return f.Apply(t.Context(), store.Change{Challenges: []store.Challenge{forCrown(id, matchOf(store.MatchID(id), "1", 1).X.User, bob.User, "7")}})
		}) {
			switch {
			case err == nil:
				n++
			case !errors.Is(err, store.ErrPairTaken):
				t.Error(err)
			}
		}
		if n != 1 {
			t.Errorf("%d do", n)
		}
	}},
}
