package change

import (
	"context"
	"errors"

	"tictactoe/store"
)

// NoGamesIn notes in the settings of a guild that the channel is gone to which it has moved its
// games: else there would be no place for any.
func NoGamesIn(channel store.ChannelID) func(*store.GuildSettings) bool {
	return func(now *store.GuildSettings) (set bool) {
		if set = now.Games == channel; set {
			now.Games = ""
		}
		return set
	}
}

// EndPosts notes in a guild's settings why something is posted no more. note reports whether
// it was still set as before.
func (b *Changer) EndPosts(ctx context.Context, guild store.GuildID, note func(*store.GuildSettings) bool) {
	for n := 1; ; n++ {
		now, err := b.Store.GuildSettings(ctx, guild)
		if err == nil {
			if !note(&now) {
				return // it has been set anew
			}
			err = b.Apply(ctx, store.Change{Guilds: []store.GuildSettings{now}})
		}
		switch {
		case err == nil:
			b.Kit.Log.Info("a channel that was set gets no posts any more", "guild", guild)
			return
		case n == ConflictTries, !errors.Is(err, store.ErrConflict):
			b.Kit.Log.Info("a channel that gets no posts any more stays set", "guild", guild, "error", err)
			return
		}
	}
}
