package bot

import (
	"context"
	"errors"

	"tictactoe/bot/change"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Unreachable ends the matches of a channel or guild that is gone, and of a thread of ours
// that people have locked: they count for nobody, and nobody stays in them. A thread of ours
// that was archived it opens, and reports whether it has.
func (b shown) Unreachable(ctx context.Context, gone tracker.Rendering, cause error) (again bool) {
	var err error
	switch {
	case errors.Is(cause, rest.ErrUnknownGuild) && gone.Guild != "":
		b.kit.Log.Info("guild is gone, its matches end", "guild", gone.Guild, "error", cause)
		err = b.games.GuildLost(ctx, gone.Guild)
	case rest.Gone(cause):
		if gone.Guild != "" {
			b.change.EndPosts(ctx, gone.Guild, change.NoGamesIn(gone.Channel))
		}
		err = b.games.EndIn(ctx, gone.Channel, gone.Parent, store.Unreachable)
	case gone.Parent == "": // nothing of ours: people look after it
	default:
		why := b.games.Closed(ctx, gone.Channel)
		if why == store.NotEnded {
			return errors.Is(cause, rest.ErrArchived) && b.games.Reopen(ctx, gone.Channel)
		}
		err = b.games.EndIn(ctx, gone.Channel, gone.Parent, why)
	}
	if err != nil {
		b.kit.Log.Error("matches that are out of reach not ended", "error", err)
	}
	return false
}
