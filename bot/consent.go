package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// consents are who may challenge whom, and play with whom again. Whoever is refused reads
// the same words whatever the reason: a block of them, of everybody here, or of everybody.
type consents struct{ *people }

// both are the consents of two people who are about to play with each other.
func both(guild store.GuildID, a, b store.UserID) []store.Consent {
	return []store.Consent{{Guild: guild, By: a, To: b}, {Guild: guild, By: b, To: a}}
}

// willing returns the refusal of a match with another person, where one of the two has
// blocked the other, or everything about the other was erased.
func (b *changer) willing(ctx context.Context, in *kit.Request, other store.UserID) error {
	if other.Erased() {
		return match.ErrOtherErased
	}
	if err := b.ownBlock(ctx, in, other); err != nil {
		return err
	}
	return b.takes(ctx, store.Consent{Guild: in.GuildID, By: in.UserID, To: other})
}

// asked returns the refusal of a challenge, and what it needs of the two. A table is for
// anybody: who takes it is looked at then.
func (b *changer) asked(ctx context.Context, in *kit.Request, c store.Challenge) ([]store.Consent, error) {
	if c.Opponent == "" {
		return nil, nil
	}
	if c.Opponent.Erased() {
		return nil, match.ErrOtherErased
	}
	if err := b.ownBlock(ctx, in, c.Opponent); err != nil {
		return nil, err
	}
	// This comes first: who was declined and blocked at once reads what everybody reads
	// who was declined.
	declined, err := b.store.Declined(ctx, c.Challenger, c.Opponent, b.kit.Now().Add(clocksDiffer))
	if err != nil {
		return nil, err
	}
	if again := declined.Add(match.DeclineHolds); again.After(b.kit.Now()) {
		return nil, &kit.Refusal{Reason: match.ErrDeclined, Challenge: store.Challenge{Challenger: c.Challenger, Opponent: c.Opponent}, Until: again}
	}
	needs := both(c.Guild, c.Challenger, c.Opponent)
	needs[0].Unasked = true
	return needs, b.takes(ctx, needs[0])
}

// clocksDiffer is by how much the clock of another process may be ahead. What was declined
// later than that was stored by a clock that was wrong.
const clocksDiffer = time.Minute

// ownBlock returns the refusal of whatever somebody wants with a person whom they have
// blocked themselves.
func (b *changer) ownBlock(ctx context.Context, in *kit.Request, other store.UserID) error {
	blocked, err := b.store.Blocked(ctx, store.Consent{Guild: in.GuildID, By: other, To: in.UserID})
	if err == nil && blocked {
		err = &kit.Refusal{Reason: match.ErrHasBlocked, Challenge: store.Challenge{Challenger: in.UserID, Opponent: other}}
	}
	return err
}

// takes returns the refusal of whoever needs a consent and does not have it.
func (b *changer) takes(ctx context.Context, c store.Consent) error {
	blocked, err := b.store.Blocked(ctx, c)
	if err == nil && blocked {
		err = &kit.Refusal{Reason: match.ErrTakesNone, Challenge: store.Challenge{Challenger: c.By, Opponent: c.To}}
	}
	return err
}

// The reasons for which somebody is not blocked.
var (
	errBlockSelf = errors.New("bot: blocks themselves")
	errBlockBot  = errors.New("bot: blocks a bot")
	errBlockMany = errors.New("bot: has blocked too many people")
)

// put blocks a person for the user, or lifts that, and closes the challenges between the
// two that are open in the guild. It returns the blocks as they are then, and the response
// that has the challenges follow; one of the reasons above leaves all as it is.
func (b consents) put(ctx context.Context, in *kit.Request, other store.UserID, lifted bool) (blocks []store.Block, r kit.Response, err error) {
	switch {
	case lifted:
	case other == in.UserID:
		return b.unchanged(ctx, in, errBlockSelf)
	case kit.IsBot(in, other), in.Users[string(other)].Bot:
		return b.unchanged(ctx, in, errBlockBot)
	}
	block := store.Block{User: in.UserID, From: other, Since: b.kit.Now(), Lifted: lifted}
	var closed store.Challenge
	err = b.change.change(ctx, in, func() (c store.Change, err error) {
		if blocks, err = b.store.Blocks(ctx, in.UserID); err != nil {
			return c, err
		}
		blocked := match.Blocked(blocks)
		blocks = with(blocks, block)
		if grown := match.Blocked(blocks); len(grown) > len(blocked) && len(grown) > match.MostBlocked {
			return c, errBlockMany
		}
		c.Blocks = []store.Block{block}
		if closed = (store.Challenge{}); lifted || in.GuildID == "" {
			return c, nil
		}
		open, err := b.store.OpenChallenge(ctx, in.GuildID, in.UserID, other)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return c, nil
		case err != nil:
			return c, err
		case open.Challenger == in.UserID:
			closed, err = match.Cancel(open, in.UserID)
		default:
			closed, err = match.Decline(open, in.UserID)
		}
		c.Challenges = []store.Challenge{closed}
		return c, err
	})
	if errors.Is(err, errBlockMany) {
		return b.unchanged(ctx, in, err)
	}
	if closed.ID != 0 {
		r.Redraw = append(r.Redraw, kit.ChallengeRef(closed.ID))
	}
	return blocks, r, err
}

// unchanged returns the blocks as they are, and why they stay so.
func (b consents) unchanged(ctx context.Context, in *kit.Request, why error) ([]store.Block, kit.Response, error) {
	blocks, err := b.store.Blocks(ctx, in.UserID)
	if err == nil {
		err = why
	}
	return blocks, kit.Response{}, err
}

// with returns the blocks with one that begins, or without one that ends.
func with(blocks []store.Block, changed store.Block) []store.Block {
	var all []store.Block
	there := false
	for _, b := range blocks {
		if same := b.From == changed.From && b.Guild == changed.Guild; same {
			if there = true; changed.Lifted {
				continue
			}
		}
		all = append(all, b)
	}
	if !there && !changed.Lifted {
		all = append(all, changed)
	}
	return all
}

// block is the button behind a declined challenge, and the one that takes a lifted block
// back.
func (b consents) block(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.inWords(ctx, in, false)
}

// unblock lifts a block where words have told of it.
func (b consents) unblock(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.inWords(ctx, in, true)
}

func (b consents) inWords(ctx context.Context, in *kit.Request, lifted bool) (kit.Response, error) {
	_, r, err := b.put(ctx, in, in.Button.User, lifted)
	v := b.kit.View(in.Language())
	if why := whyNotBlocked(err); why != "" {
		return in.InPlace(v.People().NotBlocked(why)), nil
	}
	if err != nil {
		return kit.Response{}, err
	}
	answer := in.InPlace(v.People().Blocked(in.Button.User, lifted))
	answer.Redraw = r.Redraw
	return answer, nil
}

// whyNotBlocked returns the view's name for the reason, empty for any other error.
func whyNotBlocked(err error) view.BlockProblem {
	switch {
	case errors.Is(err, errBlockSelf):
		return view.BlocksSelf
	case errors.Is(err, errBlockBot):
		return view.BlocksBot
	case errors.Is(err, errBlockMany):
		return view.BlocksMany
	default:
		return ""
	}
}
