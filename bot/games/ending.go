package games

import (
	"context"
	"slices"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// EndAllOf ends what the person has under way, up to a number, and shows it to the others.
func (b *Games) EndAllOf(ctx context.Context, user store.UserID) (ended []tracker.Ref, err error) {
	matches, err := b.store.OpenMatches(ctx, user, kit.Batch)
	if err != nil {
		return nil, err
	}
	for _, m := range matches {
		if stored, err := b.end(ctx, m, store.PlayerErased); err != nil {
			return ended, err
		} else if stored {
			ended = append(ended, kit.MatchRef(m.ID))
			b.kit.Work.Go(b.notices.remove(m))
		}
	}
	challenges, err := b.store.ChallengesOf(ctx, user, kit.Batch)
	if err != nil {
		return ended, err
	}
	for _, c := range challenges {
		if stored, err := b.change.Dismiss(ctx, c, store.Dismissed); err != nil {
			return ended, err
		} else if stored {
			b.kit.Tracker.Redraw(kit.ChallengeRef(c.ID))
			ended = append(ended, kit.ChallengeRef(c.ID))
		}
	}
	return ended, nil
}

// GuildLost ends the matches of the guild, but for those that people have brought along with
// them: their messages never were the bot's own.
func (b *Games) GuildLost(ctx context.Context, guild store.GuildID) error {
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

// EndIn ends the matches of a channel, or of a thread whose channel is the parent.
func (b *Games) EndIn(ctx context.Context, channel, parent store.ChannelID, why store.EndReason) error {
	matches, err := b.playedIn(ctx, channel, parent)
	if err != nil || len(matches) == 0 {
		return err
	}
	b.kit.Log.Info("matches end with their channel", "channel", channel, "locked", why == store.ThreadLocked)
	return b.endMatches(ctx, matches, why)
}

func (b *Games) endMatches(ctx context.Context, matches []store.Match, why store.EndReason) error {
	var failed error
	for _, m := range matches {
		if _, err := b.end(ctx, m, why); err != nil {
			failed = err
		}
	}
	return failed
}

// end ends a match by nobody's click, and shows it where that can be done.
func (b *Games) end(ctx context.Context, m store.Match, why store.EndReason) (stored bool, _ error) {
	stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{match.Close(m, why)}})
	if stored && why != store.Unreachable {
		b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	}
	return stored, err
}
