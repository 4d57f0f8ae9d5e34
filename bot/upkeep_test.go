package bot

import (
	"context"
	"errors"
	"testing"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// until notes until when somebody waits for the version of a match.
type until struct {
	store.Store
	at time.Time
}

func (u *until) MatchVersion(ctx context.Context, _ store.MatchID) (store.Shown, error) {
	u.at, _ = ctx.Deadline()
	return store.Shown{}, errors.New("not read")
}

// TestLinkOfARefusal: a refusal that comes late has no time of its own for its link.
func TestLinkOfARefusal(t *testing.T) {
	db := &until{}
	b := newLoneBot(t, func(o *Options) { db.Store, o.Store = o.Store, db })
	in := kit.NewRequest(&dispatch.Call{Interaction: &discord.Interaction{Kind: discord.KindComponent, Received: time.Now().Add(-time.Second)}})
	app{b.Bot}.inWords(in, &kit.Refusal{Reason: match.ErrMatchOver, Match: store.Match{ID: 1, Next: 2, Place: 1, Guild: "201", Channel: "301"}})
	if most := in.Received.Add(b.kit.Times.WorkTime); db.at.IsZero() || db.at.After(most) {
		t.Errorf("its link is waited for until %v, want %v at most", db.at, most)
	}
}
