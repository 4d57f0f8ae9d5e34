package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/store"
)

var consentCases = []testCase{
	{"Blocks", "a block is kept over a reopening as it was first made, until it is lifted; both may be said again", func(t *testing.T, f *fixture) {
		bob := store.Block{User: "2", From: "1", Since: noon.Add(time.Minute)}
		all := []store.Block{{User: "2", Guild: "5", Since: noon}, bob, {User: "2", From: "1", Guild: "5", Since: noon}}
		for range 2 {
			f.apply(t, store.Change{Blocks: all})
			all[0].Since = noon.Add(time.Hour) // the first time stays
		}
		all[0].Since = noon
		f.reopen(t)
		wantEqual(t, "Blocks", all)(f.Blocks(t.Context(), "2"))
		for range 2 {
			f.apply(t, changeOf(with(bob, func(b *store.Block) { b.Lifted = true })))
		}
	}},
	{"Declined", "the last time that somebody declined a challenge of somebody else is known, whoever was asked otherwise", func(t *testing.T, f *fixture) {
		wantEqual(t, "Declined without any", time.Time{})(f.Declined(t.Context(), "1", "2", noon.Add(time.Hour)))
		for i, c := range []store.Challenge{challenge(1, "1", "2"), challenge(2, "1", "2"), challenge(3, "2", "1"), challenge(4, "1", "2")} {
			c = put(t, f, c)
			c.State, c.Updated = store.Declined, noon.Add(time.Duration(i)*time.Minute)
			if c.ID == 4 {
				c.State = store.Cancelled
			}
			put(t, f, c)
		}
		wantEqual(t, "Declined", noon.Add(time.Minute))(f.Declined(t.Context(), "1", "2", noon.Add(time.Hour)))
		wantEqual(t, "Declined the other way", noon.Add(2*time.Minute))(f.Declined(t.Context(), "2", "1", noon.Add(time.Hour)))
		wantEqual(t, "Declined up to just before the last time", noon)(f.Declined(t.Context(), "1", "2", noon.Add(time.Minute-time.Millisecond)))
		wantEqual(t, "Declined up to before the first", time.Time{})(f.Declined(t.Context(), "1", "2", noon.Add(-time.Millisecond)))
	}},
	{"RaceConsent", "of those who need consent while it is withdrawn, none is stored that began after the block was", func(t *testing.T, f *fixture) {
		f.apart()
		var wait sync.WaitGroup
		var blocked atomic.Bool
		for i := range 8 {
			wait.Go(func() {
				for n := range 20 {
					after := blocked.Load()
					c := changeOf(store.Consent{By: "1", To: "2"})
					c.Challenges = []store.Challenge{challenge(store.ChallengeID(100*i+n+1), store.UserID(rune('a'+i)), store.UserID(rune('A'+n)))}
					switch err := f.Apply(t.Context(), c); {
					case errors.Is(err, store.ErrBlocked):
					case err != nil, after:
						t.Errorf("Apply = %v, behind the block %v", err, after)
					}
				}
			})
		}
		f.refuses(t, changeOf(store.Block{User: "2", From: "1", Since: noon}), nil)
		blocked.Store(true)
		wait.Wait()
	}},
}
