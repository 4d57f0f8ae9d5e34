package bot

import (
	"context"

	"tictactoe/bot/kit"
)

// help explains the game and the commands.
func (b *Bot) help(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.kit.ViewFor(in).Help(!in.AloneWithBot())), nil
}
