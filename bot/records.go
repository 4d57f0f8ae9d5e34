package bot

import (
	"context"
	"errors"

	"tictactoe/bot/change"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// parentOf returns the channel whose thread the match is played in, empty for none.
func parentOf(m store.Match) store.ChannelID {
	if m.Thread == "" {
		return ""
	}
	return m.Channel
}

// records are what the tracker sees of the store.
type records struct{ *Bot }

// Stored returns the version of a record, and where Discord shows which one.
func (b records) Stored(ctx context.Context, r tracker.Ref) (store.Shown, error) {
	if r.Match != 0 {
		return b.store.MatchVersion(ctx, r.Match)
	}
	return b.store.ChallengeVersion(ctx, r.Challenge)
}

// Render returns what the message of a record should look like.
func (b records) Render(ctx context.Context, r tracker.Ref) (tracker.Rendering, error) {
	if r.Match != 0 {
		m, err := b.store.Match(ctx, r.Match)
		if err != nil {
			return tracker.Rendering{}, err
		}
		msg, err := b.kit.View(m.Locale).Board().Match(m)
		return tracker.Rendering{
			Message: msg, Version: m.Version, Copy: kit.BoardOf(m), Guild: m.Guild, Parent: parentOf(m), Delivered: m.Drawn,
			Timed: match.ClockShown(m), Done: match.HandedOn(m), // the message is the next game's now
		}, err
	}
	c, err := b.store.Challenge(ctx, r.Challenge)
	if err != nil {
		return tracker.Rendering{}, err
	}
	return tracker.Rendering{
		Message: b.kit.ChallengeMessage(c), Version: c.Version, Copy: kit.PostOf(c), Guild: c.Guild, Delivered: c.Drawn,
		Timed: c.State == store.Open,
		Done:  c.State == store.Accepted, // the message is the board's now
	}, nil
}

// Delivered takes note of what Discord shows. Where a new message stands must not be
// lost: without it nobody could redraw what an ended process has left behind.
func (b records) Delivered(r tracker.Ref, message store.MessageID, version int, first bool) {
	b.store.Deliver(store.Delivery{Match: r.Match, Challenge: r.Challenge, Message: message, Drawn: version})
	if first {
		b.Leases.Delivered(r)
	}
}

// Unreachable ends the matches of a channel or guild that is gone, and of a thread of ours
// that people have locked: they count for nobody, and nobody stays in them. A thread of ours
// that was archived it opens, and reports whether it has.
func (b records) Unreachable(ctx context.Context, gone tracker.Rendering, cause error) (again bool) {
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
		why := b.games.Threads.Closed(ctx, gone.Channel)
		if why == store.NotEnded {
			return errors.Is(cause, rest.ErrArchived) && b.games.Threads.Reopen(ctx, gone.Channel)
		}
		err = b.games.EndIn(ctx, gone.Channel, gone.Parent, why)
	}
	if err != nil {
		b.kit.Log.Error("matches that are out of reach not ended", "error", err)
	}
	return false
}
