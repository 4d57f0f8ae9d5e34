package storetest

import (
	"math"
	"slices"
	"testing"
	"time"

	"tictactoe/store"
)

var queryCases = []testCase{
	{
		"ActiveMatches", "the matches that take the channel's places, by place, and no others",
		func(t *testing.T, f *fixture) {
			f.put(t, match(1, "1", 3))
			f.put(t, match(2, "1", 1))
			f.put(t, match(3, "1", 2))
			f.put(t, match(4, "1", 0))
			f.put(t, match(5, "2", 1))
			f.put(t, ended(match(6, "1", 4)))
			got, err := f.ActiveMatches(t.Context(), "1")
			wantIDs(t, "ActiveMatches", got, err, 2, 3, 1)
			got, err = f.ActiveMatches(t.Context(), "3")
			wantIDs(t, "ActiveMatches of an empty channel", got, err)
		},
	},
	{
		"PrivateMatches", "the user's own active private matches in the channel, whatever the seat, the newest first",
		func(t *testing.T, f *fixture) {
			private := func(id store.MatchID, age time.Duration, x, o store.Player) store.Match {
				m := match(id, "1", 0)
				m.X, m.O, m.Created = x, o, noon.Add(-age)
				return m
			}
			f.put(t, private(1, 2*time.Hour, ada, easy))
			f.put(t, private(2, time.Hour, easy, ada))
			f.put(t, private(3, 3*time.Hour, ada, easy))
			f.put(t, private(4, 0, bob, easy))
			f.put(t, ended(private(5, 0, ada, easy)))
			f.put(t, match(6, "1", 1))
			f.put(t, match(7, "2", 0))
			got, err := f.PrivateMatches(t.Context(), "1", ada.User)
			wantIDs(t, "PrivateMatches", got, err, 2, 1, 3)
			got, err = f.PrivateMatches(t.Context(), "1", "")
			wantIDs(t, "PrivateMatches of nobody", got, err)
		},
	},
	{
		"GuildMatches", "all active matches of a guild, page by page, private ones too",
		func(t *testing.T, f *fixture) {
			var want []store.MatchID
			for id := store.MatchID(1); id <= 25; id++ {
				m := match(id*7919%101, "1", int(id%3)*int(id)) // some of them private
				m.Channel = channelOf(int(id))
				switch id % 5 {
				case 0:
					m.Guild = "other"
				case 1:
					m = ended(m)
				default:
					want = append(want, m.ID)
				}
				f.put(t, m)
			}
			slices.Sort(want)
			wantPages(t, "GuildMatches", 4, want, func(after store.MatchID, limit int) ([]store.Match, error) {
				return f.GuildMatches(t.Context(), match(1, "1", 1).Guild, after, limit)
			})
		},
	},
	{
		"ClockedMatches", "all active matches between people that have a clock, page by page",
		func(t *testing.T, f *fixture) {
			clocked := func(id store.MatchID) store.Match {
				m := match(id, "1", int(id))
				m.O, m.Clock = bob, time.Minute
				return m
			}
			f.put(t, clocked(5))
			f.put(t, clocked(3))
			f.put(t, clocked(4))
			f.put(t, with(clocked(6), func(m *store.Match) { m.Clock = 0 }))
			f.put(t, with(clocked(7), func(m *store.Match) { m.O = easy }))
			f.put(t, with(clocked(8), func(m *store.Match) { m.X, m.O = easy, ada }))
			f.put(t, ended(clocked(9)))
			wantPages(t, "ClockedMatches", 2, []store.MatchID{3, 4, 5}, func(after store.MatchID, limit int) ([]store.Match, error) {
				return f.ClockedMatches(t.Context(), after, limit)
			})
		},
	},
	{
		"UndrawnMatches", "all matches that are not known to be shown as they are and were stored since then, page by page, ended ones too",
		func(t *testing.T, f *fixture) {
			behind := func(id store.MatchID, drawn int, updated time.Duration) store.Match {
				m := match(id, "1", int(id))
				m.Drawn, m.Updated = drawn, noon.Add(updated)
				return m
			}
			f.put(t, behind(5, 0, 0))
			f.put(t, behind(3, 0, time.Second))
			f.put(t, behind(4, 1, 0))                 // drawn as it is
			f.put(t, behind(6, 0, -time.Millisecond)) // too long ago
			f.put(t, ended(behind(7, 0, 0)))
			f.put(t, f.put(t, behind(8, 1, 0))) // moved on since
			f.put(t, behind(9, 0, 0))
			f.put(t, behind(10, 1, 0))
			f.Note(store.Note{Match: 9, Drawn: 1}) // drawn since
			for range 2 {
				wantPages(t, "UndrawnMatches", 2, []store.MatchID{3, 5, 7, 8}, func(after store.MatchID, limit int) ([]store.Match, error) {
					return f.UndrawnMatches(t.Context(), after, limit, noon)
				})
				f.reopen(t)
			}
			// Shown by another message, which shows less.
			f.Note(store.Note{Match: 10, Message: "77"})
			got, err := f.UndrawnMatches(t.Context(), 9, 5, noon)
			wantIDs(t, "UndrawnMatches", got, err, 10)
		},
	},
	{
		"Due", "what has fallen due, the oldest deadline first: active and ended matches, open challenges; never what has no deadline",
		func(t *testing.T, f *fixture) {
			due := func(id store.MatchID, at time.Duration) store.Match {
				return with(match(id, "1", int(id)), func(m *store.Match) { m.Deadline = at })
			}
			f.put(t, due(1, 30))
			f.put(t, due(2, 10))
			f.put(t, ended(due(3, 20)))
			f.put(t, due(4, 31))
			f.put(t, due(5, 0))
			open := func(id store.ChallengeID, at time.Duration) store.Challenge {
				return with(challenge(id, "1", store.UserID(rune('a'+id))), func(c *store.Challenge) { c.Deadline = at })
			}
			f.putChallenge(t, open(1, 25))
			f.putChallenge(t, open(2, 5))
			f.putChallenge(t, with(open(3, 1), func(c *store.Challenge) { c.State = store.Declined }))
			f.putChallenge(t, open(4, 31))
			f.putChallenge(t, open(5, 0))

			matches, err := f.DueMatches(t.Context(), 30, 10)
			wantIDs(t, "DueMatches(30)", matches, err, 2, 3, 1)
			matches, err = f.DueMatches(t.Context(), 29, 1)
			wantIDs(t, "DueMatches(29), one", matches, err, 2)
			matches, err = f.DueMatches(t.Context(), 9, 10)
			wantIDs(t, "DueMatches(9)", matches, err)
			challenges, err := f.DueChallenges(t.Context(), 25, 10)
			wantChallengeIDs(t, "DueChallenges(25)", challenges, err, 2, 1)
			challenges, err = f.DueChallenges(t.Context(), 25, 1)
			wantChallengeIDs(t, "DueChallenges(25), one", challenges, err, 2)
		},
	},
	{
		"NextDeadline", "the earliest deadline of matches and open challenges, or that there is none",
		func(t *testing.T, f *fixture) {
			want := func(at time.Duration, ok bool) {
				t.Helper()
				gotAt, gotOK, err := f.NextDeadline(t.Context())
				if gotAt != at || gotOK != ok || err != nil {
					t.Errorf("NextDeadline() = %v, %v, %v, want %v, %v", gotAt, gotOK, err, at, ok)
				}
			}
			want(0, false)
			m := f.put(t, match(1, "1", 1))
			want(0, false)
			m = f.put(t, with(m, func(m *store.Match) { m.Deadline = math.MaxInt64 }))
			want(math.MaxInt64, true)
			c := f.putChallenge(t, with(challenge(1, "1", "2"), func(c *store.Challenge) { c.Deadline = 7 }))
			want(7, true)
			m = f.put(t, with(ended(m), func(m *store.Match) { m.Deadline = 5 }))
			want(5, true)
			f.put(t, with(m, func(m *store.Match) { m.Deadline = 0 }))
			want(7, true)
			f.putChallenge(t, with(c, func(c *store.Challenge) { c.State = store.Expired }))
			want(0, false)
		},
	},
	{
		"Challenges", "all open challenges, page by page, and those of one guild",
		func(t *testing.T, f *fixture) {
			var all, guild []store.ChallengeID
			for id := store.ChallengeID(1); id <= 20; id++ {
				c := challenge(id, "1", store.UserID(rune('a'+id)))
				if id%3 == 0 {
					c.State = store.Declined
				} else {
					all = append(all, id)
					if id%2 == 0 {
						c.Guild = "other"
						guild = append(guild, id)
					}
				}
				f.putChallenge(t, c)
			}
			wantPages(t, "OpenChallenges", 3, all, func(after store.ChallengeID, limit int) ([]store.ChallengeID, error) {
				page, err := f.OpenChallenges(t.Context(), after, limit)
				return challengeIDs(page), err
			})
			wantPages(t, "GuildChallenges", 3, guild, func(after store.ChallengeID, limit int) ([]store.ChallengeID, error) {
				page, err := f.GuildChallenges(t.Context(), "other", after, limit)
				return challengeIDs(page), err
			})
		},
	},
	{
		"Limit", "at most limit records are returned, and none for a limit below 1",
		func(t *testing.T, f *fixture) {
			for id := store.MatchID(1); id <= 3; id++ {
				f.put(t, with(match(id, "1", int(id)), func(m *store.Match) { m.O, m.Clock, m.Deadline = bob, 1, 1 }))
				f.putChallenge(t, with(challenge(store.ChallengeID(id), "1", store.UserID(rune('a'+id))),
					func(c *store.Challenge) { c.Deadline = 1 }))
			}
			guild := match(1, "1", 1).Guild
			for limit, want := range map[int]int{math.MinInt: 0, -1: 0, 0: 0, 1: 1, 2: 2, 4: 3, math.MaxInt: 3} {
				a, errA := f.GuildMatches(t.Context(), guild, 0, limit)
				b, errB := f.DueMatches(t.Context(), 1, limit)
				c, errC := f.UndrawnMatches(t.Context(), 0, limit, noon)
				d, errD := f.ClockedMatches(t.Context(), 0, limit)
				e, errE := f.OpenChallenges(t.Context(), 0, limit)
				g, errG := f.GuildChallenges(t.Context(), guild, 0, limit)
				h, errH := f.DueChallenges(t.Context(), 1, limit)
				for what, got := range map[string]int{
					"GuildMatches": len(a), "DueMatches": len(b), "UndrawnMatches": len(c), "ClockedMatches": len(d),
					"OpenChallenges": len(e), "GuildChallenges": len(g), "DueChallenges": len(h),
				} {
					if got != want {
						t.Errorf("%s with limit %d returned %d, want %d", what, limit, got, want)
					}
				}
				for _, err := range []error{errA, errB, errC, errD, errE, errG, errH} {
					if err != nil {
						t.Errorf("limit %d: %v", limit, err)
					}
				}
			}
		},
	},
	{
		"Stats", "the counts are those of active matches and open challenges",
		func(t *testing.T, f *fixture) {
			f.put(t, match(1, "1", 1))
			f.put(t, match(2, "1", 0))
			f.put(t, ended(match(3, "1", 2)))
			f.putChallenge(t, challenge(1, "1", "2"))
			f.putChallenge(t, with(challenge(2, "1", "2"), func(c *store.Challenge) { c.State = store.Declined }))
			got, err := f.Stats(t.Context())
			if got.ActiveMatches != 2 || got.OpenChallenges != 1 || err != nil {
				t.Errorf("Stats() = %+v, %v, want 2 active matches and 1 open challenge", got, err)
			}
		},
	},
}

// wantPages reads page by page and wants these ids in all, each page full but the
// last.
func wantPages[T any, ID store.MatchID | store.ChallengeID](t *testing.T, what string, limit int, want []ID,
	page func(after ID, limit int) ([]T, error),
) {
	t.Helper()
	idOf := func(v any) ID {
		switch v := v.(type) {
		case store.Match:
			return ID(v.ID)
		case store.ChallengeID:
			return ID(v)
		default:
			t.Fatalf("no id in a %T", v)
			return 0
		}
	}
	var got []ID
	after := ID(0)
	for {
		part, err := page(after, limit)
		if err != nil {
			t.Fatalf("%s after %d: %v", what, after, err)
		}
		if len(part) == 0 {
			break
		}
		if len(part) > limit {
			t.Fatalf("%s after %d returned %d records, limit is %d", what, after, len(part), limit)
		}
		for _, v := range part {
			got = append(got, idOf(v))
		}
		after = got[len(got)-1]
	}
	wantEqual(t, what, got, want, nil)
}
