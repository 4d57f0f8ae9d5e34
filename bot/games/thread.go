package games

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/discord"
	"tictactoe/bot/internal/recent"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Threads are matches that have a thread of their own in their channel. A match keeps its
// channel's place and its players' seats there, so that they find it from the channel too.
type Threads struct {
	tools
	api      API
	reopened recent.Lately[store.ChannelID]
}

// openByRule begins a match in a thread where the guild wants that of every public one, and
// else in the channel. Where the application may not begin a thread, the match is played in the
// channel: the guild's settings say so to who reads them.
func (b *Threads) openByRule(ctx context.Context, in *kit.Request, prepare func() (change.Opening, error)) (store.Match, error) {
	if in.Settings.Threads == store.ThreadsAlways && in.TextChannel && in.AppMay(discord.BeginThreads) {
		return b.open(ctx, in, prepare)
	}
	return b.change.Open(ctx, in, prepare)
}

// Offered reports whether people can be offered a thread in the channel. That the
// application may not begin one is said to who takes the offer.
func (b *Threads) Offered(in *kit.Request) bool {
	return in.Settings.Threads != store.ThreadsNever && in.TextChannel
}

// open begins a match in a thread. The thread comes first, because a match stays where it
// is; one whose match does not come about after all is left to Discord, which archives it.
func (b *Threads) open(ctx context.Context, in *kit.Request, prepare func() (change.Opening, error)) (store.Match, error) {
	switch {
	case in.Unread != nil:
		return store.Match{}, in.Unread
	case !b.Offered(in):
		return store.Match{}, match.ErrNoThread
	case !in.AppMay(discord.BeginThreads):
		return store.Match{}, match.ErrMayNotThread
	}
	threaded := func() (change.Opening, error) {
		o, err := prepare()
		o.Threaded, o.Match.Message = true, ""
		return o, err
	}
	o, err := threaded()
	if err == nil { // nobody wants a thread for a match that is refused,
		o.Match.Place, _, err = b.change.MayOpen(ctx, in, o, prepare)
	}
	if err != nil {
		return store.Match{}, err
	}
	if o.Match.Private() { // or that begins privately
		return b.change.Open(ctx, in, prepare)
	}
	if b.kit.Shared() {
		// Another process may have the same interaction, and a thread cannot be taken back.
		if err := b.change.Apply(ctx, store.Change{Interaction: in.InteractionID + "-thread"}); err != nil {
			return store.Match{}, change.Classify(err)
		}
	}
	made, err := b.api.CreateThread(ctx, string(in.ChannelID), b.kit.View(o.Match.Locale).Games().ThreadName(o.Match))
	switch {
	case errors.Is(err, rest.ErrMissingPermissions), errors.Is(err, rest.ErrMissingAccess):
		return store.Match{}, match.ErrMayNotThread
	case err != nil:
		b.kit.Log.Warn("thread not begun", "error", err)
		return store.Match{}, match.ErrNoThread
	}
	return b.change.Open(ctx, in, func() (change.Opening, error) {
		o, err := threaded()
		o.Match.Thread, o.Aside = store.ChannelID(made.ID), false
		return o, err
	})
}

// showBegun answers who has begun a match: with its board, or with the way to its thread,
// where the board follows.
func (b *Threads) showBegun(in *kit.Request, m store.Match) (kit.Response, error) {
	if !awayFrom(m, in.ChannelID) {
		return b.kit.ShowMatch(m, kit.Reply)
	}
	r := in.InPlace(b.kit.View(in.Language()).Games().ThreadBegun(discord.MessageLink(m.Guild, m.Thread, "")))
	r.Then = b.post(in, m)
	return r, nil
}

// awayFrom reports whether the match has a thread, and the channel is another one.
func awayFrom(m store.Match, channel store.ChannelID) bool {
	return m.Thread != "" && m.Thread != channel
}

// post writes into a new thread who plays there, and then the board. Who is called becomes
// a member by that, and who has caused it by an edit of the board. Where posting fails the
// command that shows the board brings it.
func (b *Threads) post(in *kit.Request, m store.Match) func(context.Context) {
	return func(ctx context.Context) {
		say := func(msg discord.Message, nonce string) store.MessageID {
			msg.Nonce = nonce + strconv.FormatInt(int64(m.ID), 36)
			id, err := b.kit.Post(ctx, m.Thread, msg.By(in.User))
			if err != nil {
				b.kit.Log.Warn("thread not written in", "error", err)
			}
			return id
		}
		v := b.kit.View(m.Locale)
		line := v
		line.Names = b.kit.NamesIn(ctx, m.Guild, in.UserID) // who is not called
		say(line.Games().ThreadPlayers(m), "p")
		made := b.kit.Now()
		if now, err := b.change.LoadMatch(ctx, m.ID); err == nil {
			m = now // who has had it shown by the command meanwhile may have moved
		}
		board, err := v.Board().Match(m)
		if err != nil {
			b.kit.Log.Error("board of a thread not drawn", "error", err)
			return
		}
		if id := say(board, "b"); id != "" {
			b.kit.Tracker.Posted(kit.MatchRef(m.ID), tracker.Copy{Channel: m.Thread, ID: id}, m.Version, made)
			b.kit.Tracker.RedrawAgain(kit.MatchRef(m.ID))
		}
	}
}

const (
	// threadTime bounds a look at a thread, for which somebody may wait.
	threadTime = time.Second
	// reopenEvery is how often a thread is opened at most: who archives it again means it.
	reopenEvery = time.Hour
	reopenMost  = 10_000
)

// Closed returns why the matches in a thread cannot go on, [store.NotEnded] where they can or
// nobody knows. Nothing else tells: events about threads come with all those about channels,
// and the bot asks for none.
func (b *Threads) Closed(ctx context.Context, thread store.ChannelID) store.EndReason {
	ctx, cancel := context.WithTimeout(ctx, threadTime)
	defer cancel()
	found, err := b.api.Channel(ctx, string(thread))
	switch {
	case rest.Gone(err):
		return store.Unreachable
	case err != nil:
		b.kit.Log.Info("thread not looked at", "error", err)
		return store.NotEnded
	case found.Thread.Locked:
		return store.ThreadLocked
	default:
		return store.NotEnded
	}
}

// LookForGames has a guild's settings follow where the channel to which it has moved its games
// was deleted: else who is led there could play nowhere.
func (b *Threads) LookForGames(in *kit.Request) func(context.Context) {
	guild, channel := in.GuildID, in.Settings.Games
	return func(ctx context.Context) {
		if b.Closed(ctx, channel) == store.Unreachable {
			b.change.EndPosts(ctx, guild, change.NoGamesIn(channel))
		}
	}
}

// Reopen opens an archived thread, once in reopenEvery, and reports whether it has.
func (b *Threads) Reopen(ctx context.Context, thread store.ChannelID) bool {
	if b.reopened.Again(thread, b.kit.Now(), reopenEvery, reopenMost) {
		return false
	}
	err := b.api.OpenThread(ctx, string(thread))
	if err != nil {
		b.kit.Log.Info("archived thread not opened", "error", err)
	}
	return err == nil
}
