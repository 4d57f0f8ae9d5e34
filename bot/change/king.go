package change

import (
	"context"
	"errors"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// KingFor returns the crown of a channel that the user is to wear, or why nobody can be
// challenged for it.
func (b *Changer) KingFor(ctx context.Context, in *kit.Request, channel store.ChannelID, user store.UserID) (crown store.Crown, err error) {
	if in.GuildID == "" {
		return crown, match.ErrUnknownRecord // made up: crowns are in guilds
	}
	if !in.Settings.Crowns.Or(true) {
		return crown, match.ErrCrownsOff
	}
	crown, _, err = b.LookAtCrown(ctx, in.GuildID, channel)
	switch {
	case err != nil:
	case crown.User == "":
		err = &kit.Refusal{Reason: match.ErrCrownFree, Crown: crown}
	case crown.User == in.UserID:
		err = &kit.Refusal{Reason: match.ErrOwnCrown, Crown: crown}
	case crown.User != user:
		err = b.CrownMoved(ctx, crown)
	}
	return crown, err
}

// PlayedToday returns why a game with the king would not count for the crown: they have had one
// today.
func (b *Changer) PlayedToday(ctx context.Context, crown store.Crown, user store.UserID) error {
	results, err := b.channelResults(ctx, crown, user)
	if today := store.DayOf(b.Kit.Now()); err == nil && match.CountedOn(today, user, crown.User, results) {
		return &kit.Refusal{Reason: match.ErrCrownToday, Crown: crown, Until: match.PuzzleEnds(today)}
	}
	return err
}

// CrownMoved returns the refusal that leads to the match that shows the crown now.
func (b *Changer) CrownMoved(ctx context.Context, crown store.Crown) error {
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
		return b.CrownMoved(ctx, crown)
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
