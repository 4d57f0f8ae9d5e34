package bot

import (
	"context"

	"tictactoe/bot/kit"
)

// help says how to begin, and where to ask.
func (b *Bot) help(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.kit.ViewFor(in).Help(!in.AloneWithBot(), b.support)), nil
}
