package bot

import (
	"context"
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
	mine, other, err := b.matchesHere(ctx, in)
	switch {
	case err != nil:
		return response{}, err
	case mine.ID != 0:
		return b.showAgain(ctx, in, mine)
	case other.ID != 0:
		return b.showPicture(in, other)
	default:
		return response{}, errNoBoard
	}
}

// matchesHere returns the active match in the channel that the user plays, the
// public one before private ones, and one of other people. Either may be missing.
func (b *Bot) matchesHere(ctx context.Context, in *interaction) (mine, other store.Match, err error) {
	active, err := b.store.ActiveMatches(ctx, in.channel)
	if err != nil {
		return mine, other, err
	}
	for _, m := range active {
		if m.Seat(in.user) != engine.None {
			return m, other, nil
		}
		if other.ID == 0 {
			other = m
		}
	}
	private, err := b.store.PrivateMatches(ctx, in.channel, in.user)
	if err == nil && len(private) > 0 {
		mine = private[0]
	}
	return mine, other, err
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
