package games

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// repostPause is how long a board that was posted again stands before it can be
// posted once more.
const repostPause = 30 * time.Second

// boards show what is played.
type boards struct {
	tools
	matches store.Matches
}

// show is the command: it posts the match that its user plays in the channel anew. Who
// plays none here gets a private list: of their own matches in the guild, and of those in
// the channel.
func (b boards) show(ctx context.Context, in *kit.Request, here here) (kit.Response, error) {
	switch v := b.kit.View(in.Language()); {
	case here.mine.ID != 0:
		r, err := b.repost(ctx, in, here.mine)
		if refused := (*kit.Refusal)(nil); errors.As(err, &refused) {
			refused.Private = here.private
		}
		if len(here.elsewhere) > 0 {
			r = b.kit.AlsoSay(in, r, v.Games().List(view.GamesElsewhereToo, b.kit.Listed(here.elsewhere)))
		}
		if here.private.ID != 0 {
			r = b.kit.AlsoSay(in, r, v.Games().PrivateToo(here.private))
		}
		return r, err
	case here.private.ID != 0:
		r, err := b.repost(ctx, in, here.private)
		if other := here.other(); other.ID != 0 {
			link := b.kit.LinkTo(other.Guild, other.Where(), kit.MatchRef(other.ID), other.Message)
			r = b.kit.AlsoSay(in, r, v.Games().PublicToo(other, link))
		}
		return r, err
	case len(here.elsewhere) > 0:
		return kit.Reply(v.Games().List(view.GamesElsewhere, b.kit.Listed(here.elsewhere))), nil
	case len(here.others) > 1:
		return kit.Reply(v.Games().List(view.GamesHere, b.kit.Listed(here.others))), nil
	case len(here.others) == 1:
		return b.showSnapshot(in, here.other())
	default:
		return kit.Response{}, match.ErrNoBoard
	}
}

// here is what is played in a channel, and by its user elsewhere in the guild, as one
// person sees it. Each may be missing.
type here struct {
	mine      store.Match   // the public match that they play in the channel,
	others    []store.Match // those of other people,
	private   store.Match   // their own there,
	elsewhere []store.Match // and their other public ones in the guild
}

// other returns the first match of other people.
func (h here) other() store.Match {
	if len(h.others) == 0 {
		return store.Match{}
	}
	return h.others[0]
}

// playedIn returns the active public matches of a channel, with those in threads of it. Of
// a thread, whose channel is the parent, it returns those in the thread.
func (b boards) playedIn(ctx context.Context, channel, parent store.ChannelID) ([]store.Match, error) {
	active, err := b.matches.ActiveMatches(ctx, channel)
	if err != nil || parent == "" {
		return active, err
	}
	around, err := b.matches.ActiveMatches(ctx, parent)
	around = slices.DeleteFunc(around, func(m store.Match) bool { return m.Thread != channel })
	return append(active, around...), err
}

func (b boards) matchesHere(ctx context.Context, in *kit.Request) (h here, err error) {
	active, err := b.playedIn(ctx, in.ChannelID, store.ChannelID(in.Parent))
	if err != nil {
		return h, err
	}
	for _, m := range active {
		switch {
		case m.Seat(in.UserID) == engine.None:
			h.others = append(h.others, m)
		case m.Where() == in.ChannelID:
			h.mine = m
		}
	}
	private, err := b.matches.PrivateMatches(ctx, in.ChannelID, in.UserID, 1)
	if err != nil {
		return h, err
	}
	if len(private) > 0 {
		h.private = private[0]
	}
	if in.GuildID != "" {
		h.elsewhere, err = b.matches.SeatedMatches(ctx, in.GuildID, in.UserID, view.MostListed+1)
		h.elsewhere = slices.DeleteFunc(h.elsewhere, func(m store.Match) bool { return m.ID == h.mine.ID })
		slices.SortStableFunc(h.elsewhere, func(a, b store.Match) int { return b.Created.Compare(a.Created) })
	}
	return h, err
}

// showAgain is the button that leads to a board: of the game that its message shows by now.
func (b *Games) showAgain(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	for match.HandedOn(m) {
		var err error
		if m, err = b.change.LoadMatch(ctx, m.Next); err != nil {
			return kit.Response{}, err
		}
	}
	switch {
	case m.Seat(in.UserID) != engine.None && (m.Where() == in.ChannelID || m.Private()):
		return b.boards.repost(ctx, in, m)
	case InThread(m) && b.Threads.Closed(ctx, m.Thread) == store.Unreachable: // its players are free then
		err := b.EndIn(ctx, m.Thread, m.Channel, store.Unreachable)
		return kit.Response{}, cmp.Or[error](err, &kit.Refusal{Reason: match.ErrMatchOver, Match: match.Close(m, store.Unreachable)})
	}
	return b.boards.showSnapshot(in, m)
}

// repost posts the board anew; the message that showed it points to the new one. So
// soon after the last time it does so only where that one was deleted.
func (b boards) repost(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	r, err := b.kit.ShowMatch(m, kit.Reply)
	if err != nil {
		return r, err
	}
	pause := repostPause
	if m.Private() {
		pause = 0
	}
	old, again, ok := b.kit.Tracker.Repost(ctx, kit.MatchRef(m.ID), kit.BoardOf(m), pause)
	if !ok {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrJustPosted, Match: m, Until: again}
	}
	if wait := b.postedElsewhere(ctx, in, m, pause); wait > 0 && !b.kit.Tracker.StillGone(ctx, kit.MatchRef(m.ID)) {
		return kit.Response{}, &kit.Refusal{Reason: match.ErrJustPosted, Match: m, Until: b.kit.Now().Add(wait)}
	}
	if old.ID != "" {
		r.Then = b.pointFrom(old, m)
	}
	return r, nil
}

// postedElsewhere returns how long it takes until the board may be posted again, where
// another process has done so, and otherwise notes that this one does.
func (b boards) postedElsewhere(ctx context.Context, in *kit.Request, m store.Match, pause time.Duration) time.Duration {
	if b.change.Starts.Shared == nil || pause == 0 {
		return 0
	}
	limit := store.Limit{Key: "board " + strconv.FormatInt(int64(m.ID), 10), Most: 1, Within: pause}
	wait, err := b.change.Starts.Shared.Count(ctx, in.ID, []store.Limit{limit})
	if err != nil {
		b.kit.Log.Info("a board is posted without a look at other processes", "error", err)
		return 0
	}
	return wait
}

// pointFrom turns a message that showed the board into one that says where it is now.
func (b boards) pointFrom(old tracker.Copy, m store.Match) func(context.Context) {
	return func(ctx context.Context) {
		link := ""
		if !m.Private() {
			current := b.kit.Tracker.Where(kit.MatchRef(m.ID), "")
			if current == "" || current == old.ID {
				return // the new message did not come about
			}
			link = discord.MessageLink(m.Guild, m.Where(), current)
		}
		b.replace(ctx, kit.MatchRef(m.ID), old, b.kit.View(m.Locale).Board().Relocated(m, link))
	}
}

// replace has a message say where the record that it showed is now. If that cannot be done its buttons still
// work as such a pointer.
func (t tools) replace(ctx context.Context, r tracker.Ref, old tracker.Copy, said discord.Message) {
	if err := t.kit.Tracker.Replace(ctx, r, old, said); err != nil {
		t.kit.Log.Info("old board left as it is", "error", err)
	}
}

// showSnapshot shows somebody else's match, to look at.
func (b boards) showSnapshot(in *kit.Request, m store.Match) (kit.Response, error) {
	msg, err := b.kit.View(in.Language()).Board().Snapshot(m)
	return kit.Reply(msg), err
}
