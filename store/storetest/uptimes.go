package storetest

import (
	"math"
	"strconv"
	"testing"
	"time"

	"tictactoe/store"
)

// in returns the guild's id that has the clock domain.
func in(d store.Domain) store.GuildID {
	return store.GuildID(strconv.FormatUint((1000*store.Domains+uint64(d))<<22+12345, 10))
}

// uptimes returns the up-times with one of them set.
func uptimes(d store.Domain, at time.Duration) (u store.Uptimes) {
	u[d] = at
	return u
}

// everything is what a process wants that has no shards: its share of all domains.
var everything = store.Wanted{Domains: store.AllDomains, Shared: true}

var uptimeCases = []testCase{
	{"Uptime", "the up-time of a domain only grows: a value that is not greater changes nothing, and the domains do not touch each other", func(t *testing.T, f *fixture) {
		var want store.Uptimes
		wantEqual(t, "Uptime of a new store", want)(f.Uptime(t.Context()))
		own(t, f, store.Domains)
		for _, step := range []struct {
			d    store.Domain
			save time.Duration
		}{{0, 5}, {63, 7}, {0, 3}, {0, -1}, {0, 0}, {0, 6}, {0, 6}, {17, 1<<62 + 1}, {17, 7}, {63, 8}} {
			want[step.d] = max(want[step.d], step.save)
			wantEqual(t, "up-times with leases", want)(lease(t, f, everything, uptimes(step.d, step.save)).Uptimes, nil)
			wantEqual(t, "Uptime", want)(f.Uptime(t.Context()))
		}
		f.reopen(t)
		wantEqual(t, "Uptime of the reopened store", want)(f.Uptime(t.Context()))
	}},
	{"OneDomain", "matches, challenges and guilds of one change belong to one domain", func(t *testing.T, f *fixture) {
		m, c := match(1, "1", 1), challenge(1, "1", "2")
		m.Guild, c.Guild = in(1), in(2)
		f.refuses(t, store.Change{Matches: []store.Match{m}, Challenges: []store.Challenge{c}}, store.ErrInvalid)
		f.refuses(t, store.Change{Matches: []store.Match{m}, Guilds: []store.GuildSettings{{Guild: in(3)}}}, store.ErrInvalid)
		c.Guild = in(1) + "0"
		if c.Guild.Domain() == 1 {
			t.Fatal("an id ten times as large has the same domain: choose another")
		}
		f.refuses(t, store.Change{Matches: []store.Match{m}, Challenges: []store.Challenge{c}}, store.ErrInvalid)
		f.wantNoMatch(t, 1)
	}},
	{"Domains", "what is due, and the next deadline, are told for each domain", func(t *testing.T, f *fixture) {
		for d := range store.Domain(store.Domains) {
			id := int64(d) + 1
			m := match(store.MatchID(id), channelOf(int(d)), 1)
			c := challenge(store.ChallengeID(id), "1", store.UserID(rune('a'+id)))
			m.Guild, c.Guild = in(d), in(d)
			m.Deadline, c.Deadline = time.Duration(100+d), time.Duration(200-d)
			f.put(t, m)
			f.putChallenge(t, c)
		}
		next, err := f.NextDeadlines(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for d := range store.Domain(store.Domains) {
			at := time.Duration(min(100+int(d), 200-int(d)))
			if next[d] != at {
				t.Errorf("domain %d: next deadline %d, want %d", d, next[d], at)
			}
			wantIDs(t, "DueMatches", store.MatchID(d)+1)(f.DueMatches(t.Context(), d, time.Duration(100+d), 10))
			wantIDs(t, "DueMatches too early")(f.DueMatches(t.Context(), d, time.Duration(100+d)-1, 10))
			wantChallengeIDs(t, "DueChallenges", store.ChallengeID(d)+1)(f.DueChallenges(t.Context(), d, math.MaxInt64, 10))
		}
	}},
	{"Check", "Check succeeds while the store can be written, and changes nothing", func(t *testing.T, f *fixture) {
		m := f.put(t, match(1, "1", 1))
		for range 3 {
			if err := f.Check(t.Context()); err != nil {
				t.Errorf("Check() = %v", err)
			}
		}
		f.wantMatch(t, m)
		select {
		case <-f.Failed():
			t.Errorf("the store has failed: %v", f.Err())
		default:
		}
		if err := f.Err(); err != nil {
			t.Errorf("Err() = %v", err)
		}
	}},
}
