package games

import (
	"context"
	"errors"
	"slices"
	"time"

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
	matches, err := b.boards.playedIn(ctx, channel, parent)
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

// InThread reports whether the match is played in a thread of ours.
func InThread(m store.Match) bool { return m.Thread != "" && m.State == store.Active }

// ExpireLater does ExpireMatch in the background, once at a time for a match.
func (b *Games) ExpireLater(m store.Match, up time.Duration) {
	if _, busy := b.looking.LoadOrStore(m.ID, true); busy {
		return
	}
	b.kit.Work.Go(func(ctx context.Context) {
		defer b.looking.Delete(m.ID)
		if err := b.ExpireMatch(ctx, m, up); err != nil {
			b.kit.Log.Error("match in a thread is left for later", "error", err)
		}
	})
}

// ExpireMatch ends a match, or lets its offer of a rematch lapse, if its time has come. One
// whose thread cannot be played in any more ends with all that are played there.
func (b *Games) ExpireMatch(ctx context.Context, m store.Match, up time.Duration) error {
	due, ok := match.Expire(m, b.kit.Times.ChallengeTTL, up)
	if !ok {
		return nil
	}
	if InThread(m) {
		if why := b.Threads.Closed(ctx, m.Thread); why != store.NotEnded {
			return b.EndIn(ctx, m.Thread, m.Channel, why)
		}
	}
	if stored, err := b.change.Quietly(ctx, store.Change{Matches: []store.Match{due}}); !stored {
		return err
	}
	b.kit.Tracker.Redraw(kit.MatchRef(m.ID))
	b.kit.Work.Go(b.Judge.weigh(due)) // nobody has yet, or the process ended meanwhile
	if !match.StillWaits(m, due) {
		b.kit.Work.Go(b.notices.remove(m))
	}
	return nil
}

// ErrHidden: Discord has made a public answer private.
var ErrHidden = errors.New("bot: nobody else sees the answer")

// Hidden returns what follows a public answer that Discord has made private, because the
// guild lets its people use no applications that they have brought along. It can begin to do
// so at any time, so that each answer is looked at. It is nil where nothing has to follow: who
// plays against the program needs nobody to see it. A challenge is closed, and whoever made it
// reads why in its place, and how to play all the same.
func (b *Games) Hidden(r kit.Response) func(context.Context) {
	if r.Shows.Ref.Challenge == 0 {
		return nil
	}
	return func(ctx context.Context) {
		c, err := b.change.LoadChallenge(ctx, r.Shows.Ref.Challenge)
		if err != nil {
			return
		}
		if err := b.change.CloseChallenge(ctx, c, store.Hidden); err != nil {
			b.kit.Log.Error("challenge that nobody sees not closed", "error", err)
		}
	}
}
