package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/store"
)

var claimCases = []testCase{
	{"Purge", "Purge forgets claims made and challenges closed before the time, keeps the others and all that is open, and every match", func(t *testing.T, f *fixture) {
		const claims = 1200 // more than one step of any backend
		for i := range claims {
			if i%100 == 0 {
				put(t, f, with(challenge(store.ChallengeID(i+1), "1", "2"), func(c *store.Challenge) {
					c.State, c.Updated = store.Cancelled, noon.Add(time.Duration(i)*time.Second)
				}))
			}
			f.apply(t, store.Change{Interaction: claim(i)})
		}
		put(t, f, challenge(9000, "1", "2"))
		put(t, f, ended(match(1, "1", 1)))

		purge := func(claims, challenges time.Time, limit int, want ...int) {
			var steps []int
			purged := func() int { return sure(f.Purge(t.Context(), claims, challenges, limit)) }
			for n := purged(); n > 0 && len(steps) <= len(want); n = purged() {
				steps = append(steps, n)
			}
			wantEqual(t, "Purge, step by step", want)(steps, nil)
		}
		purge(noon.Add(500*time.Second), noon.Add(500*time.Second), 2, 2, 2, 1)
		f.refuses(t, store.Change{Interaction: claim(0)}, store.ErrClaimed) // claimed just now, not at noon
		f.look(t)
		purge(time.Now().Add(time.Hour), noon, 500, 500, 500, 200)
		purge(time.Now().Add(time.Hour), noon, 0)
		for _, i := range []int{0, claims / 2, claims - 1} {
			f.apply(t, store.Change{Interaction: claim(i)})
		}
	}},
}

func claim(i int) store.InteractionID { return store.InteractionID(fmt.Sprintf("9%06d", i)) }
