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

// lease asks for all domains, which it gets since it is alone.
func (f *fixture) lease(t tester, u store.Uptimes) {
	l, err := f.Lease(t.Context(), everything, u)
	if l.Owned != store.AllDomains || l.Elsewhere != 0 || err != nil {
		fail(t, "Lease = %+v, %v, want all domains", l, err)
	}
}

var uptimeCases = []testCase{
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
