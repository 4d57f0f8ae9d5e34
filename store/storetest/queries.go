package storetest

import (
	"math"
	"testing"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

var queryCases = []testCase{
	{"MessageMatch", "the match that a message shows, ended ones too, of several the newest, and none for no message", func(t *testing.T, f *fixture) {
		shown := func(id store.MatchID, message store.MessageID, age time.Duration) store.Match {
			return with(matchOf(id, channelOf(int(id)), 1), func(m *store.Match) { m.Message, m.Created = message, noon.Add(-age) })
		}
		f.putEach(t, shown(1, "71", 0), ended(shown(2, "72", time.Hour)), shown(4, "72", 3*time.Hour), shown(3, "", 0))
		f.look(t)
		f.Deliver(store.Delivery{Match: 1, Message: "73", Drawn: 1}) // it was posted again
		put(t, f, shown(5, "75", 0))                                 // stores what was delivered
	}},
	{"SeatedMatches", "the user's own active public matches in the guild, whatever the seat, by id", func(t *testing.T, f *fixture) {
		in := func(id store.MatchID, channel store.ChannelID, x, o store.Player) store.Match {
			return with(match(id, channel, 1), func(m *store.Match) { m.X, m.O = x, o })
		}
		third := put(t, f, in(3, "3", bob, ada))
		f.putEach(t, in(1, "1", ada, easy), in(2, "2", easy, ada), in(4, "4", bob, easy), ended(in(5, "5", ada, easy)),
			with(in(6, "6", ada, easy), func(m *store.Match) { m.Place = 0 }),
			with(in(7, "7", ada, easy), func(m *store.Match) { m.Guild = "other" }))
		f.look(t)
		put(t, f, ended(third))
	}},
	{"PrivateMatches", "the user's own active private matches in the channel or everywhere, whatever the seat, the newest first", func(t *testing.T, f *fixture) {
		private := func(id store.MatchID, age time.Duration, x, o store.Player) store.Match {
			return with(seat(id, 0, x, o), func(m *store.Match) { m.Created = noon.Add(-age) })
		}
		f.putEach(t, private(1, 2*time.Hour, ada, easy), private(2, time.Hour, easy, ada), private(3, 3*time.Hour, ada, easy),
			private(4, 0, bob, easy), ended(private(5, 0, ada, easy)), match(6, "1", 1), match(7, "2", 0))
		wantIDs(t, "PrivateMatches", 2, 1, 3)(f.PrivateMatches(t.Context(), "1", ada.User, 9))
		wantIDs(t, "PrivateMatches, two", 2, 1)(f.PrivateMatches(t.Context(), "1", ada.User, 2))
		put(t, f, with(private(8, 90*time.Minute, bob, ada), func(m *store.Match) { m.Channel = "3" }))
		wantIDs(t, "PrivateMatches everywhere", 7, 2, 8, 1, 3)(f.PrivateMatches(t.Context(), "", ada.User, 9))
		wantIDs(t, "PrivateMatches everywhere, three", 7, 2, 8)(f.PrivateMatches(t.Context(), "", ada.User, 3))
	}},
	{"GuildMatches", "all active matches of a guild behind an id, private ones too", func(t *testing.T, f *fixture) {
		for id := store.MatchID(1); id <= 25; id++ {
			m := match(id*7919%101, channelOf(int(id)), int(id%3)*int(id)) // some of them private
			switch id % 5 {
			case 0:
				m.Guild = "other"
			case 1:
				m = ended(m)
			}
			put(t, f, m)
		}
	}},
	{"UndrawnMatches", "all matches that are known to be shown by a message, but not as they are, and were stored since then, page by page, the last ones first, ended ones too", func(t *testing.T, f *fixture) {
		behind := func(id store.MatchID, drawn int, updated time.Duration) store.Match {
			return with(matchOf(id, "1", int(id)), func(m *store.Match) { m.Message, m.Drawn, m.Updated = "50", drawn, noon.Add(updated) })
		}
		f.putEach(t, behind(5, 0, 0), behind(3, 0, time.Second), ended(behind(7, 0, 0)), behind(9, 0, 0), behind(10, 1, 0),
			behind(4, 1, 0),                 // drawn as it is
			behind(6, 0, -time.Millisecond), // too long ago
			put(t, f, behind(8, 1, 0)),      // moved on since
			with(behind(11, 0, 0), func(m *store.Match) { m.Message = "" })) // nobody knows where
		f.deliver(t, store.Delivery{Match: 9, Drawn: 1}) // drawn since
		page := func(after store.Cursor, limit int) ([]store.Match, error) {
			return f.UndrawnMatches(t.Context(), noon, after, limit)
		}
		for range 2 {
			wantIDs(t, "UndrawnMatches", 3, 8, 7, 5)(readPages(2, store.Cursor{}, store.Match.Cursor, page), nil)
			f.reopen(t)
		}
		// Shown by another message, which shows less.
		f.deliver(t, store.Delivery{Match: 10, Message: "77"}, store.Delivery{Match: 11, Message: "78"})
		wantIDs(t, "UndrawnMatches", 11, 10)(f.UndrawnMatches(t.Context(), noon, store.Cursor{Updated: noon, ID: 12}, 2))
	}},
	{"Due", "what has fallen due, the oldest deadline first: active and ended matches, open challenges; never what has no deadline", func(t *testing.T, f *fixture) {
		due := func(id store.MatchID, at time.Duration) store.Match {
			return with(matchOf(id, "1", int(id)), func(m *store.Match) { m.Deadline = at })
		}
		open := func(id store.ChallengeID, at time.Duration) store.Challenge {
			return with(challenge(id, "1", store.UserID(rune('a'+id))), func(c *store.Challenge) { c.Deadline = at })
		}
		f.putEach(t, due(1, 30), due(2, 10), ended(due(3, 20)), due(4, 31), due(5, 0),
			open(1, 25), open(2, 5), with(open(3, 1), func(c *store.Challenge) { c.State = store.Declined }), open(4, 31), open(5, 0))
		wantIDs(t, "DueMatches(30)", 2, 3, 1)(f.DueMatches(t.Context(), home, 30, 10))
		wantIDs(t, "DueMatches(29), one", 2)(f.DueMatches(t.Context(), home, 29, 1))
		wantIDs(t, "DueMatches(9)")(f.DueMatches(t.Context(), home, 9, 10))
		wantChallengeIDs(t, "DueChallenges(25)", 2, 1)(f.DueChallenges(t.Context(), home, 25, 10))
		wantChallengeIDs(t, "DueChallenges(25), one", 2)(f.DueChallenges(t.Context(), home, 25, 1))
	}},
	{"Reminders", "what is to be reminded of, in order, whatever else falls due, until it is claimed over the version that was read", func(t *testing.T, f *fixture) {
		remind := func(id store.MatchID, at, deadline time.Duration) store.Match {
			return put(t, f, with(match(id, channelOf(int(id)), 1), func(m *store.Match) { m.Remind, m.Deadline = at, deadline }))
		}
		first := remind(1, 20, 40)
		remind(2, 10, 50)
		put(t, f, with(ended(remind(3, 15, 0)), func(m *store.Match) { m.Remind = 15 }))
		remind(4, 21, 30)
		remind(5, 0, 1)
		wantIDs(t, "DueReminders(20)", 2, 3, 1)(f.DueReminders(t.Context(), home, 20, 10))
		wantIDs(t, "DueReminders(20), two", 2, 3)(f.DueReminders(t.Context(), home, 20, 2))
		wantIDs(t, "DueReminders(9)")(f.DueReminders(t.Context(), home, 9, 10))
		wantIDs(t, "DueReminders of another domain")(f.DueReminders(t.Context(), home+1, 20, 10))

		moved := put(t, f, with(first, func(m *store.Match) { m.Moves, m.Remind = []engine.Cell{4}, 30 }))
		f.refuses(t, changeOf(with(first, func(m *store.Match) { m.Remind = 0 })), store.ErrConflict)
		put(t, f, with(moved, func(m *store.Match) { m.Remind = 0 }))
		f.reopen(t)
		wantIDs(t, "DueReminders(100)", 2, 3, 4)(f.DueReminders(t.Context(), home, 100, 10))
	}},
	{"NextDeadlines", "the earliest deadline of matches and open challenges, or reminder, or that there is none", func(t *testing.T, f *fixture) {
		want := func(at time.Duration) {
			wantEqual(t, "NextDeadlines", uptimes(home, at))(f.NextDeadlines(t.Context()))
		}
		want(0)
		m := put(t, f, with(match(1, "1", 1), func(m *store.Match) { m.Thread = "7" }))
		want(0)
		m = put(t, f, with(m, func(m *store.Match) { m.Deadline = math.MaxInt64 }))
		want(math.MaxInt64)
		c := put(t, f, with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Deadline = 7 }))
		want(7)
		m = put(t, f, with(ended(m), func(m *store.Match) { m.Deadline = 5 }))
		want(5)
		m = put(t, f, with(m, func(m *store.Match) { m.Deadline = 0 }))
		want(7)
		m = put(t, f, with(m, func(m *store.Match) { m.Remind = 6 }))
		want(6)
		put(t, f, with(m, func(m *store.Match) { m.Remind = 0 }))
		want(7)
		put(t, f, with(c, func(c *store.Challenge) { c.State = store.Expired }))
		want(0)
	}},
	{"Challenges", "the open challenges of a guild behind an id", func(t *testing.T, f *fixture) {
		for id := store.ChallengeID(1); id <= 20; id++ {
			c := challenge(id, "1", store.UserID(rune('a'+id)))
			if id%3 == 0 {
				c.State = store.Declined
			} else if id%2 == 0 {
				c.Guild = "other"
			}
			put(t, f, c)
		}
	}},
}

// readPages reads page by page, of which the last alone is not full.
func readPages[T, Place any](limit int, after Place, place func(T) Place, page func(after Place, limit int) ([]T, error)) (all []T) {
	for {
		part := sure(page(after, limit))
		if all = append(all, part...); len(part) < limit {
			return all
		}
		after = place(all[len(all)-1])
	}
}
