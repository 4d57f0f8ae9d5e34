package storetest

import (
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

// lease asks for all domains, which it gets since it is alone, and returns their up-times.
func (f *fixture) lease(t tester, u store.Uptimes) store.Uptimes {
	l, err := f.Lease(t.Context(), everything, u)
	if l.Owned != store.AllDomains || l.Elsewhere != 0 || err != nil {
		fail(t, "Lease = %+v, %v, want all domains", l, err)
	}
	return l.Uptimes
}

var uptimeCases = []testCase{
	{"Uptime", "a store that is alone owns every domain; the up-time of a domain, saved with the leases, only grows: a value that is not greater changes nothing, and the domains do not touch each other", func(t *testing.T, f *fixture) {
		var want store.Uptimes
		wantEqual(t, "Uptime of a new store", want)(f.Uptime(t.Context()))
		wantEqual(t, "up-times with the first leases", want)(f.lease(t, want), nil)
		for _, step := range []struct {
			d    store.Domain
			save time.Duration
		}{{0, 5}, {63, 7}, {0, 3}, {0, -1}, {0, 0}, {0, 6}, {0, 6}, {17, 1<<62 + 1}, {17, 7}, {63, 8}} {
			want[step.d] = max(want[step.d], step.save)
			wantEqual(t, "up-times with leases", want)(f.lease(t, uptimes(step.d, step.save)), nil)
			wantEqual(t, "Uptime", want)(f.Uptime(t.Context()))
		}
		want[5], want[63] = 50, 9 // two at once, and it gives back what it has
		l, err := f.Lease(t.Context(), store.Wanted{}, want)
		wantEqual(t, "up-times after giving back", want)(l.Uptimes, err)
		if l.Length > 0 && l.Owned != 0 {
			t.Errorf("after giving back it owns %b", l.Owned)
		}
		f.reopen(t)
		wantEqual(t, "Uptime of the reopened store", want)(f.Uptime(t.Context()))
		wantEqual(t, "up-times with leases of the reopened store", want)(f.lease(t, store.Uptimes{}), nil)
	}},
	{"Domains", "what is due, and the next deadline, are told for each domain", func(t *testing.T, f *fixture) {
		for d := range store.Domain(store.Domains) {
			id := int64(d) + 1
			m := match(store.MatchID(id), channelOf(int(d)), 1)
			c := challenge(store.ChallengeID(id), "1", store.UserID(rune('a'+id)))
			m.Guild, c.Guild = in(d), in(d)
			m.Deadline, c.Deadline = time.Duration(200+d), time.Duration(100-d)
			f.putEach(t, m, c, with(c, func(c *store.Challenge) { c.ID, c.Opponent, c.Deadline = c.ID+store.Domains, "", 300 }))
		}
	}},
	{"Check", "Check succeeds while the store can be written, and changes nothing, no more than a change of nothing does", func(t *testing.T, f *fixture) {
		put(t, f, match(1, "1", 1))
		for range 3 {
			f.flush(t)
			f.apply(t, store.Change{})
		}
		select {
		case <-f.Failed():
			t.Errorf("the store has failed: %v", f.Err())
		default:
		}
		must(t, f.Err())
	}},
}
