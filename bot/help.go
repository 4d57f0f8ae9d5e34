package bot

import "context"

// help explains the game and the commands.
func (b *Bot) help(_ context.Context, in *request) (response, error) {
	return reply(b.kit.viewFor(in).Help(!in.AloneWithBot())), nil
}
