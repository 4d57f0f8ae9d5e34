package change

import (
	"context"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// both are the consents of two people who are about to play with each other.
func both(guild store.GuildID, a, b store.UserID) []store.Consent {
	return []store.Consent{{Guild: guild, By: a, To: b}, {Guild: guild, By: b, To: a}}
}

// willing returns the refusal of a match with another person, where one of the two has
// blocked the other, or everything about the other was erased.
func (b *Changer) willing(ctx context.Context, in *kit.Request, other store.UserID) error {
	if err := b.mayMeet(ctx, in, other); err != nil {
		return err
	}
	return b.refused(ctx, store.Consent{Guild: in.GuildID, By: in.UserID, To: other}, match.ErrTakesNone, in.UserID, other)
}

// MayAsk returns the refusal of a challenge, and what it needs of the two. A table is for
// anybody: who takes it is looked at then.
func (b *Changer) MayAsk(ctx context.Context, in *kit.Request, c store.Challenge) ([]store.Consent, error) {
	if c.Opponent == "" {
		return nil, nil
	}
	if err := b.mayMeet(ctx, in, c.Opponent); err != nil {
		return nil, err
	}
	// This comes first: who was declined and blocked at once reads what everybody reads
	// who was declined.
	declined, err := b.Store.Declined(ctx, c.Challenger, c.Opponent, b.Kit.Now().Add(clocksDiffer))
	if err != nil {
		return nil, err
	}
	if again := declined.Add(match.DeclineHolds); again.After(b.Kit.Now()) {
		return nil, &kit.Refusal{Reason: match.ErrDeclined, Challenge: store.Challenge{Challenger: c.Challenger, Opponent: c.Opponent}, Until: again}
	}
	needs := both(c.Guild, c.Challenger, c.Opponent)
	needs[0].Unasked = true
	return needs, b.refused(ctx, needs[0], match.ErrTakesNone, c.Challenger, c.Opponent)
}

// clocksDiffer is by how much the clock of another process may be ahead. What was declined
// later than that was stored by a clock that was wrong.
const clocksDiffer = time.Minute

// mayMeet returns the refusal of whatever somebody wants with a person whom they have blocked
// themselves, or about whom everything was erased.
func (b *Changer) mayMeet(ctx context.Context, in *kit.Request, other store.UserID) error {
	if other.Erased() {
		return match.ErrOtherErased
	}
	return b.refused(ctx, store.Consent{Guild: in.GuildID, By: other, To: in.UserID}, match.ErrHasBlocked, in.UserID, other)
}

// refused returns the refusal of what somebody wants with another person where the consent for
// it is missing.
func (b *Changer) refused(ctx context.Context, c store.Consent, why error, by, to store.UserID) error {
	blocked, err := b.Store.Blocked(ctx, c)
	if err == nil && blocked {
		err = &kit.Refusal{Reason: why, Challenge: store.Challenge{Challenger: by, Opponent: to}}
	}
	return err
}
