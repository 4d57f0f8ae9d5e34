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
	err = again(func() error {
		var c store.Change
		old, now, err := b.reign(ctx, guild, channel)
		if err != nil {
			return err
		}
		var look bool
		if next, look, err = change(now); err != nil {
			return err
		}
		if look && now.User != "" {
			if king = b.Kit.Members(ctx, guild, []store.UserID{now.User})[0]; king.Gone {
				c.Absences = []store.Absence{{Guild: guild, User: now.User, Gone: true}}
				if next, _, err = change(match.Free(now)); err != nil {
					return err
				}
			}
		}
		if next == old {
			return nil
		}
		c.Crowns = []store.Crown{next}
		if c.Matches, err = b.leaveCard(ctx, old, next); err != nil {
			return err
		}
		if err = b.Apply(ctx, c); err != nil {
			return err
		}
		next.Version++
		for _, m := range c.Matches {
			b.Kit.Tracker.Redraw(kit.MatchRef(m.ID))
		}
		return nil
	})
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

// KingFor returns the crown of a channel that the user is to wear, by the match that shows it
// where there is one, or why whoever asks cannot challenge them for it.
func (b *Changer) KingFor(ctx context.Context, in *kit.Request, channel store.ChannelID, user store.UserID, shown store.MatchID) (crown store.Crown, err error) {
	if in.GuildID == "" {
		return crown, match.ErrUnknownRecord // made up: crowns are in guilds
	}
	if !in.Settings.Crowns.Or(true) {
		return crown, match.ErrCrownsOff
	}
	crown, _, err = b.LookAtCrown(ctx, in.GuildID, channel)
	switch {
	case err != nil:
		return crown, err
	case crown.User == "":
		return crown, &kit.Refusal{Reason: match.ErrCrownFree, Crown: crown}
	case crown.User == in.UserID:
		return crown, &kit.Refusal{Reason: match.ErrOwnCrown, Crown: crown}
	case crown.User != user, shown != 0 && crown.Match != shown:
		return crown, b.crownMoved(ctx, crown)
	}
	results, err := b.channelResults(ctx, crown, in.UserID)
	if today := store.DayOf(b.Kit.Now()); err == nil && match.CountedOn(today, in.UserID, crown.User, results) {
		err = &kit.Refusal{Reason: match.ErrCrownToday, Crown: crown, Until: match.PuzzleEnds(today)}
	}
	return crown, err
}

// crownMoved returns the refusal that leads to the match that shows the crown now.
func (b *Changer) crownMoved(ctx context.Context, crown store.Crown) error {
	m, err := b.LoadMatch(ctx, crown.Match)
	if err != nil {
		return err
	}
	return &kit.Refusal{Reason: match.ErrCrownMoved, Crown: crown, Match: m}
}

// ClearCard takes the button from a match that shows the crown no more, if it was pressed
// there.
func (b *Changer) ClearCard(ctx context.Context, m store.Match) {
	if !m.Gain.Throne {
		return
	}
	if crown, err := b.Crown(ctx, m.Guild, m.Channel); err != nil || crown.Match == m.ID {
		return
	}
	cleared, err := b.Amend(ctx, m.ID, func(m *store.Match) bool {
		had := m.Gain.Throne
		m.Gain.Throne = false
		return had
	})
	if err != nil {
		b.Kit.Log.Info("a button to challenge the king stays", "error", err)
	} else if cleared.Version > m.Version {
		b.Kit.Tracker.Redraw(kit.MatchRef(m.ID))
	}
}

// MayAskKing returns why a king cannot be challenged for the crown now: they are king no more, have
// an open challenge for it, or have declined one a moment ago. The store refuses a second one.
func (b *Changer) MayAskKing(ctx context.Context, c store.Challenge) error {
	if c.Crown == "" {
		return nil
	}
	crown, err := b.Crown(ctx, c.Guild, c.Crown)
	switch {
	case err != nil:
		return err
	case crown.User == "":
		return &kit.Refusal{Reason: match.ErrCrownFree, Crown: crown}
	case crown.User != c.Opponent:
		return b.crownMoved(ctx, crown)
	}
	last, err := b.Store.CrownChallenge(ctx, c.Crown)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return err
	case match.CrownClosed(last, c.Opponent, b.Kit.Now()):
		return &kit.Refusal{Reason: match.ErrKingNotNow, Challenge: c}
	case last.State != store.Open, last.Challenger == c.Challenger && last.Opponent == c.Opponent: // which is said as of any pair
		return nil
	case last.Opponent != c.Opponent, match.ChallengeDue(last, b.Kit.OverAt(last.Guild)): // or whose reign is over
		b.ExpireNow(ctx, last)
		return nil
	}
	return &kit.Refusal{Reason: match.ErrCrownPending, Challenge: last}
}

// KingNotNow gives the refusal of a challenge to a king the same words, whether they have declined
// or have blocked: nobody is told the one from the other.
func KingNotNow(c store.Challenge, err error) error {
	if c.Crown != "" && (errors.Is(err, match.ErrTakesNone) || errors.Is(err, match.ErrDeclined)) {
		return &kit.Refusal{Reason: match.ErrKingNotNow, Challenge: c}
	}
	return err
}

// CrownBy takes note of a match for the crown of its channel, and returns how many games in a row
// the king has won by it, 0 where it has neither made nor kept one, and whether that king can be
// challenged.
func (b *Changer) CrownBy(ctx context.Context, m store.Match, r store.Result) (wins int, throne bool, err error) {
	settings, err := b.Kit.Settings.Guild(ctx, m.Guild)
	if err != nil || !settings.Crowns.Or(true) || !match.CountsForCrown(m, r) {
		return 0, false, err
	}
	c, err := b.crowned(ctx, m)
	switch {
	case errors.Is(err, store.ErrErasing): // nobody is made king who goes
		return 0, false, nil
	case err != nil || c.User == "" || c.Match != m.ID:
		return 0, false, err
	}
	throne, err = b.TakesChallenges(ctx, m.Guild, c.User)
	return max(c.Wins, 1), throne, err
}
