package games

import (
	"context"
	"errors"

	"tictactoe/bot/kit"
	"tictactoe/store"
)

// ErrHidden: Discord has made a public answer private.
var ErrHidden = errors.New("bot: nobody else sees the answer")

// hiddenTries bounds how often a challenge that nobody can see is closed over a newer version.
const hiddenTries = 3

// Hidden returns what follows a public answer that Discord has made private, because the
// guild lets its people use no applications that they have brought along. It can begin to do
// so at any time, so that each answer is looked at. It is nil where nothing has to follow: who
// plays against the program needs nobody to see it.
func (b *Games) Hidden(r kit.Response) func(context.Context) {
	if r.Shows.Challenge == 0 {
		return nil
	}
	return func(ctx context.Context) { challenges{b}.withdrawHidden(ctx, r.Shows.Challenge) }
}

// withdrawHidden closes a challenge that nobody sees but whoever made it, who reads why, and
// how to play all the same, in its place.
func (b challenges) withdrawHidden(ctx context.Context, id store.ChallengeID) {
	for range hiddenTries {
		c, err := b.change.LoadChallenge(ctx, id)
		if err != nil || c.State != store.Open {
			return
		}
		stored, err := b.change.Dismiss(ctx, c, store.Hidden)
		if err != nil {
			b.kit.Log.Error("challenge that nobody sees not closed", "error", err)
			return
		}
		if stored {
			b.kit.Tracker.Redraw(kit.ChallengeRef(id))
			return
		}
	}
}
