package change

import (
	"context"

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
	ended := false // else it has been set anew
	err := again(func() error {
		now, err := b.Store.GuildSettings(ctx, guild)
		if ended = err == nil && note(&now); !ended {
			return err
		}
		return b.Apply(ctx, store.Change{Guilds: []store.GuildSettings{now}})
	})
	if err != nil {
		b.Kit.Log.Info("a channel that gets no posts any more stays set", "guild", guild, "error", err)
	} else if ended {
		b.Kit.Log.Info("a channel that was set gets no posts any more", "guild", guild)
	}
}
