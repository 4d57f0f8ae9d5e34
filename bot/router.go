package bot

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/store"
)

// response is what a handler wants done with its interaction. The router sends it
// as the one acknowledgement.
type response struct {
	kind rest.CallbackType
	msg  message // for new messages and updates

	// shows says which record the message shows and at what version, so that the
	// painter knows what stands there. The zero surface shows none.
	shows   surface
	version int

	// redraw lists records whose messages have to follow, and then is done after
	// the acknowledgement, whether or not it arrived.
	redraw []surface
	then   func(ctx context.Context)
}

// reply answers with a new message.
func reply(m message) response { return response{kind: rest.CallbackMessage, msg: m} }

// update answers by turning the clicked message into m.
func update(m message) response { return response{kind: rest.CallbackUpdate, msg: m} }

// ignore answers nothing at all: somebody else does.
func ignore() response { return response{} }

type commandHandler func(ctx context.Context, in *interaction) (response, error)

type buttonHandler func(ctx context.Context, in *interaction, id customID) (response, error)

// userCommandName is the entry in a member's menu.
const userCommandName = "Challenge to tic-tac-toe"

// routes fills the tables that pick a handler: by subcommand, or by the action of
// a custom ID.
func (b *Bot) routes() {
	b.commands = map[string]commandHandler{
		"play":          b.handlePlay,
		"challenge":     b.handleChallenge,
		"board":         b.handleBoard,
		"resign":        b.handleResign,
		"help":          b.handleHelp,
		userCommandName: b.handleChallengeMember,
	}
	b.buttons = map[action]buttonHandler{
		actCell:           b.handleCell,
		actNames:          b.handleCellNames,
		actResign:         b.handleResignButton,
		actResignConfirm:  b.handleResignConfirm,
		actStopConfirm:    b.handleStopConfirm,
		actKeepPlaying:    b.handleKeepPlaying,
		actRematch:        b.handleRematch,
		actHarder:         b.handleHarder,
		actPlayWinner:     b.handlePlayWinner,
		actShowBoard:      b.handleShowBoard,
		actPlayPrivately:  b.handlePlayPrivately,
		actAccept:         b.handleAccept,
		actDecline:        b.handleDecline,
		actCancel:         b.handleCancel,
		actChallengeAgain: b.handleChallengeAgain,
		actOpenTable:      b.handleOpenTable,
	}
}

// route finds the handler and runs it.
func (b *Bot) route(ctx context.Context, in *interaction) (response, error) {
	switch in.kind {
	case kindCommand:
		if h, ok := b.commands[in.command]; ok {
			return h(ctx, in)
		}
		return response{}, errUnknownCommand
	case kindAutocomplete:
		return response{kind: rest.CallbackAutocomplete}, nil
	case kindComponent:
		id, err := parseCustomID(in.customID)
		if err != nil {
			return response{}, err
		}
		return b.buttons[id.action](ctx, in, id)
	default:
		return response{}, errUnknownCommand
	}
}

// HandleInteraction answers one interaction, given as the data of Discord's event.
// It returns when the answer has been sent and what follows from it has been
// started. It may be called concurrently, and with the same interaction again:
// that has one effect.
func (b *Bot) HandleInteraction(raw json.RawMessage, received time.Time) {
	in, err := decodeInteraction(raw, received)
	if in == nil {
		b.stats.undecodable.Add(1)
		b.log.Warn("interaction dropped", "error", err)
		return
	}
	if !b.seen.first(string(in.id), received) {
		b.stats.duplicates.Add(1)
		return
	}
	deadline, late := b.lateness.deadline(string(in.id), received, b.opts.Replaying())
	if late {
		// Nobody can be answered any more, so nothing may happen either.
		b.stats.late.Add(1)
		b.log.Warn("interaction came too late to be answered", "interaction", in.id)
		return
	}
	ctx, cancel := context.WithDeadline(b.base, deadline)
	defer cancel()
	b.stats.handled.Add(1)
	// What is not decided by then is answered in words while there is still time.
	decide := received.Add(b.opts.WorkTime)
	if latest := deadline.Add(-answerReserve); latest.Before(decide) {
		decide = latest
	}
	work, done := context.WithDeadline(ctx, decide)
	resp := b.respondTo(work, in, err)
	done()
	b.acknowledge(ctx, in, resp)
}

// answerReserve is the part of the time for an answer that handlers do not get: it
// is for sending.
const answerReserve = 700 * time.Millisecond

// respondTo runs the handler and turns whatever goes wrong into words.
func (b *Bot) respondTo(ctx context.Context, in *interaction, decodeErr error) (resp response) {
	defer func() {
		if p := recover(); p != nil {
			b.stats.panics.Add(1)
			resp = b.incident(in, fmt.Errorf("panic: %v", p), debug.Stack())
		}
	}()
	if decodeErr != nil {
		b.log.Warn("interaction not understood", "interaction", in.id, "error", decodeErr)
		if in.kind == kindAutocomplete {
			return response{kind: rest.CallbackAutocomplete} // it takes no words
		}
		return b.explain(in, errUnknownCommand)
	}
	resp, err := b.route(ctx, in)
	if err != nil && !errors.Is(err, store.ErrPending) || err == nil && resp.kind == 0 {
		b.uncount(in) // nothing was started, or not by this delivery
	}
	if err != nil {
		return b.explain(in, err)
	}
	return resp
}

// incident answers what should not have happened: the person gets a number that
// is also in the log.
func (b *Bot) incident(in *interaction, err error, stack []byte) response {
	number := rand.Text()[:8]
	b.log.Error("interaction failed", "incident", number, "interaction", in.id, "error", err, "stack", string(stack))
	return reply(private(b.view(in.locale).say("error.internal", args{"Incident": number})))
}

// acknowledge sends the response, the only place where that happens, and sees to
// what must follow.
func (b *Bot) acknowledge(ctx context.Context, in *interaction, r response) {
	if r.kind == 0 {
		b.follow(r)
		return
	}
	shown := r.shows != surface{}
	mine := shown && r.kind == rest.CallbackUpdate
	if mine && !b.painter.begin(ctx, r.shows) {
		// Another picture of the message is on its way and takes long: the click is
		// acknowledged silently, and the painter draws behind it.
		mine = false
		r.kind = rest.CallbackDeferUpdate
	}
	made := func() {}
	if shown && r.kind == rest.CallbackMessage {
		made = b.painter.create(r.shows)
	}
	sent, err := b.send(ctx, in, r)
	if mine && errors.Is(err, rest.ErrInvalidForm) {
		// Discord would not take it as an update; it may as an edit.
		b.log.Warn("update refused, editing instead", "error", err)
		r.kind = rest.CallbackDeferUpdate
		sent, err = b.send(ctx, in, r)
	}
	if r.kind == rest.CallbackUpdate && errors.Is(err, rest.ErrUnknownMessage) {
		// The clicked message has just been deleted: what it would show comes as a new
		// one, and what would only have stood in its place privately.
		r.kind = rest.CallbackMessage
		if mine {
			b.painter.end(r.shows)
			mine = false
			made = b.painter.create(r.shows)
		} else {
			r.msg.ephemeral = true
		}
		sent, err = b.send(ctx, in, r)
	}
	b.learn(in, r, sent, err)
	made()
	if mine {
		b.painter.end(r.shows)
	}
	// The record may have moved on while the picture was on its way, and a picture
	// that did not arrive has to be drawn again.
	b.painter.want(r.shows)
	b.follow(r)
}

// noSuggestions answers an option that asks for some: none of ours does, but what
// asks gets an answer of the kind that it can take.
var noSuggestions = json.RawMessage(`{"choices":[]}`)

func (b *Bot) send(ctx context.Context, in *interaction, r response) (sent *rest.Message, err error) {
	defer func() {
		if p := recover(); p != nil { // nothing may stay claimed that waits for this answer
			err = b.caught("answer failed", p)
		}
	}()
	cb := rest.Callback{Type: r.kind}
	switch r.kind {
	case rest.CallbackMessage:
		cb.Data = r.msg.create()
	case rest.CallbackUpdate:
		cb.Data = r.msg.edit()
	case rest.CallbackAutocomplete:
		cb.Data = noSuggestions
	}
	sent, err = b.api.Respond(ctx, string(in.id), in.token, cb)
	switch {
	case err == nil:
		b.stats.answered.Add(1)
	case errors.Is(err, rest.ErrAlreadyAcknowledged), errors.Is(err, rest.ErrUnknownInteraction):
		b.stats.expectedFailures.Add(1)
		b.log.Debug("interaction could not be answered", "interaction", in.id, "error", err)
	default:
		b.stats.failed.Add(1)
		b.log.Warn("answer failed", "interaction", in.id, "error", err)
	}
	return sent, err
}

// learn tells the painter what now stands where, and which token can edit it.
func (b *Bot) learn(in *interaction, r response, sent *rest.Message, err error) {
	if r.shows == (surface{}) {
		return
	}
	d := drawn{
		channel: in.channel, token: in.token, at: in.received, ephemeral: in.message.ephemeral(),
		created: r.kind == rest.CallbackMessage,
	}
	if r.kind == rest.CallbackMessage {
		d.ephemeral = r.msg.ephemeral
		if sent != nil {
			d.message = store.MessageID(sent.ID)
		}
	} else {
		d.message = in.message.ID
	}
	switch {
	case err == nil && r.kind != rest.CallbackDeferUpdate:
		d.version = r.version
		b.painter.drawn(r.shows, d)
	case err == nil, errors.Is(err, rest.ErrAlreadyAcknowledged):
		// Acknowledged, but what stands there is not known: only the token is new.
		b.painter.drawn(r.shows, d)
	case d.created:
		b.painter.notReposted(r.shows)
	}
}

// follow starts what comes after the acknowledgement.
func (b *Bot) follow(r response) {
	for _, s := range r.redraw {
		b.painter.want(s)
	}
	if r.then != nil {
		b.background(func(ctx context.Context) { r.then(ctx) })
	}
}

// caught counts and logs a panic that was recovered from where nobody waits for
// words, and returns it as an error.
func (b *Bot) caught(what string, p any) error {
	b.stats.panics.Add(1)
	b.log.Error(what, slog.Any("panic", p), "stack", string(debug.Stack()))
	return fmt.Errorf("panic: %v", p)
}

// background runs f on its own; Close waits for it. Once the bot is closed it does
// nothing.
func (b *Bot) background(f func(ctx context.Context)) {
	if !b.work.begin() {
		return
	}
	go func() {
		defer b.work.end()
		defer func() {
			if p := recover(); p != nil {
				_ = b.caught("background work failed", p)
			}
		}()
		ctx, cancel := context.WithTimeout(b.base, b.opts.BackgroundTime)
		defer cancel()
		f(ctx)
	}()
}
