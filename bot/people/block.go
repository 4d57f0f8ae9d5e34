package people

import (
	"context"
	"errors"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// blocking blocks a person for the user, or lifts that, and closes the challenges between the
// two that are open in the guild. Whoever is refused by a block reads the same words whatever it
// is of: of them, of everybody here, or of everybody.
func (b *People) blocking(ctx context.Context, in *kit.Request, other store.UserID, lifted bool) setter {
	block := store.Block{User: in.UserID, From: other, Since: b.Kit.Now(), Lifted: lifted}
	return func(p *view.Preferences) (c store.Change, err error) {
		people := len(match.Blocked(with(p.Blocks, block)))
		switch {
		case lifted:
		case other == in.UserID:
			return c, kit.Problem(view.BlocksSelf)
		case kit.IsBot(in, other), in.Users[string(other)].Bot:
			return c, kit.Problem(view.BlocksBot)
		case people > match.MostBlocked && people > len(match.Blocked(p.Blocks)):
			return c, kit.Problem(view.BlocksMany)
		}
		c.Blocks = []store.Block{block}
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
			open, err = match.Cancel(open, in.UserID)
		default:
			open, err = match.Decline(open, in.UserID)
		}
		c.Challenges = []store.Challenge{open}
		return c, err
	}
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

// blockInWords are the buttons below words: the one behind a declined challenge that blocks, the
// one that lifts what was blocked, and each of them in the place of the other.
func (b *People) blockInWords(ctx context.Context, in *kit.Request) (kit.Response, error) {
	lifted := in.Button.Action == customid.Unblock
	p, redraw, err := b.put(ctx, in, b.blocking(ctx, in, in.Button.User, lifted))
	v := b.Kit.View(in.Language())
	msg := v.People().Blocked(in.Button.User, lifted)
	if p.Problem != "" {
		msg = v.Note(p.Problem)
	}
	r := in.InPlace(msg)
	r.Redraw = redraw
	return r, err
}
