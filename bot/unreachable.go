package bot

import (
	"context"
	"errors"
	"slices"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/engine"
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
		err = b.games.guildLost(ctx, gone.Guild)
	case rest.Gone(cause):
		err = b.games.endIn(ctx, gone.Channel, gone.Parent, store.Unreachable)
	case gone.Parent == "": // nothing of ours: people look after it
	default:
		why := b.games.closed(ctx, gone.Channel)
		if why == store.NotEnded {
			return errors.Is(cause, rest.ErrArchived) && b.games.reopen(ctx, gone.Channel)
		}
		err = b.games.endIn(ctx, gone.Channel, gone.Parent, why)
	}
	if err != nil {
		b.kit.Log.Error("matches that are out of reach not ended", "error", err)
	}
	return false
}

// guildLost ends the matches of the guild, but for those that people have brought along with
// them: their messages never were the bot's own.
func (b *games) guildLost(ctx context.Context, guild store.GuildID) error {
	var after store.MatchID
	for {
		matches, err := b.store.GuildMatches(ctx, guild, after, kit.Batch)
		if err != nil || len(matches) == 0 {
			return err
		}
		after = matches[len(matches)-1].ID
		own := slices.DeleteFunc(matches, func(m store.Match) bool { return m.TokenOnly })
		if err := b.endMatches(ctx, own, store.Unreachable); err != nil {
			return err
		}
	}
}

// endIn ends the matches of a channel, or of a thread whose channel is the parent.
func (b *games) endIn(ctx context.Context, channel, parent store.ChannelID, why store.EndReason) error {
	matches, err := b.playedIn(ctx, channel, parent)
	if err != nil || len(matches) == 0 {
		return err
	}
	b.kit.Log.Info("matches end with their channel", "channel", channel, "locked", why == store.ThreadLocked)
	return b.endMatches(ctx, matches, why)
}

func (b *games) endMatches(ctx context.Context, matches []store.Match, why store.EndReason) error {
	var failed error
	for _, m := range matches {
		stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{match.End(m, why, engine.None)}})
		if err != nil {
			failed = err
		}
		if stored && why != store.Unreachable {
			b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
	}
	return failed
}

const (
	// threadTime bounds a look at a thread, for which somebody may wait.
	threadTime = time.Second
	// reopenEvery is how often a thread is opened at most: who archives it again means it.
	reopenEvery = time.Hour
	reopenMost  = 10_000
)

// closed returns why the matches in a thread cannot go on, [store.NotEnded] where they can or
// nobody knows. Nothing else tells: events about threads come with all those about channels,
// and the bot asks for none.
func (b *games) closed(ctx context.Context, thread store.ChannelID) store.EndReason {
	ctx, cancel := context.WithTimeout(ctx, threadTime)
	defer cancel()
	found, err := b.api.Channel(ctx, string(thread))
	switch {
	case rest.Gone(err):
		return store.Unreachable
	case err != nil:
		b.kit.Log.Info("thread not looked at", "error", err)
		return store.NotEnded
	case found.Thread.Locked:
		return store.ThreadLocked
	default:
		return store.NotEnded
	}
}

// reopen opens an archived thread, once in reopenEvery, and reports whether it has.
func (b *games) reopen(ctx context.Context, thread store.ChannelID) bool {
	if b.reopened.Again(thread, b.kit.Now(), reopenEvery, reopenMost) {
		return false
	}
	err := b.api.OpenThread(ctx, string(thread))
	if err != nil {
		b.kit.Log.Info("archived thread not opened", "error", err)
	}
	return err == nil
}
