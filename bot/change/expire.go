package change

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// CloseChallenge closes a challenge by nobody's hand, and shows that.
func (b *Changer) CloseChallenge(ctx context.Context, c store.Challenge, as store.ChallengeState) error {
	stored, err := b.Dismiss(ctx, c, as)
	if stored {
		b.Kit.Tracker.Redraw(kit.ChallengeRef(c.ID))
	}
	return err
}

// Dismiss closes it where nobody is shown anything, and reports whether it has: one may be closed
// already.
func (b *Changer) Dismiss(ctx context.Context, c store.Challenge, as store.ChallengeState) (bool, error) {
	closed, err := match.Dismiss(c, as)
	if err != nil {
		return false, nil //nolint:nilerr // it is closed
	}
	return b.Quietly(ctx, store.Change{Challenges: []store.Challenge{closed}})
}

// ExpireNow closes one that is over when somebody meets it before the next look. A failure is left
// to that.
func (b *Changer) ExpireNow(ctx context.Context, c store.Challenge) {
	if err := b.CloseChallenge(ctx, c, store.Expired); err != nil {
		b.Kit.Log.Error("challenge not closed yet", "error", err)
	}
}
