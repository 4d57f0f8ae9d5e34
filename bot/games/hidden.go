package games

import (
	"context"
	"errors"

	"tictactoe/bot/kit"
	"tictactoe/store"
)

// ErrHidden: Discord has made a public answer private.
var ErrHidden = errors.New("bot: nobody else sees the answer")

// Hidden returns what follows a public answer that Discord has made private, because the
// guild lets its people use no applications that they have brought along. It can begin to do
// so at any time, so that each answer is looked at. It is nil where nothing has to follow: who
// plays against the program needs nobody to see it. A challenge is closed, and whoever made it
// reads why in its place, and how to play all the same.
func (b *Games) Hidden(r kit.Response) func(context.Context) {
	if r.Shows.Ref.Challenge == 0 {
		return nil
	}
	return func(ctx context.Context) {
		c, err := b.change.LoadChallenge(ctx, r.Shows.Ref.Challenge)
		if err != nil {
			return
		}
		if err := b.change.CloseChallenge(ctx, c, store.Hidden); err != nil {
			b.kit.Log.Error("challenge that nobody sees not closed", "error", err)
		}
	}
}
