package change

import (
	"context"
	"errors"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Crown returns the crown of a channel as it is now: what is stored, with what its king has
// played since. It stores nothing.
func (b *Changer) Crown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, error) {
	_, now, err := b.reign(ctx, guild, channel)
	return now, err
}

// reign returns the crown as it is stored, and as it is now. Where the guild wants none it is
// free.
func (b *Changer) reign(ctx context.Context, guild store.GuildID, channel store.ChannelID) (old, now store.Crown, err error) {
	if old, err = b.Store.Crown(ctx, guild, channel); err != nil || old.User == "" {
		return old, old, err
	}
	settings, err := b.Kit.Settings.Guild(ctx, guild)
	if err != nil {
		return old, old, err
	}
	if !settings.Crowns.Or(true) {
		return old, match.Free(old), nil
	}
	results, err := b.channelResults(ctx, old, old.User)
	return old, match.Reign(old, results, b.Kit.Now()), err
}

func (b *Changer) channelResults(ctx context.Context, c store.Crown, user store.UserID) ([]store.Result, error) {
	return b.Store.ChannelResults(ctx, c.Guild, c.Channel, user, store.DayOf(b.Kit.Now()))
}

// LookAtCrown is Crown for who shows it or asks for a game for it: a crown whose king has
// fallen, or has left the guild, is stored as free. With it comes what is known of the king.
func (b *Changer) LookAtCrown(ctx context.Context, guild store.GuildID, channel store.ChannelID) (store.Crown, kit.Membership, error) {
	return b.crownAfter(ctx, guild, channel, func(now store.Crown) (store.Crown, bool, error) { return now, true, nil })
}

// crowned takes note of a match that has ended in its channel, and returns the crown then.
// However often it is called for a match, that counts once.
func (b *Changer) crowned(ctx context.Context, m store.Match) (store.Crown, error) {
	c, _, err := b.crownAfter(ctx, m.Guild, m.Channel, func(now store.Crown) (_ store.Crown, look bool, err error) {
		winner := m.Player(m.Winner).User
		if m.Winner == engine.None || winner == now.User {
			return now, false, nil
		}
		results, err := b.channelResults(ctx, now, winner)
		earned, ok := match.Earned(now, winner, m.ID, results)
		if !ok || now.User != "" { // who sits there keeps it from them, if they are still there
			return now, ok, err
		}
		return earned, false, err
	})
	return c, err
}

// crownAfter stores what becomes of a crown. change is asked for that, and whether the king has
// to be looked for; where that has left it is asked again about a free crown.
func (b *Changer) crownAfter(ctx context.Context, guild store.GuildID, channel store.ChannelID, change func(now store.Crown) (_ store.Crown, look bool, err error)) (next store.Crown, king kit.Membership, err error) {
	for range ConflictTries {
		var c store.Change
		var old, now store.Crown
		var look bool
		if old, now, err = b.reign(ctx, guild, channel); err != nil {
			return now, king, err
		}
		if next, look, err = change(now); err != nil {
			return next, king, err
		}
		if look && now.User != "" {
			if king = b.Kit.Members(ctx, guild, []store.UserID{now.User})[0]; king.Gone {
				c.Absences = []store.Absence{{Guild: guild, User: now.User, Gone: true}}
				if next, _, err = change(match.Free(now)); err != nil {
					return next, king, err
				}
			}
		}
		if next == old {
			return next, king, nil
		}
		card, err := b.leaveCard(ctx, old, next)
		if err != nil {
			return next, king, err
		}
		c.Crowns, c.Matches = []store.Crown{next}, card
		err = b.Apply(ctx, c)
		if err == nil {
			next.Version++
			for _, m := range card {
				b.Kit.Tracker.Redraw(kit.MatchRef(m.ID))
			}
			return next, king, nil
		}
		if !outpaced(err) {
			return next, king, err
		}
	}
	return next, king, err
}

// leaveCard returns the match whose message showed the crown, if it shows it no more: nobody is
// to challenge a king there who is not one.
func (b *Changer) leaveCard(ctx context.Context, old, next store.Crown) ([]store.Match, error) {
	if old.Match == 0 || old.Match == next.Match {
		return nil, nil
	}
	m, err := b.Store.Match(ctx, old.Match)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil || !m.Gain.Throne:
		return nil, err
	}
	m.Gain.Throne = false
	return []store.Match{m}, nil
}

// TakesChallenges reports whether somebody takes challenges in the guild from people whom they
// have not asked.
func (b *Changer) TakesChallenges(ctx context.Context, guild store.GuildID, user store.UserID) (bool, error) {
	blocks, err := b.Store.Blocks(ctx, user)
	return match.TakesFrom(blocks, guild) == match.FromAnybody, err
}
