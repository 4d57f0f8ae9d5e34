package bot

import (
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// preferences are what people set for themselves, everywhere.
type preferences struct{ *people }

// show is the command: a private panel.
func (b preferences) show(ctx context.Context, in *request) (response, error) {
	p, err := b.read(ctx, in)
	return b.panel(in, p, reply), err
}

// read returns what the person has set, as it is stored now.
func (b preferences) read(ctx context.Context, in *request) (p view.Preferences, err error) {
	p.Guild = in.settings
	p.Guild.Guild = in.guild
	if p.Person, err = b.store.Person(ctx, in.user); err != nil {
		return p, err
	}
	p.Blocks, err = b.store.Blocks(ctx, in.user)
	return p, err
}

// set is a button of the panel.
func (b preferences) set(ctx context.Context, in *request) (response, error) {
	return b.put(ctx, in, func(p *view.Preferences) (c store.Change, ok bool) {
		p.Person, ok = view.SetPreference(p.Person, in.button.Preference, in.button.Value)
		return store.Change{People: []store.Person{p.Person}}, ok
	})
}

// takeFrom is the select that says from whom one takes challenges.
func (b preferences) takeFrom(ctx context.Context, in *request) (response, error) {
	return b.put(ctx, in, func(p *view.Preferences) (c store.Change, ok bool) {
		if len(in.Values) != 1 {
			return c, false
		}
		c.Blocks, ok = match.Take(in.user, in.guild, match.From(in.Values[0]), b.kit.now())
		for _, changed := range c.Blocks {
			p.Blocks = with(p.Blocks, changed)
		}
		return c, ok
	})
}

// put stores what is set on the panel, and shows it.
func (b preferences) put(ctx context.Context, in *request, set func(*view.Preferences) (_ store.Change, ok bool)) (response, error) {
	if !in.Message.Ephemeral() {
		return response{}, match.ErrUnknownRecord // made up: every panel is private
	}
	var p view.Preferences
	err := b.change.change(ctx, in, func() (c store.Change, err error) {
		if p, err = b.read(ctx, in); err != nil {
			return c, err
		}
		c, ok := set(&p)
		if !ok {
			return c, match.ErrUnknownRecord
		}
		return c, nil
	})
	return b.panel(in, p, update), err
}

// block is the select of people on the panel.
func (b preferences) block(ctx context.Context, in *request) (response, error) {
	if len(in.Values) != 1 || !customid.IsUser(in.Values[0]) {
		return response{}, match.ErrUnknownRecord
	}
	return b.putBlock(ctx, in, store.UserID(in.Values[0]), false)
}

// unblock is the button beside a person there.
func (b preferences) unblock(ctx context.Context, in *request) (response, error) {
	return b.putBlock(ctx, in, in.button.User, true)
}

func (b preferences) putBlock(ctx context.Context, in *request, other store.UserID, lifted bool) (response, error) {
	if !in.Message.Ephemeral() {
		return response{}, match.ErrUnknownRecord
	}
	p := view.Preferences{Guild: in.settings, Page: in.button.Page}
	p.Guild.Guild = in.guild
	var err error
	if p.Person, err = b.store.Person(ctx, in.user); err != nil {
		return response{}, err
	}
	var r response
	p.Blocks, r, err = consents(b).put(ctx, in, other, lifted)
	if p.Problem = whyNotBlocked(err); p.Problem == "" && err != nil {
		return response{}, err
	}
	answer := b.panel(in, p, update)
	answer.redraw = r.redraw
	return answer, nil
}

// turn shows another page of those who are blocked.
func (b preferences) turn(ctx context.Context, in *request) (response, error) {
	p, err := b.read(ctx, in)
	p.Page = in.button.Page
	return b.panel(in, p, in.inPlace), err
}

func (b preferences) panel(in *request, p view.Preferences, as func(discord.Message) response) response {
	return as(b.kit.view(in.locale()).People().Preferences(p))
}
