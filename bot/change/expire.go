package change

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// ExpireChallenge closes a challenge that is over.
func (b *Changer) ExpireChallenge(ctx context.Context, c store.Challenge) error {
	stored, err := b.Dismiss(ctx, c, store.Expired)
	if stored {
		b.Kit.Tracker.Redraw(kit.ChallengeRef(c.ID))
	}
	return err
}

// Dismiss closes a challenge by nobody's hand, and reports whether it has: one may be closed
// already.
func (b *Changer) Dismiss(ctx context.Context, c store.Challenge, as store.ChallengeState) (bool, error) {
	closed, err := match.Dismiss(c, as)
	if err != nil {
		return false, nil //nolint:nilerr // it is closed
	}
	return b.Quietly(ctx, store.Change{Challenges: []store.Challenge{closed}})
}

// ExpireNow does so when somebody meets one before the next look. A failure is left to that.
func (b *Changer) ExpireNow(ctx context.Context, c store.Challenge) {
	if err := b.ExpireChallenge(ctx, c); err != nil {
		b.Kit.Log.Error("challenge not closed yet", "error", err)
	}
}
