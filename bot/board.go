package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// repostPause is how long a board that was posted again stands before it can be
// posted once more.
const repostPause = 30 * time.Second

// handleBoard shows the match of the channel: posted anew for its players, and
// privately for others.
func (b *Bot) handleBoard(ctx context.Context, in *interaction) (response, error) {
	here, err := b.matchesHere(ctx, in)
	v := b.view(in.locale)
	switch {
	case err != nil:
		return response{}, err
	case here.mine.ID != 0 && here.private.ID != 0:
		r, err := b.showAgain(ctx, in, here.mine)
		if refused := (*refusal)(nil); errors.As(err, &refused) {
			refused.private = here.private
		}
		return b.alsoSay(in, r, v.privateToo(here.private)), err
	case here.mine.ID != 0:
		return b.showAgain(ctx, in, here.mine)
	case here.private.ID != 0 && here.other.ID != 0:
		r, err := b.showAgain(ctx, in, here.private)
		link := b.linkTo(here.other.Guild, here.other.Channel, surface{match: here.other.ID}, here.other.Message)
		return b.alsoSay(in, r, v.publicToo(here.other, link)), err
	case here.private.ID != 0:
		return b.showAgain(ctx, in, here.private)
	case here.other.ID != 0:
		return b.showPicture(in, here.other)
	default:
		return response{}, errNoBoard
	}
}

// here is what is played in a channel, as one person sees it. Each may be missing.
type here struct {
	mine    store.Match // the public match, if he plays it,
	other   store.Match // else that of other people
	private store.Match // his own
}

func (b *Bot) matchesHere(ctx context.Context, in *interaction) (h here, err error) {
	active, err := b.store.ActiveMatches(ctx, in.channel)
	if err != nil {
		return h, err
	}
	for _, m := range active {
		if m.Seat(in.user) != engine.None {
			h.mine = m
			break
		}
		if h.other.ID == 0 {
			h.other = m
		}
	}
	private, err := b.store.PrivateMatches(ctx, in.channel, in.user)
	if err == nil && len(private) > 0 {
		h.private = private[0]
	}
	return h, err
}

// alsoSay has a private message follow the answer.
func (b *Bot) alsoSay(in *interaction, r response, msg message) response {
	first := r.then
	r.then = func(ctx context.Context) {
		if _, err := b.api.FollowUp(ctx, in.token, msg.create()); err != nil {
			b.log.Info("words behind an answer not sent", "error", err)
		}
		if first != nil {
			first(ctx)
		}
	}
	return r
}

// handleShowBoard is the door to a board.
func (b *Bot) handleShowBoard(ctx context.Context, in *interaction, id customID) (response, error) {
	m, err := b.loadMatch(ctx, id.match)
	switch {
	case err != nil:
		return response{}, err
	case m.Seat(in.user) == engine.None && m.Private():
		return response{}, errUnknownRecord // a private match is nobody else's business
	case m.Seat(in.user) != engine.None && m.Channel == in.channel:
		return b.showAgain(ctx, in, m)
	default:
		return b.showPicture(in, m)
	}
}

// showAgain posts the board anew; the message that showed it points to the new
// one. So soon after the last time it does so only where that one was deleted.
func (b *Bot) showAgain(ctx context.Context, in *interaction, m store.Match) (response, error) {
	msg, err := b.view(m.Locale).match(m)
	if err != nil {
		return response{}, err
	}
	s, pause := surface{match: m.ID}, repostPause
	if m.Private() {
		pause = 0
	}
	b.painter.known(s) // which waits for it to be made
	old, ok := b.painter.repost(s, pause)
	if !ok {
		b.painter.touch(ctx, s)
		old, ok = b.painter.repost(s, pause)
	}
	if !ok {
		return response{}, &refusal{reason: errJustPosted, match: m, until: old.reposted.Add(pause)}
	}
	if old.message == "" {
		old.message, old.channel, old.ephemeral = m.Message, m.Channel, m.Private()
	}
	r := reply(msg)
	r.shows, r.version = s, m.Version
	if old.message != "" {
		r.then = func(ctx context.Context) { b.leavePointer(ctx, old, m) }
	}
	return r, nil
}

// leavePointer turns a message that showed the board into one that says where it
// is now. If that cannot be done its buttons still work as such a pointer.
func (b *Bot) leavePointer(ctx context.Context, old sheet, m store.Match) {
	link := ""
	if !m.Private() {
		current := b.painter.known(surface{match: m.ID})
		if current == "" || current == old.message {
			return // the new message did not come about
		}
		link = messageLink(m.Guild, m.Channel, current)
	}
	if _, err := b.painter.edit(ctx, surface{match: m.ID}, old, b.view(m.Locale).moved(m, link).edit()); err != nil {
		b.log.Info("old board left as it is", "error", err)
	}
}

// showPicture shows somebody else's match, to look at.
func (b *Bot) showPicture(in *interaction, m store.Match) (response, error) {
	msg, err := b.view(in.locale).picture(m)
	if err != nil {
		return response{}, err
	}
	return reply(msg), nil
}

// handleHelp explains the game and the commands.
func (b *Bot) handleHelp(_ context.Context, in *interaction) (response, error) {
	return reply(b.view(in.locale).help(in.guild != "")), nil
}
