package guilds

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// admins set what counts in their guild. Who may is checked at every step: Discord shows
// the command to them alone, but a panel stays when the right goes.
type admins struct{ *Guilds }

// show is the command: it opens a private panel.
func (b admins) show(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.panel(ctx, in, "", kit.Reply)
}

// turn is the select that leads to another page of the panel.
func (b admins) turn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if len(in.Values) != 1 {
		return kit.Response{}, match.ErrBadOption
	}
	return b.panel(ctx, in, in.Values[0], in.InPlace)
}

func (b admins) panel(ctx context.Context, in *kit.Request, page string, as func(discord.Message) kit.Response) (kit.Response, error) {
	s, err := b.read(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	return as(b.Kit.View(in.Language()).Settings().Panel(s, page, view.Saved)), nil
}

// read returns the guild's settings as they are stored now, to somebody who may change
// them.
func (b admins) read(ctx context.Context, in *kit.Request) (s view.GuildSettings, err error) {
	switch {
	case in.GuildID == "":
		return s, match.ErrDirectMessage
	case !in.May(discord.PermissionManageGuild):
		return s, match.ErrNotManager
	case in.CommandsOnly():
		return s, match.ErrAbsent
	}
	s = view.GuildSettings{UsualClock: in.UsualClock, UsualPlaces: in.UsualPlaces, Now: b.Kit.Now()}
	if in.TextChannel {
		s.NoThreads = in.AppLacks(discord.BeginThreads)
	}
	s.GuildSettings, err = b.Store.GuildSettings(ctx, in.GuildID)
	return s, err
}

// errStalePanel: the settings have changed since the panel was drawn.
var errStalePanel = errors.New("bot: the panel shows older settings")

// errMayNotPost: the application may not post in the channel that was chosen.
var errMayNotPost = errors.New("bot: may not post in the channel")

// set is the select of one setting. It counts from then on; matches that run keep what
// they began with.
func (b admins) set(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if !in.Message.Ephemeral() || len(in.Values) > 1 {
		return kit.Response{}, match.ErrUnknownRecord // made up: every panel is private
	}
	v, name, value := b.Kit.View(in.Language()), in.Button.Setting, ""
	if len(in.Values) > 0 { // none where what was chosen is taken away
		value = in.Values[0]
	}
	var s view.GuildSettings
	var before string
	err := b.Change.Do(ctx, in, func() (_ store.Change, err error) {
		if s, err = b.read(ctx, in); err != nil {
			return store.Change{}, err
		}
		if shown, ok := customid.PlyOf(in.Message.Marker); !ok || shown != s.Version {
			return store.Change{}, errStalePanel
		}
		if view.SetsChannel(name) && value != "" {
			switch chosen, known := in.Channels[value]; {
			case !known || !chosen.TakesPosts():
				return store.Change{}, match.ErrBadOption
			case value == in.Channel && !in.AppMay(discord.PermissionViewChannel|discord.PermissionSendMessages):
				return store.Change{}, errMayNotPost // of other channels Discord does not tell
			}
		}
		next, was, ok := v.Settings().Set(s, name, value)
		if !ok {
			return store.Change{}, match.ErrBadOption
		}
		if old, p := s.Puzzle, &next.Puzzle; p.Channel == "" {
			p.Due = time.Time{}
		} else if p.Channel != old.Channel || p.Hour != old.Hour {
			p.Due = match.PuzzlePostAfter(in.GuildID, p.Hour, b.Kit.Now())
		}
		s, before = next, was
		return store.Change{Guilds: []store.GuildSettings{s.GuildSettings}}, nil
	})
	switch {
	case errors.Is(err, errStalePanel):
		return kit.Update(v.Settings().Panel(s, view.SettingsPageOf(name), view.Stale)), nil
	case errors.Is(err, errMayNotPost):
		return kit.Update(v.Settings().Panel(s, view.SettingsPageOf(name), view.MayNotPost)), nil
	case err != nil:
		return kit.Response{}, err
	}
	s.Version++
	b.Kit.Log.Info("setting changed", "guild", in.GuildID, "by", in.UserID, "setting", name, "from", before, "to", value)
	return kit.Update(v.Settings().Panel(s, view.SettingsPageOf(name), view.Saved)), nil
}

// askToBeginAnew is the button of the panel that lets the guild's standings begin anew.
func (b admins) askToBeginAnew(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if _, err := b.read(ctx, in); err != nil {
		return kit.Response{}, err
	}
	return kit.Reply(b.Kit.View(in.Language()).Settings().BeginAnewQuestion()), nil
}

// beginAnew is the button that says yes to that. What was before stays in the ledger.
func (b admins) beginAnew(ctx context.Context, in *kit.Request) (kit.Response, error) {
	err := b.Change.Do(ctx, in, func() (store.Change, error) {
		if !in.Message.Ephemeral() {
			return store.Change{}, match.ErrUnknownRecord // made up: the question is private
		}
		_, err := b.read(ctx, in)
		return store.Change{Epochs: []store.Epoch{{Guild: in.GuildID, At: b.Kit.Now(), By: in.UserID}}}, err
	})
	if err != nil {
		return kit.Response{}, err
	}
	b.Kit.Log.Info("standings begin anew", "guild", in.GuildID, "by", in.UserID)
	return kit.Update(b.Kit.View(in.Language()).Note(view.BegunAnew)), nil
}

// keepStandings is the button that says no.
func (b admins) keepStandings(_ context.Context, in *kit.Request) (kit.Response, error) {
	return in.InPlace(b.Kit.View(in.Language()).Note(view.StandingsKept)), nil
}

// askToErase are the button of the panel that has everything about the guild erased, and the
// one that says yes for the first time.
func (b admins) askToErase(ctx context.Context, in *kit.Request) (kit.Response, error) {
	if _, err := b.read(ctx, in); err != nil {
		return kit.Response{}, err
	}
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
	if !in.Message.Ephemeral() {
		return kit.Response{}, match.ErrUnknownRecord // made up: the question is private
	}
	if _, err := b.read(ctx, in); err != nil {
		return kit.Response{}, err
	}
	if err := b.Store.ForgetGuild(ctx, store.ApplicationID(in.Application), in.GuildID); err != nil {
		return kit.Response{}, err
	}
	b.Kit.Log.Info("everything about a server is to be erased", "guild", in.GuildID, "by", in.UserID)
	r := kit.Update(b.Kit.View(in.Language()).Note(view.ErasingGuild))
	r.Then = b.Forget
	return r, nil
}
