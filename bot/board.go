package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"tictactoe/bot/discord"
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
type boards struct{ *games }

// show is the command: it posts the match that its user plays in the channel anew. Who
// plays none here gets a private list: of their own matches in the guild, and of those in
// the channel.
func (b boards) show(ctx context.Context, in *request) (response, error) {
	here, err := b.matchesHere(ctx, in)
	v := b.kit.view(in.locale())
	switch {
	case err != nil:
		return response{}, err
	case here.mine.ID != 0:
		r, err := b.repost(ctx, in, here.mine)
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			refused.private = here.private
		}
		if len(here.elsewhere) > 0 {
			r = b.kit.alsoSay(in, r, v.Games().List(view.GamesElsewhereToo, b.kit.listed(here.elsewhere)))
		}
		if here.private.ID != 0 {
			r = b.kit.alsoSay(in, r, v.Games().PrivateToo(here.private))
		}
		return r, err
	case here.private.ID != 0:
		r, err := b.repost(ctx, in, here.private)
		if other := here.other(); other.ID != 0 {
			link := b.kit.linkTo(other.Guild, other.Where(), matchRef(other.ID), other.Message)
			r = b.kit.alsoSay(in, r, v.Games().PublicToo(other, link))
		}
		return r, err
	case len(here.elsewhere) > 0:
		return reply(v.Games().List(view.GamesElsewhere, b.kit.listed(here.elsewhere))), nil
	case len(here.others) > 1:
		return reply(v.Games().List(view.GamesHere, b.kit.listed(here.others))), nil
	case len(here.others) == 1:
		return b.showSnapshot(in, here.other())
	default:
		return response{}, match.ErrNoBoard
	}
}

// here is what is played in a channel, and by its user elsewhere in the guild, as one
// person sees it. Each may be missing.
type here struct {
	mine      store.Match   // the public match that they play in the channel,
	others    []store.Match // those of other people,
	private   store.Match   // their own there,
	elsewhere []store.Match // and their public ones in other channels of the guild
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
func (b *games) playedIn(ctx context.Context, channel, parent store.ChannelID) ([]store.Match, error) {
	active, err := b.store.ActiveMatches(ctx, channel)
	if err != nil || parent == "" {
		return active, err
	}
	around, err := b.store.ActiveMatches(ctx, parent)
	for _, m := range around {
		if m.Thread == channel {
			active = append(active, m)
		}
	}
	return active, err
}

func (b *games) matchesHere(ctx context.Context, in *request) (h here, err error) {
	active, err := b.playedIn(ctx, in.channel, store.ChannelID(in.Parent))
	if err != nil {
		return h, err
	}
	for _, m := range active {
		switch {
		case m.Seat(in.user) == engine.None:
			h.others = append(h.others, m)
		case m.Where() == in.channel:
			h.mine = m
		}
	}
	private, err := b.store.PrivateMatches(ctx, in.channel, in.user, 1)
	if err != nil {
		return h, err
	}
	if len(private) > 0 {
		h.private = private[0]
	}
	if in.guild != "" {
		h.elsewhere, err = b.store.SeatedMatches(ctx, in.guild, in.user, view.MostListed+1)
		h.elsewhere = slices.DeleteFunc(h.elsewhere, func(m store.Match) bool { return m.Where() == in.channel })
		slices.SortStableFunc(h.elsewhere, func(a, b store.Match) int { return b.Created.Compare(a.Created) })
	}
	return h, err
}

// listed returns the matches for a list of them, each with its link.
func (b *kit) listed(games []store.Match) []view.Listed {
	var list []view.Listed
	for _, m := range games {
		list = append(list, view.Listed{Match: m, Link: b.linkTo(m.Guild, m.Where(), matchRef(m.ID), m.Message)})
	}
	return list
}

// alsoSay has a private message follow the answer.
func (b *kit) alsoSay(in *request, r response, msg discord.Message) response {
	first := r.then
	r.then = func(ctx context.Context) {
		if _, err := b.api.FollowUp(ctx, in.Token, msg.Create()); err != nil {
			b.log.Info("words behind an answer not sent", "error", err)
		}
		if first != nil {
			first(ctx)
		}
	}
	return r
}

// showAgain is the button that leads to a board.
func (b boards) showAgain(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	switch {
	case err != nil:
		return response{}, err
	case m.Seat(in.user) == engine.None && (m.Private() || !in.isAt(m.Guild, m.Where())):
		return response{}, match.ErrUnknownRecord // made up: a private match, or one of another guild
	case m.Seat(in.user) != engine.None && (m.Where() == in.channel || m.Private()):
		return b.repost(ctx, in, m)
	default:
		return b.showSnapshot(in, m)
	}
}

// repost posts the board anew; the message that showed it points to the new one. So
// soon after the last time it does so only where that one was deleted.
func (b boards) repost(ctx context.Context, in *request, m store.Match) (response, error) {
	r, err := b.kit.showMatch(m, reply)
	if err != nil {
		return r, err
	}
	pause := repostPause
	if m.Private() {
		pause = 0
	}
	old, again, ok := b.kit.tracker.Repost(ctx, matchRef(m.ID), pause)
	if !ok {
		return response{}, &refusal{reason: match.ErrJustPosted, match: m, until: again}
	}
	if wait := b.postedElsewhere(ctx, in, m, pause); wait > 0 && !b.kit.tracker.StillGone(ctx, matchRef(m.ID)) {
		return response{}, &refusal{reason: match.ErrJustPosted, match: m, until: b.kit.now().Add(wait)}
	}
	if old = old.Or(m.Where(), m.Message, m.OnlyByToken()); old.ID != "" {
		r.then = b.pointFrom(old, m)
	}
	return r, nil
}

// postedElsewhere returns how long it takes until the board may be posted again, where
// another process has done so, and otherwise notes that this one does.
func (b boards) postedElsewhere(ctx context.Context, in *request, m store.Match, pause time.Duration) time.Duration {
	if b.change.starts.shared == nil || pause == 0 {
		return 0
	}
	limit := store.Limit{Key: "board " + strconv.FormatInt(int64(m.ID), 10), Most: 1, Within: pause}
	wait, err := b.change.starts.shared.Count(ctx, in.ID, []store.Limit{limit})
	if err != nil {
		b.kit.log.Info("a board is posted without a look at other processes", "error", err)
		return 0
	}
	return wait
}

// pointFrom turns a message that showed the board into one that says where it is now.
// If that cannot be done its buttons still work as such a pointer.
func (b *games) pointFrom(old tracker.Copy, m store.Match) func(context.Context) {
	return func(ctx context.Context) {
		link := ""
		if !m.Private() {
			current := b.kit.tracker.Where(matchRef(m.ID), "")
			if current == "" || current == old.ID {
				return // the new message did not come about
			}
			link = discord.MessageLink(m.Guild, m.Where(), current)
		}
		if err := b.kit.tracker.Replace(ctx, matchRef(m.ID), old, b.kit.view(m.Locale).Board().Relocated(m, link)); err != nil {
			b.kit.log.Info("old board left as it is", "error", err)
		}
	}
}

// showSnapshot shows somebody else's match, to look at.
func (b boards) showSnapshot(in *request, m store.Match) (response, error) {
	msg, err := b.kit.view(in.locale()).Board().Snapshot(m)
	if err != nil {
		return response{}, err
	}
	return reply(msg), nil
}
