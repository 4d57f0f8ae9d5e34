package service

import (
	"testing"

	"tictactoe/store"
)

// TestRoundShards: clock domains divide among as many as are opened, which are enough, and
// a multiple of what Discord asks of large bots.
func TestRoundShards(t *testing.T) {
	for recommended, want := range map[[2]int]int{
		{0, 1}: 1, {1, 1}: 1, {1, 16}: 1, {2, 1}: 2, {3, 1}: 4, {5, 16}: 8, {16, 16}: 16, {17, 1}: 32,
		{64, 16}: 64, {65, 1}: 128, {208, 16}: 256, {144, 48}: 192, {100, 48}: 128,
	} {
		if got := roundShards(recommended[0], recommended[1]); got != want || !ValidShards(got) {
			t.Errorf("%v: got %d, want %d", recommended, got, want)
		}
	}
}

// TestDomainsOfShards: a domain is served when the shards of all its servers are connected.
func TestDomainsOfShards(t *testing.T) {
	for name, c := range map[string]struct {
		count int
		away  []int
		want  store.DomainSet
	}{
		"all of one":          {1, nil, store.AllDomains},
		"none of one":         {1, []int{0}, 0},
		"one of two":          {2, []int{1}, 0x5555555555555555},
		"one of 64":           {64, []int{63}, store.AllDomains &^ (1 << 63)},
		"two of a domain":     {128, []int{3, 67}, store.AllDomains &^ (1 << 3)},
		"one of a domain":     {192, []int{130}, store.AllDomains &^ (1 << 2)},
		"that of messages":    {4, []int{0}, store.AllDomains &^ 0x1111111111111111},
		"all of a hundred 28": {128, nil, store.AllDomains},
	} {
		got := domains(c.count, func(shard int) bool {
			for _, id := range c.away {
				if id == shard {
					return false
				}
			}
			return true
		})
		if got != c.want {
			t.Errorf("%s: got %b, want %b", name, got, c.want)
		}
	}
}
