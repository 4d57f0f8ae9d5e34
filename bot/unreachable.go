package bot

import (
	"context"
	"errors"
	"slices"

	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/engine"
	"tictactoe/store"
)

// Unreachable ends the matches of a channel or guild that is gone: they count for
// nobody, and nobody stays in them.
func (b shown) Unreachable(ctx context.Context, gone tracker.Rendering, cause error) {
	b.log.Info("channel or guild is gone, its matches end", "channel", gone.Channel, "guild", gone.Guild, "error", cause)
	var err error
	if errors.Is(cause, rest.ErrUnknownGuild) && gone.Guild != "" {
		err = b.guildLost(ctx, gone.Guild)
	} else {
		var matches []store.Match
		if matches, err = b.playedIn(ctx, gone.Channel, gone.Parent); err == nil {
			err = b.endUnreachable(ctx, matches)
		}
	}
	if err != nil {
		b.log.Error("matches that are out of reach not ended", "error", err)
	}
}

// guildLost ends the matches of the guild, but for those that people have brought along with
// them: their messages never were the bot's own.
func (b shown) guildLost(ctx context.Context, guild store.GuildID) error {
	var after store.MatchID
	for {
		matches, err := b.store.GuildMatches(ctx, guild, after, dueBatch)
		if err != nil || len(matches) == 0 {
			return err
		}
		after = matches[len(matches)-1].ID
		own := slices.DeleteFunc(matches, func(m store.Match) bool { return m.TokenOnly })
		if err := b.endUnreachable(ctx, own); err != nil {
			return err
		}
	}
}

func (b shown) endUnreachable(ctx context.Context, matches []store.Match) error {
	var failed error
	for _, m := range matches {
		lost := match.End(m, store.Unreachable, engine.None)
		if _, err := b.storeQuietly(ctx, store.Change{Matches: []store.Match{lost}}); err != nil {
			failed = err
		}
	}
	return failed
}
