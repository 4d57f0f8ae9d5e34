package guilds

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// lobby is the command, and the button of the panel, that posts a message to pin, for games
// without typing. It is the bot's own, in the guild's language, and not an answer to whoever
// asked for it. Where games are elsewhere it is posted there.
func (b admins) lobby(ctx context.Context, in *kit.Request) (kit.Response, error) {
	need := in.ToSend() | discord.PermissionViewChannel
	v, channel := b.Kit.View(in.Language()), in.Near(in.Settings.Games)
	if channel == in.ChannelID && !in.AppMay(need) {
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	}
	l := store.Lobby{Channel: channel, Guild: in.GuildID, Locale: in.GuildLocale, Drawn: b.Kit.Now()}
	msg, shows, err := b.lobbyOf(ctx, l, true)
	if err != nil {
		return kit.Response{}, err
	}
	l.Shows, msg.Nonce = shows, in.ID // however often this is delivered
	l.Message, err = b.Kit.Post(ctx, channel, msg)
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return kit.Reply(v.Settings().LobbyRefused(kit.Lacking(in, need))), nil
	case rest.Gone(err) && channel == in.Settings.Games:
		b.Change.EndPosts(ctx, in.GuildID, change.NoGamesIn(channel))
		in.Settings.Games = ""
		return b.lobby(ctx, in)
	case err != nil:
		return kit.Response{}, err
	}
	before, err := b.Store.Lobbies(ctx, channel, 1)
	if err == nil {
		err = b.Store.SetLobby(ctx, store.Lobby{}, l)
	}
	switch {
	case err != nil:
		b.Kit.Log.Warn("a lobby stays as it was posted", "channel", channel, "error", err)
	case len(before) > 0 && before[0].Channel == channel && before[0].Message != l.Message:
		b.Kit.Work.Go(func(ctx context.Context) { b.takeAway(ctx, before[0]) })
	}
	b.Kit.Log.Info("lobby posted", "guild", in.GuildID, "channel", channel, "by", in.UserID)
	return kit.Reply(v.Settings().LobbyPosted(discord.MessageLink(in.GuildID, channel, l.Message))), nil
}

// takeAway deletes a lobby in whose channel another one was posted.
func (b admins) takeAway(ctx context.Context, l store.Lobby) {
	err := b.Kit.API.DeleteMessage(ctx, string(l.Channel), string(l.Message))
	if err != nil && !rest.Gone(err) {
		b.Kit.Log.Info("an old lobby stays", "guild", l.Guild, "channel", l.Channel, "error", err)
	}
}

const (
	// lobbyEvery is how often a lobby is drawn at most, and lobbiesMost how many are at a look:
	// there is one in a second.
	lobbyEvery  = 10 * time.Minute
	lobbiesMost = 2
	// lobbiesRead is how many are read at a look, and lobbiesRound how long after the last of
	// them the first one comes again.
	lobbiesRead  = 20
	lobbiesRound = time.Minute
	lobbiesPause = 30 * time.Second // behind a look that failed
)

// Jobs returns what has to be done again and again.
func (b *Guilds) Jobs() []kit.Job {
	l := &lobbies{Guilds: b}
	return []kit.Job{{Every: time.Second, Run: l.look, Left: "lobbies are drawn later", Pause: lobbiesPause}}
}

// lobbies are those that are kept up to date. They are looked at in turn.
type lobbies struct {
	*Guilds

	from store.ChannelID // of the one whose turn it is
	next time.Time       // when the first comes again
}

// look draws lobbies that have something else to show, unless boards wait to be drawn: those
// come first, and so does whatever is due for somebody.
func (b *lobbies) look(ctx context.Context) error {
	now := b.Kit.Now()
	if now.Before(b.next) || !b.Kit.Connected() || b.Kit.Tracker.Busy() {
		return nil
	}
	all, err := b.Store.Lobbies(ctx, b.from, lobbiesRead)
	if err != nil {
		return err
	}
	i, drawn := 0, 0
	for ; i < len(all) && err == nil && drawn < lobbiesMost; i++ {
		var begun bool
		b.from = all[min(i+1, len(all)-1)].Channel // also behind one that fails
		if begun, err = b.try(ctx, all[i], now); begun {
			drawn++
		}
	}
	if i == len(all) && i < lobbiesRead { // that was the last one
		b.from, b.next = "", now.Add(lobbiesRound)
	}
	return err
}

// try has a lobby drawn if it shows something else than what is so. It is claimed first, as
// one of which nobody knows what it shows, so that it is drawn again if this is cut off.
func (b *lobbies) try(ctx context.Context, l store.Lobby, now time.Time) (begun bool, err error) {
	if age := now.Sub(l.Drawn); age >= 0 && age < lobbyEvery {
		return false, nil
	}
	_, shows, err := b.lobbyOf(ctx, l, false)
	if err != nil || shows == l.Shows {
		return false, err
	}
	old := l
	l.Drawn, l.Shows = now, ""
	switch err := b.Store.SetLobby(ctx, old, l); {
	case errors.Is(err, store.ErrConflict): // it was posted anew, or is somebody else's
		return false, nil
	case err != nil:
		return false, err
	}
	b.Kit.Work.Go(func(ctx context.Context) { b.draw(ctx, l) })
	return true, nil
}

// draw draws a lobby that is claimed. One that cannot be drawn any more is forgotten; any other
// is tried again when it is its turn.
func (b *lobbies) draw(ctx context.Context, l store.Lobby) {
	old := l
	msg, shows, err := b.lobbyOf(ctx, l, true)
	if err == nil {
		_, err = b.Kit.API.EditMessage(ctx, string(l.Channel), string(l.Message), msg.Edit())
	}
	switch {
	case err == nil:
		l.Shows = shows
	case rest.Gone(err), rest.Forbidden(err):
		b.Kit.Log.Info("a lobby is drawn no more", "guild", l.Guild, "channel", l.Channel, "error", err)
		l.Message = ""
	}
	if l != old {
		err = b.Store.SetLobby(ctx, old, l)
	}
	if err != nil && !errors.Is(err, store.ErrConflict) {
		b.Kit.Log.Info("a lobby is drawn later", "channel", l.Channel, "error", err)
	}
}

// lobbyOf returns a lobby as it is to be, and the hash of what it shows. Only where it is asked
// for, Discord tells the leader's name, and whether they are still there.
func (b *Guilds) lobbyOf(ctx context.Context, l store.Lobby, named bool) (msg discord.Message, shows string, err error) {
	now := b.Kit.Now()
	guild, err := b.Kit.Settings.Guild(ctx, l.Guild)
	if err != nil {
		return msg, "", err
	}
	day, err := b.Store.PuzzleDay(ctx, l.Guild, store.DayOf(now))
	if err != nil {
		return msg, "", err
	}
	told := view.Lobby{Solved: day.Solved, Hidden: !guild.Leaderboard.Or(true)}
	var king string
	if told.King, king, err = b.kingOf(ctx, l, named); err != nil {
		return msg, "", err
	}
	names := map[store.UserID]string{}
	if !told.Hidden {
		var asked store.GuildID // in no guild nobody is asked for
		if named {
			asked = l.Guild
		}
		err = b.Change.PresentIn(ctx, asked, "", names, func() (users []store.UserID, err error) {
			told.Leader = nil
			rows, _, err := b.Store.Standings(ctx, l.Guild, store.MonthOf(now), 0, 2)
			if len(rows) == 1 || len(rows) == 2 && rows[1].Rank > 1 {
				told.Leader = &rows[0]
				users = append(users, rows[0].User)
			}
			return users, err
		})
	}
	if told.King != nil {
		names[told.King.User] = king
	}
	v := b.Kit.View(cmp.Or(guild.Locale, l.Locale)).Settings()
	hash := sha256.Sum256(v.Lobby(told).Create())
	v.Names = names
	return v.Lobby(told), hex.EncodeToString(hash[:]), err
}

// kingOf returns the king of a lobby's channel, nil for none, and their name, where it is asked
// for: then Discord tells, too, whether they are still there.
func (b *Guilds) kingOf(ctx context.Context, l store.Lobby, named bool) (k *view.King, name string, err error) {
	var c store.Crown
	var is kit.Membership
	if named {
		c, is, err = b.Change.LookAtCrown(ctx, l.Guild, l.Channel)
	} else {
		c, err = b.Change.Crown(ctx, l.Guild, l.Channel)
	}
	if err != nil || c.User == "" {
		return nil, "", err
	}
	takes, err := b.Change.TakesChallenges(ctx, l.Guild, c.User)
	return &view.King{Crown: c, Takes: takes}, is.Name, err
}
