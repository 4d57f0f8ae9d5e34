package change

import (
	"context"
	"errors"

	"tictactoe/store"
)

// EndPosts notes in a guild's settings why something is posted no more. note reports whether
// it was still set as before.
func (b *Changer) EndPosts(ctx context.Context, guild store.GuildID, note func(*store.GuildSettings) bool) {
	for range ConflictTries {
		now, err := b.Store.GuildSettings(ctx, guild)
		if err == nil {
			if !note(&now) {
				return // it has been set anew
			}
			err = b.Apply(ctx, store.Change{Guilds: []store.GuildSettings{now}})
		}
		if !errors.Is(err, store.ErrConflict) {
			b.Kit.Log.Info("a channel that was set gets no posts any more", "guild", guild, "error", err)
			return
		}
	}
}
