package storetest

import (
	"errors"
	"fmt"
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
	{"Consent", "a block of one person stands in the way of that person alone, one of anybody only in the way of what nobody asked for, and one in a guild only there", func(t *testing.T, f *fixture) {
		ask := func(by, to store.UserID, guild store.GuildID, unasked bool) store.Consent {
			return store.Consent{By: by, To: to, Guild: guild, Unasked: unasked}
		}
		for _, c := range []struct {
			block store.Block
			ask   store.Consent
			want  error
		}{
			{store.Block{User: "2", From: "1"}, ask("1", "2", "5", false), store.ErrBlocked},
			{store.Block{User: "2", From: "1"}, ask("1", "2", "", false), store.ErrBlocked},
			{store.Block{User: "2", From: "1"}, ask("1", "2", "5", true), store.ErrBlocked},
			{store.Block{User: "2", From: "1"}, ask("2", "1", "5", true), nil},
			{store.Block{User: "2", From: "1"}, ask("3", "2", "5", true), nil},
			{store.Block{User: "2", From: "1", Guild: "5"}, ask("1", "2", "6", true), nil},
			{store.Block{User: "2"}, ask("1", "2", "5", true), store.ErrBlocked},
			{store.Block{User: "2"}, ask("1", "2", "5", false), nil},
			{store.Block{User: "2"}, ask(ghost.User, "2", "5", false), nil},
			{store.Block{User: "2", Guild: "5"}, ask("1", "2", "5", true), store.ErrBlocked},
			{store.Block{User: "2", Guild: "5"}, ask("1", "2", "6", true), nil},
		} {
			c.block.Since = noon
			f.apply(t, changeOf(c.block))
			change := with(changeOf(c.ask), func(c *store.Change) { c.Guilds = []store.GuildSettings{{Guild: "9"}} })
			wantError(t, fmt.Sprintf("%+v: Apply(%+v)", c.block, c.ask), c.want, f.Apply(t.Context(), change))
			stored := sure(f.GuildSettings(t.Context(), "9")).Version > 0
			wantEqual(t, fmt.Sprintf("%+v: whether what needs %+v is stored", c.block, c.ask), c.want == nil)(stored, nil)
			wantEqual(t, "Blocked", c.want != nil)(f.Blocked(t.Context(), c.ask))
			c.block.Lifted = true
			f.apply(t, changeOf(c.block))
			if c.want == nil {
				f.fresh(t) // the guild has settings now
			}
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
