package people

import (
	"cmp"
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// preferences are what people set for themselves, everywhere.
type preferences struct{ *People }

// show is the command: a private panel.
func (b preferences) show(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, err := b.read(ctx, in)
	return b.panel(in, p, kit.Reply), err
}

// read returns what the person has set, as it is stored now.
func (b *People) read(ctx context.Context, in *kit.Request) (p view.Preferences, err error) {
	p.Guild = in.Settings
	p.Guild.Guild = in.GuildID
	if p.Person, err = b.Store.Person(ctx, in.UserID); err != nil {
		return p, err
	}
	p.Blocks, err = b.Store.Blocks(ctx, in.UserID)
	return p, err
}

// put stores what set makes of what the person has set. It returns what is set then, and the
// problem that has left it as it was, with the records whose messages have to follow.
func (b *People) put(ctx context.Context, in *kit.Request, set setter) (p view.Preferences, redraw []tracker.Ref, err error) {
	var c store.Change
	err = b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		if p, err = b.read(ctx, in); err == nil {
			c, err = set(&p)
		}
		return c, err
	})
	if why, ok := errors.AsType[kit.Problem](err); ok {
		p.Problem = view.Note(why)
		return p, nil, nil
	}
	for _, changed := range c.Blocks {
		p.Blocks = with(p.Blocks, changed)
	}
	for _, closed := range c.Challenges {
		redraw = append(redraw, kit.ChallengeRef(closed.ID))
	}
	return p, redraw, err
}

// setter sets something of what a person has set, and returns what is to be stored.
type setter func(p *view.Preferences) (store.Change, error)

// chosen sets what was chosen by a button, or in a select that says by what one plays, with which
// mark one is shown, or in which language one is spoken to.
func (b *People) chosen(in *kit.Request) setter {
	return func(p *view.Preferences) (c store.Change, err error) {
		var ok bool
		if p.Person, ok = b.Kit.View(in.Language()).People().Set(p.Person, in.Button, in.Value()); !ok {
			return c, match.ErrUnknownRecord
		}
		return store.Change{People: []store.Person{p.Person}}, nil
	}
}

// set is a button of the panel, or one of its selects.
func (b preferences) set(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.change(ctx, in, b.chosen(in))
}

// recap is the answer to whether what a day's puzzle brought may name somebody.
func (b preferences) recap(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, _, err := b.put(ctx, in, b.chosen(in))
	note := view.RecapOff
	if p.Recap == store.On {
		note = view.RecapOn
	}
	return kit.Update(b.Kit.View(in.Language()).Note(note)), err
}

// takeFrom is the select that says from whom one takes challenges.
func (b preferences) takeFrom(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.change(ctx, in, func(*view.Preferences) (c store.Change, err error) {
		var ok bool
		if c.Blocks, ok = match.Take(in.UserID, in.GuildID, match.From(in.Value()), b.Kit.Now()); !ok {
			err = match.ErrUnknownRecord
		}
		return c, err
	})
}

// block is the select of people on the panel.
func (b preferences) block(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if !customid.IsUser(in.Value()) {
		return kit.Response{}, match.ErrUnknownRecord
	}
	return b.change(ctx, in, b.blocking(ctx, in, store.UserID(in.Value()), false))
}

// unblock is the button beside a person there.
func (b preferences) unblock(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.change(ctx, in, b.blocking(ctx, in, in.Button.User, true))
}

// change stores what is set on the panel, and shows it.
func (b preferences) change(ctx context.Context, in *kit.Request, set setter) (kit.Response, error) {
	p, redraw, err := b.put(ctx, in, set)
	r := b.panel(in, p, kit.Update)
	r.Redraw = redraw
	return r, err
}

// turn shows another page of the panel, or of those who are blocked.
func (b preferences) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, err := b.read(ctx, in)
	return b.panel(in, p, in.InPlace), err
}

// panel shows what is set, in the language that is, on the page that was clicked.
func (b preferences) panel(in *kit.Request, p view.Preferences, as func(discord.Message) kit.Response) kit.Response {
	p.Tab, p.Page = view.PreferencesTabOf(in.Button), in.Button.Page
	return as(b.Kit.View(cmp.Or(p.Locale, in.Locale)).People().Preferences(p))
}
