package bot

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// Answerer sends the one acknowledgement of an interaction. It returns the message
// that the answer made or edited, nil where that is not known. The errors that matter
// are those of package rest.
type Answerer interface {
	Answer(ctx context.Context, in *discord.Interaction, cb rest.Callback) (*rest.Message, error)
}

// Settler is an Answerer whose answers arrive some time after Answer has returned.
// Settle waits for that, and is called behind every answer without an error.
type Settler interface {
	Settle(ctx context.Context)
}

// ByCallback answers interactions that came over the Gateway.
type ByCallback struct{ Client CallbackAPI }

// CallbackAPI is the endpoint that takes answers.
type CallbackAPI interface {
	Respond(ctx context.Context, interactionID, token string, cb rest.Callback) (*rest.Message, error)
}

// Answer sends the answer to the interaction's callback endpoint.
func (c ByCallback) Answer(ctx context.Context, in *discord.Interaction, cb rest.Callback) (*rest.Message, error) {
	return c.Client.Respond(ctx, in.ID, in.Token, cb)
}

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

func stepOf(m store.Match) int { return step(len(m.Moves)) }

// ignore answers nothing at all: somebody else does.
func ignore() response { return response{} }

// noSuggestions answers an option that asks for some: none of ours does, but what
// asks gets an answer of the kind that it can take.
var noSuggestions = json.RawMessage(`{"choices":[]}`)

// acknowledge sends the response, the only place where that happens, and sees to
// what must follow.
func (b *Bot) acknowledge(ctx context.Context, in *request, r response, a Answerer) {
	switch {
	case r.kind == 0:
	case r.kind == rest.CallbackMessage && !r.msg.Ephemeral && in.postsItself():
		r = b.aside(ctx, in, r, a)
	case r.shows != tracker.Ref{}:
		if ply, ok := customid.PlyOf(in.Message.Marker); ok {
			b.kit.tracker.Seen(r.shows, in.clicked, step(ply))
		}
		unlisted := false
		_, blind := a.(Settler)
		unseen, seen := context.WithCancel(ctx)
		defer seen()
		b.kit.tracker.Show(ctx, tracker.Showing{
			Ref: r.shows, Version: r.version, Step: r.step, Most: r.most, Kind: r.kind, Private: r.msg.Ephemeral,
			Channel: in.channel, Token: in.Token, Received: in.Received,
			Clicked: in.clicked, ClickedPrivate: in.Message.Ephemeral(), Instead: r.instead, BotAbsent: in.BotAbsent, Blind: blind, Seen: seen,
		}, func(kind rest.CallbackType) (store.MessageID, error) {
			id, err := b.send(ctx, unseen, in, kind, r.msg, a)
			unlisted = err == nil && kind == rest.CallbackMessage && !in.hidden && r.msg.By(in.User).Unlisted(in.User)
			return id, err
		})
		if unlisted {
			b.kit.tracker.RedrawAgain(r.shows)
		}
	default:
		id, err := b.send(ctx, ctx, in, r.kind, r.msg, a)
		if in.hidden {
			err = errHidden
		}
		if r.posted != nil {
			r = r.andThen(func(ctx context.Context) { r.posted(ctx, id, err) })
		}
		if r.kind == rest.CallbackUpdate && errors.Is(err, rest.ErrUnknownMessage) {
			// The clicked message has just been deleted: what would have stood in its
			// place comes as a private message.
			r.msg.Ephemeral = true
			_, _ = b.send(ctx, ctx, in, rest.CallbackMessage, r.msg, a)
		}
	}
	// Somebody has come to a message that may name old times.
	b.kit.redrawTimes(tracker.Ref{Match: in.button.Match, Challenge: in.button.Challenge})
	for _, ref := range r.redraw {
		b.kit.tracker.Redraw(ref)
	}
	if in.hidden {
		r = r.andThen(b.games.hidden(r))
	}
	if r.then != nil {
		b.kit.background(r.then)
	}
}

// send sends an answer. Where Discord does not tell when that has arrived, it returns when
// that is likely, or unseen ends.
func (b *Bot) send(ctx, unseen context.Context, in *request, kind rest.CallbackType, msg discord.Message, a Answerer) (id store.MessageID, err error) {
	defer func() {
		if p := recover(); p != nil { // nothing may stay claimed that waits for this answer
			err = b.kit.caught("answer failed", p)
		}
	}()
	cb := rest.Callback{Type: kind}
	switch kind {
	case rest.CallbackMessage:
		cb.Data = msg.By(in.User).Create()
	case rest.CallbackUpdate:
		cb.Data = msg.Edit()
	case rest.CallbackAutocomplete:
		cb.Data = noSuggestions
	}
	began := time.Now()
	sent, err := a.Answer(ctx, in.Interaction, cb)
	if errors.Is(err, rest.ErrArchived) && in.Parent != "" && (threads{b.games}).reopen(ctx, in.channel) {
		sent, err = a.Answer(ctx, in.Interaction, cb)
	}
	in.sending += time.Since(began)
	in.answered = time.Since(in.Received)
	switch {
	case err == nil:
		b.kit.stats.answered.Add(1)
		if s, ok := a.(Settler); ok {
			s.Settle(unseen)
		}
	case errors.Is(err, rest.ErrAlreadyAcknowledged), errors.Is(err, rest.ErrUnknownInteraction):
		b.kit.stats.expectedFailures.Add(1)
		b.kit.log.Debug("interaction could not be answered", "interaction", in.id, "error", err)
	default:
		b.kit.stats.failed.Add(1)
		in.outcome = Failed
		b.kit.log.Warn("answer failed", "interaction", in.id, "error", err)
	}
	if sent != nil {
		id = store.MessageID(sent.ID)
		in.hidden = kind == rest.CallbackMessage && !msg.Ephemeral && sent.Flags&rest.FlagEphemeral != 0
	}
	return id, err
}
