package games

import (
	"context"
	"slices"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// mostStopped is how many challenges of a person are closed at once, and mostOpen more than
// anybody has open: they run out.
const (
	mostStopped = 50
	mostOpen    = 10_000
)

// askToStopAll asks a moderator whether to stop whatever a person plays in the channel.
func (b resignations) askToStopAll(ctx context.Context, in *kit.Request, user store.UserID) (kit.Response, error) {
	all, err := b.stoppable(ctx, in, user)
	if err != nil {
		return kit.Response{}, err
	}
	return kit.Reply(b.kit.View(in.Language()).Games().StopAllQuestion(user, b.kit.Listed(all.Matches), len(all.Challenges))), nil
}

// stoppable returns what a moderator may stop of a person, or the refusal: what they play in the
// channel and its threads where everybody sees it, and challenges that they have made.
func (b resignations) stoppable(ctx context.Context, in *kit.Request, user store.UserID) (all store.Change, err error) {
	if in.GuildID == "" || !in.May(discord.PermissionManageMessages) {
		return all, match.ErrNotModerator
	}
	if all.Matches, err = b.boards.playedIn(ctx, in.ChannelID, store.ChannelID(in.Parent)); err != nil {
		return all, err
	}
	all.Matches = slices.DeleteFunc(all.Matches, func(m store.Match) bool { return m.Guild != in.GuildID || m.Seat(user) == engine.None })
	all.Challenges, err = b.challenges.ChallengesOf(ctx, user, mostOpen)
	all.Challenges = slices.DeleteFunc(all.Challenges, func(c store.Challenge) bool {
		return c.Challenger != user || c.Guild != in.GuildID || c.Channel != in.ChannelID
	})
	all.Challenges = all.Challenges[:min(len(all.Challenges), mostStopped)]
	if err == nil && len(all.Matches)+len(all.Challenges) == 0 {
		err = &kit.Refusal{Reason: match.ErrNothingToStop, Challenge: store.Challenge{Challenger: user}, InPlace: true}
	}
	return all, err
}

// stopAll stops it.
func (b resignations) stopAll(ctx context.Context, in *kit.Request) (kit.Response, error) {
	var before, after store.Change
	err := b.change.Do(ctx, in, func() (c store.Change, err error) {
		if before, err = b.stoppable(ctx, in, in.Button.User); err != nil {
			return c, err
		}
		for _, m := range before.Matches {
			if m.State == store.Active {
				m.EndedBy = in.UserID
			}
			c.Matches = append(c.Matches, match.Close(m, store.Stopped))
		}
		for _, open := range before.Challenges {
			closed, err := match.Dismiss(open, store.Dismissed)
			if err != nil {
				return c, err
			}
			c.Challenges = append(c.Challenges, closed)
		}
		after = c
		return c, nil
	})
	if err != nil {
		return kit.Response{}, err
	}
	b.kit.Log.Info("games stopped", "guild", in.GuildID, "channel", in.ChannelID, "by", in.UserID, "of", in.Button.User,
		"matches", len(after.Matches), "challenges", len(after.Challenges))
	r := in.InPlace(b.kit.View(in.Language()).Note(view.StoppedAll))
	for i, m := range after.Matches {
		r = b.follow(r, before.Matches[i], m)
	}
	for _, c := range after.Challenges {
		r = r.AndRedraw(kit.ChallengeRef(c.ID))
	}
	moderator, user, channel := in.UserID, in.Button.User, in.ChannelID
	return r.AndThen(b.tellStop(in, func(v view.View) discord.Message { return v.Games().StopAllTold(moderator, user, channel) }, moderator, user)), nil
}

// tellStop posts that a moderator has stopped something, where the guild wants to be told
// so. It notifies nobody, and a process that ends before it leaves the log alone. Where the
// bot may not post it is turned off, and the settings say why.
// People are called by name: where nobody is notified, a client shows a mention of somebody
// whom it does not know as "@unknown-user".
func (b resignations) tellStop(in *kit.Request, say func(view.View) discord.Message, people ...store.UserID) func(context.Context) {
	channel, guild, nonce, v := in.Settings.Stops.Channel, in.GuildID, in.ID, b.kit.View(in.GuildLanguage())
	if channel == "" {
		return nil
	}
	return func(ctx context.Context) {
		v.Names = b.kit.NamesIn(ctx, guild, people...)
		msg := say(v)
		msg.Nonce = nonce
		_, err := b.kit.Post(ctx, channel, msg)
		why := store.ChannelGone
		switch {
		case err == nil:
			return
		case rest.Forbidden(err):
			why = store.ChannelNotPermitted
		case !rest.Gone(err):
			b.kit.Log.Warn("nobody was told of a stop", "guild", guild, "error", err)
			return
		}
		b.change.EndPosts(ctx, guild, func(now *store.GuildSettings) (set bool) {
			if set = now.Stops.Channel == channel; set {
				now.Stops = store.StopPosts{Fault: why}
			}
			return set
		})
	}
}
