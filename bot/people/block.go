package people

import (
	"context"
	"errors"
	"slices"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// consents are who may challenge whom, and play with whom again. Whoever is refused reads
// the same words whatever the reason: a block of them, of everybody here, or of everybody.
type consents struct{ *People }

// notBlocked is the reason for which somebody is not blocked, by the view's name for it.
type notBlocked view.Note

func (n notBlocked) Error() string { return "bot: not blocked: " + string(n) }

// put blocks a person for the user, or lifts that, and closes the challenges between the
// two that are open in the guild. It returns the blocks as they are then, and the response
// that has the challenges follow; one of the reasons above leaves all as it is.
func (b consents) put(ctx context.Context, in *kit.Request, other store.UserID, lifted bool) (blocks []store.Block, r kit.Response, err error) {
	block := store.Block{User: in.UserID, From: other, Since: b.Kit.Now(), Lifted: lifted}
	var closed store.Challenge
	err = b.Change.Do(ctx, in, func() (c store.Change, err error) {
		closed = store.Challenge{}
		if blocks, err = b.Store.Blocks(ctx, in.UserID); err != nil {
			return c, err
		}
		changed := with(blocks, block)
		people := len(match.Blocked(changed))
		switch {
		case lifted:
		case other == in.UserID:
			return c, notBlocked(view.BlocksSelf)
		case kit.IsBot(in, other), in.Users[string(other)].Bot:
			return c, notBlocked(view.BlocksBot)
		case people > match.MostBlocked && people > len(match.Blocked(blocks)):
			return c, notBlocked(view.BlocksMany)
		}
		blocks, c.Blocks = changed, []store.Block{block}
		if lifted || in.GuildID == "" {
			return c, nil
		}
		open, err := b.Store.OpenChallenge(ctx, in.GuildID, in.UserID, other)
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
	if closed.ID != 0 {
		r.Redraw = append(r.Redraw, kit.ChallengeRef(closed.ID))
	}
	return blocks, r, err
}

// with returns the blocks with one that begins, or without one that ends.
func with(blocks []store.Block, changed store.Block) []store.Block {
	same := func(b store.Block) bool { return b.From == changed.From && b.Guild == changed.Guild }
	switch {
	case changed.Lifted:
		return slices.DeleteFunc(slices.Clone(blocks), same)
	case slices.ContainsFunc(blocks, same):
		return blocks
	default:
		return append(slices.Clip(blocks), changed)
	}
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
	v := b.Kit.View(in.Language())
	if why := whyNotBlocked(err); why != "" {
		return in.InPlace(v.Note(why)), nil
	}
	if err != nil {
		return kit.Response{}, err
	}
	answer := in.InPlace(v.People().Blocked(in.Button.User, lifted))
	answer.Redraw = r.Redraw
	return answer, nil
}

// whyNotBlocked returns the view's name for the reason, empty for any other error.
func whyNotBlocked(err error) view.Note {
	why, _ := errors.AsType[notBlocked](err)
	return view.Note(why)
}
