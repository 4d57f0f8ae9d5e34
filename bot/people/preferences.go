package people

import (
	"cmp"
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
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
func (b preferences) read(ctx context.Context, in *kit.Request) (p view.Preferences, err error) {
	p.Guild = in.Settings
	p.Guild.Guild = in.GuildID
	if p.Person, err = b.Store.Person(ctx, in.UserID); err != nil {
		return p, err
	}
	p.Blocks, err = b.Store.Blocks(ctx, in.UserID)
	return p, err
}

// set is a button of the panel, or one of the selects that say by what one plays, with which
// mark one is shown, and in which language one is spoken to.
func (b preferences) set(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.put(ctx, in, func(p *view.Preferences) (c store.Change, ok bool) {
		switch in.Button.Action {
		case customid.PlaysBy:
			p.PlaysBy, ok = view.PlaysBy(in.Values)
		case customid.OwnMark:
			p.Mark, ok = view.Mark(in.Values)
		case customid.Language:
			p.Locale, ok = b.Kit.View(in.Language()).People().Language(in.Values)
		default:
			p.Person, ok = view.SetPreference(p.Person, in.Button.Preference, in.Button.Value)
		}
		return store.Change{People: []store.Person{p.Person}}, ok
	})
}

// takeFrom is the select that says from whom one takes challenges.
func (b preferences) takeFrom(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.put(ctx, in, func(p *view.Preferences) (c store.Change, ok bool) {
		if len(in.Values) != 1 {
			return c, false
		}
		c.Blocks, ok = match.Take(in.UserID, in.GuildID, match.From(in.Values[0]), b.Kit.Now())
		for _, changed := range c.Blocks {
			p.Blocks = with(p.Blocks, changed)
		}
		return c, ok
	})
}

// put stores what is set on the panel, and shows it.
func (b preferences) put(ctx context.Context, in *kit.Request, set func(*view.Preferences) (_ store.Change, ok bool)) (kit.Response, error) {
	var p view.Preferences
	err := b.Change.Do(ctx, in, func() (c store.Change, err error) {
		if p, err = b.read(ctx, in); err != nil {
			return c, err
		}
		c, ok := set(&p)
		if !ok {
			return c, match.ErrUnknownRecord
		}
		return c, nil
	})
	return b.panel(in, p, kit.Update), err
}

// block is the select of people on the panel.
func (b preferences) block(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if len(in.Values) != 1 || !customid.IsUser(in.Values[0]) {
		return kit.Response{}, match.ErrUnknownRecord
	}
	return b.putBlock(ctx, in, store.UserID(in.Values[0]), false)
}

// unblock is the button beside a person there.
func (b preferences) unblock(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.putBlock(ctx, in, in.Button.User, true)
}

func (b preferences) putBlock(ctx context.Context, in *kit.Request, other store.UserID, lifted bool) (kit.Response, error) {
	p := view.Preferences{Guild: in.Settings, Page: in.Button.Page}
	p.Guild.Guild = in.GuildID
	var err error
	if p.Person, err = b.Store.Person(ctx, in.UserID); err != nil {
		return kit.Response{}, err
	}
	var r kit.Response
	p.Blocks, r, err = consents(b).put(ctx, in, other, lifted)
	if p.Problem = whyNotBlocked(err); p.Problem == "" && err != nil {
		return kit.Response{}, err
	}
	answer := b.panel(in, p, kit.Update)
	answer.Redraw = r.Redraw
	return answer, nil
}

// turn shows another page of the panel, or of those who are blocked.
func (b preferences) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	p, err := b.read(ctx, in)
	p.Page = in.Button.Page
	return b.panel(in, p, in.InPlace), err
}

// panel shows what is set, in the language that is, on the page that was clicked.
func (b preferences) panel(in *kit.Request, p view.Preferences, as func(discord.Message) kit.Response) kit.Response {
	p.Tab = view.PreferencesTabOf(in.Button)
	return as(b.Kit.View(cmp.Or(p.Locale, in.Locale)).People().Preferences(p))
}
