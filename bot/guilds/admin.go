package guilds

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/quirks"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// admins set what counts in their guild. Who may is checked at every step: Discord shows
// the command to them alone, but a panel stays when the right goes.
type admins struct{ *Guilds }

// show is the command: it opens a private panel, or asks the first questions where nothing was
// set yet.
func (b admins) show(ctx context.Context, in *kit.Request) (kit.Response, error) {
	s, err := b.read(ctx, in)
	if s.Version == 0 {
		return kit.Reply(b.Kit.View(in.Language()).Settings().Question(s, view.AsksChannel, in.ChannelID)), err
	}
	return kit.Reply(b.Kit.View(in.Language()).Settings().Panel(s, "", view.Saved)), err
}

// answer is the answer to one of the first questions, or leaves it open. Either way the settings
// are stored, and the questions are not asked again.
func (b admins) answer(ctx context.Context, in *kit.Request) (kit.Response, error) {
	question, value := view.Question(in.Button.Setting), in.Button.Value
	if in.Button.Action == customid.SetupChannel {
		question, value = view.AsksChannel, view.Yes
	}
	if question == view.AsksLobby && value == view.Yes {
		posted, err := b.lobby(ctx, in)
		if err != nil {
			return kit.Response{}, err
		}
		r, err := b.panel(ctx, in, "", in.InPlace)
		return b.Kit.AlsoSay(in, r, posted.Message), err
	}
	setting, chosen := "", ""
	switch {
	case value != view.Yes:
	case question == view.AsksPuzzle:
		setting, chosen = "puzzle", string(in.Near(in.Settings.Games))
	case question != view.AsksChannel:
		return kit.Response{}, match.ErrBadOption
	default:
		setting, chosen = "channel", in.Value()
	}
	s, err := b.store(ctx, in, setting, chosen)
	if err != nil || question == view.AsksLobby {
		return b.shown(in, s, setting, err)
	}
	next, stands := view.AsksPuzzle, in.Near(s.Games)
	if question == view.AsksPuzzle || stands == in.ChannelID && !in.TextChannel {
		next = view.AsksLobby
	}
	return kit.Update(b.Kit.View(in.Language()).Settings().Question(s, next, stands)), nil
}

// turn is a tab of the panel, and the select that panels of a version before have in its place.
func (b admins) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	page := cmp.Or(in.Button.Setting, in.Value())
	if page == "" {
		return kit.Response{}, match.ErrBadOption
	}
	return b.panel(ctx, in, page, in.InPlace)
}

func (b admins) panel(ctx context.Context, in *kit.Request, page string, as func(discord.Message) kit.Response) (kit.Response, error) {
	s, err := b.read(ctx, in)
	return as(b.Kit.View(in.Language()).Settings().Panel(s, page, view.Saved)), err
}

// read returns the guild's settings as they are stored now.
func (b admins) read(ctx context.Context, in *kit.Request) (s view.GuildSettings, err error) {
	s = view.GuildSettings{UsualPlaces: in.UsualPlaces, Now: b.Kit.Now()}
	if in.TextChannel {
		s.NoThreads = in.AppLacks(discord.BeginThreads)
	}
	s.GuildSettings, err = b.Store.GuildSettings(ctx, in.GuildID)
	return s, err
}

// byManagers is the handler for those who may manage the guild.
func byManagers(handle kit.Handler) kit.Handler {
	return func(ctx context.Context, in *kit.Request) (kit.Response, error) {
		switch {
		case in.GuildID == "":
			return kit.Response{}, match.ErrDirectMessage
		case !in.May(discord.PermissionManageGuild):
			return kit.Response{}, match.ErrNotManager
		}
		return handle(ctx, in)
	}
}

// managed is byManagers for what the bot does as a member of the guild.
func managed(handle kit.Handler) kit.Handler {
	return byManagers(func(ctx context.Context, in *kit.Request) (kit.Response, error) {
		if in.CommandsOnly() {
			return kit.Response{}, match.ErrAbsent
		}
		return handle(ctx, in)
	})
}

// postPuzzle is the button of the panel that posts today's puzzle without waiting for its hour.
func (b admins) postPuzzle(ctx context.Context, in *kit.Request) (kit.Response, error) {
	posted, err := b.PostPuzzle(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	b.Kit.Log.Info("puzzle posted at once", "guild", in.GuildID, "by", in.UserID)
	r, err := b.panel(ctx, in, "puzzle", in.InPlace) // whose version has moved
	return b.Kit.AlsoSay(in, r, posted), err
}

// set is the select of one setting. It counts from then on; matches that run keep what
// they began with.
func (b admins) set(ctx context.Context, in *kit.Request) (kit.Response, error) {
	s, err := b.store(ctx, in, in.Button.Setting, in.Value())
	return b.shown(in, s, in.Button.Setting, err)
}

// shown answers with the panel as it is after a setting was changed, or could not be.
func (b admins) shown(in *kit.Request, s view.GuildSettings, name string, err error) (kit.Response, error) {
	why, ok := errors.AsType[kit.Problem](err)
	if err != nil && !ok {
		return kit.Response{}, err
	}
	return kit.Update(b.Kit.View(in.Language()).Settings().Panel(s, view.SettingsPageOf(name), view.Note(why))), nil
}

// store changes a setting, or none where it has no name, on a message that shows the settings as
// they are.
func (b admins) store(ctx context.Context, in *kit.Request, name, value string) (s view.GuildSettings, err error) {
	if !in.Message.Ephemeral() || len(in.Values) > 1 {
		return s, match.ErrUnknownRecord // made up: every panel is private
	}
	v := b.Kit.View(in.Language())
	var before string
	err = b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		if s, err = b.read(ctx, in); err != nil {
			return store.Change{}, err
		}
		if b.Kit.Stale(in, s.Version) {
			return store.Change{}, kit.Problem(view.Stale)
		}
		if name == "" {
			return store.Change{Guilds: []store.GuildSettings{s.GuildSettings}}, nil
		}
		if view.SetsChannel(name) && value != "" {
			if err := postsIn(in, s, value); err != nil {
				return store.Change{}, err
			}
		}
		next, was, ok := v.Settings().Set(s, name, value)
		if !ok {
			return store.Change{}, match.ErrBadOption
		}
		if old, p := s.Puzzle, &next.Puzzle; p.Channel == "" {
			p.Due = time.Time{}
		} else if p.Channel != old.Channel || p.Hour != old.Hour || p.Due.IsZero() {
			p.Idle = 0
			from := b.Kit.Now()
			if today := store.DayOf(from); p.Channel == old.Channel && p.Counted == today-1 { // today's is posted
				from = match.PuzzleEnds(today).Add(-1)
			}
			p.Due = match.PuzzlePostAfter(in.GuildID, p.Hour, from)
		}
		s, before = next, was
		return store.Change{Guilds: []store.GuildSettings{s.GuildSettings}}, nil
	})
	if err != nil {
		return s, err
	}
	s.Version++
	if name != "" {
		b.Kit.Log.Info("setting changed", "guild", in.GuildID, "by", in.UserID, "setting", name, "from", before, "to", value)
	}
	return s, nil
}

// postsIn returns why nothing can be posted in a channel that was chosen, as far as Discord tells:
// of what was not chosen in a list it tells where this is.
func postsIn(in *kit.Request, s view.GuildSettings, channel string) error {
	chosen, known := in.Channels[channel]
	switch {
	case in.Button.Action == customid.Setup && channel == string(s.Games):
		return nil
	case in.Button.Action == customid.Setup && channel == in.Channel:
		known = in.TextChannel
	case known:
		known = chosen.TakesPosts()
	}
	switch {
	case !known:
		return match.ErrBadOption
	case channel == in.Channel && !in.AppMay(discord.PermissionViewChannel|discord.PermissionSendMessages):
		return kit.Problem(view.MayNotPost) // of other channels Discord does not tell
	}
	return nil
}

// askToBeginAnew is the button of the panel that lets the guild's standings begin anew.
func (b admins) askToBeginAnew(_ context.Context, in *kit.Request) (kit.Response, error) {
	return kit.Reply(b.Kit.View(in.Language()).Settings().BeginAnewQuestion()), nil
}

// beginAnew is the button that says yes to that. What was before stays in the ledger.
func (b admins) beginAnew(ctx context.Context, in *kit.Request) (kit.Response, error) {
	err := b.Change.Do(ctx, in, func() (store.Change, error) {
		return store.Change{Epochs: []store.Epoch{{Guild: in.GuildID, At: b.Kit.Now(), By: in.UserID}}}, nil
	})
	if err != nil {
		return kit.Response{}, err
	}
	b.Kit.Log.Info("standings begin anew", "guild", in.GuildID, "by", in.UserID)
	return kit.Update(b.Kit.View(in.Language()).Note(view.BegunAnew)), nil
}

// askToErase are the button of the panel that has everything about the guild erased, and the
// one that says yes for the first time.
func (b admins) askToErase(_ context.Context, in *kit.Request) (kit.Response, error) {
	again := in.Button.Action == customid.EraseGuildSure
	msg := b.Kit.View(in.Language()).Settings().EraseGuildQuestion(again)
	if again {
		return in.InPlace(msg), nil
	}
	return kit.Reply(msg), nil
}

// erase is the button that says yes for the second time. From then on it goes on by itself,
// whatever becomes of this process.
func (b admins) erase(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if err := b.Store.ForgetGuild(ctx, store.ApplicationID(in.Application), in.GuildID); err != nil {
		return kit.Response{}, err
	}
	b.Kit.Log.Info("everything about a server is to be erased", "guild", in.GuildID, "by", in.UserID)
	r := kit.Update(b.Kit.View(in.Language()).Note(view.ErasingGuild))
	r.Then = b.Forget
	return r, nil
}

// check is the command, and the button of the panel, that tells who manages a guild what the bot may do in the channel,
// and how it fares. The store is asked to save something for it, as for /readyz.
func (b admins) check(ctx context.Context, in *kit.Request) (kit.Response, error) {
	c := view.Check{
		May: in.AppMay, Thread: in.Parent != "", Text: in.TextChannel,
		Connected: b.Kit.Served().Has(in.GuildID.Domain()), Saves: b.Store.Check(ctx) == nil, InContainer: b.InContainer,
	}
	c.Dots, c.Captions = b.Kit.Quirks.Has(quirks.BlankLabels), b.Kit.Quirks.Has(quirks.ChangedNumbers)
	if in.CommandsOnly() {
		c.Invite = kit.InviteLink(in.Application)
	}
	c.Failed, c.Incident = b.LastIncident(in.GuildID, b.Kit.Now())
	return kit.Reply(b.Kit.View(in.Language()).Settings().Check(c)), nil
}
