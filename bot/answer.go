package bot

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// response is what a handler wants done with its interaction. It becomes the one
// acknowledgement.
type response struct {
	kind rest.CallbackType
	msg  discord.Message // for new messages and updates

	// shows says which record the message shows and at what version, so that the
	// tracker knows what stands there. The zero value shows none.
	shows   tracker.Ref
	version int
	most    int // steps that a version of it brings
	step    int // to which that very version has brought the match, zero if it is no further
	// instead is the record that the clicked message showed before, if it is another.
	instead tracker.Ref

	// posted is told where a message for everybody stands, or why it does not; empty where
	// Discord does not tell.
	posted func(ctx context.Context, id store.MessageID, err error)

	// redraw lists records whose messages have to follow, and then is done after
	// the acknowledgement, whether or not it arrived.
	redraw []tracker.Ref
	then   func(ctx context.Context)
}

// reply answers with a new message.
func reply(m discord.Message) response { return response{kind: rest.CallbackMessage, msg: m} }

// update answers by turning the clicked message into m.
func update(m discord.Message) response { return response{kind: rest.CallbackUpdate, msg: m} }

// andThen has f follow too, after what follows already. nil follows nothing.
func (r response) andThen(f func(context.Context)) response {
	first := r.then
	switch {
	case f == nil:
	case first == nil:
		r.then = f
	default:
		r.then = func(ctx context.Context) { first(ctx); f(ctx) }
	}
	return r
}

// showing says what the message of the response shows.
func (r response) showing(ref tracker.Ref, version int) response {
	r.shows, r.version = ref, version
	return r
}

// step is how far a match has come at a ply, which its pictures show: the first is of a
// match without moves.
func step(ply int) int { return ply + 1 }

// stepOf returns how far the match has come.
func stepOf(m store.Match) int { return step(len(m.Moves)) }

// ignore answers nothing at all: somebody else does.
func ignore() response { return response{} }

// Acknowledge sends the response, the only place where that happens, and sees to
// what must follow.
func (b app) Acknowledge(ctx context.Context, in *request, r response, send dispatch.Send) {
	switch {
	case r.kind == 0:
	case r.kind == rest.CallbackMessage && !r.msg.Ephemeral && in.postsItself():
		r = b.aside(ctx, in, r, send)
	case r.shows != tracker.Ref{}:
		if ply, ok := customid.PlyOf(in.Message.Marker); ok {
			b.kit.tracker.Seen(r.shows, in.clicked, step(ply))
		}
		unlisted := false
		unseen, seen := context.WithCancel(ctx)
		defer seen()
		b.kit.tracker.Show(ctx, tracker.Showing{
			Ref: r.shows, Version: r.version, Step: r.step, Most: r.most, Kind: r.kind, Private: r.msg.Ephemeral,
			Channel: in.channel, Token: in.Token, Received: in.Received,
			Clicked: in.clicked, ClickedPrivate: in.Message.Ephemeral(), Instead: r.instead, BotAbsent: in.BotAbsent, Blind: send.Blind, Seen: seen,
		}, func(kind rest.CallbackType) (store.MessageID, error) {
			id, err := send.Seen(ctx, unseen, dispatch.Response{Kind: kind, Message: r.msg})
			unlisted = err == nil && kind == rest.CallbackMessage && !in.Hidden && r.msg.By(in.User).Unlisted(in.User)
			return store.MessageID(id), err
		})
		if unlisted {
			b.kit.tracker.RedrawAgain(r.shows)
		}
	default:
		id, err := send.Answer(ctx, dispatch.Response{Kind: r.kind, Message: r.msg})
		if in.Hidden {
			err = errHidden
		}
		if r.posted != nil {
			r = r.andThen(func(ctx context.Context) { r.posted(ctx, store.MessageID(id), err) })
		}
		if r.kind == rest.CallbackUpdate && errors.Is(err, rest.ErrUnknownMessage) {
			// The clicked message has just been deleted: what would have stood in its
			// place comes as a private message.
			r.msg.Ephemeral = true
			_, _ = send.Answer(ctx, dispatch.Response{Kind: rest.CallbackMessage, Message: r.msg})
		}
	}
	// Somebody has come to a message that may name old times.
	b.kit.redrawTimes(tracker.Ref{Match: in.button.Match, Challenge: in.button.Challenge})
	for _, ref := range r.redraw {
		b.kit.tracker.Redraw(ref)
	}
	if in.Hidden {
		r = r.andThen(b.games.hidden(r))
	}
	if r.then != nil {
		b.kit.work.Go(r.then)
	}
}
