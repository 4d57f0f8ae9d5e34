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

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/store"
)

// HandleInteraction answers an interaction that came over the Gateway, given as the
// data of its event, by Discord's callback endpoint.
func (b *Bot) HandleInteraction(raw json.RawMessage, received time.Time) {
	in, err := discord.DecodeInteraction(raw, received)
	if err != nil {
		b.kit.stats.undecodable.Add(1)
		b.kit.log.Warn("interaction dropped", "error", err)
		return
	}
	b.Handle(context.Background(), in, ByCallback{b.api})
}

// Handle answers one interaction. It returns when the answer has been sent and what
// follows from it has been started. It may be called concurrently, and with the same
// interaction again: that has one effect. When the context ends, what is not stored
// by then is not stored.
func (b *Bot) Handle(ctx context.Context, decoded *discord.Interaction, a Answerer) {
	in := newRequest(decoded)
	defer b.observe(in)
	if !b.seen.first(in.ID, in.Received) {
		b.kit.stats.duplicates.Add(1)
		in.outcome = Duplicate
		return
	}
	in.age = b.age(in.Interaction)
	left := b.kit.times.AnswerTime - answerMargin - in.age
	if left <= 0 {
		// Nobody can be answered any more, so nothing may happen either.
		b.kit.stats.late.Add(1)
		in.outcome = Late
		b.kit.log.Warn("interaction came too late to be answered", "interaction", in.id)
		return
	}
	deadline := in.Received.Add(left)
	ctx, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	defer context.AfterFunc(b.kit.base, cancel)()
	b.kit.stats.handled.Add(1)
	b.where.heard(in)
	// What is not decided by then is answered in words while there is still time.
	decide := in.Received.Add(b.kit.times.WorkTime)
	if latest := deadline.Add(-min(b.kit.share(answerReserve), left/2)); latest.Before(decide) {
		decide = latest
	}
	in.outcome, in.waited = Answered, time.Since(in.Received)
	work, done := context.WithDeadline(store.WithSpent(ctx, &in.spent), decide)
	resp := b.respondTo(work, in)
	done()
	b.acknowledge(ctx, in, resp, a)
}

// answerReserve is the part of the time for an answer that handlers do not get: it
// is for sending. Where hardly more is left they get half.
const answerReserve = 700 * time.Millisecond

// respondTo runs the handler and turns whatever goes wrong into words.
func (b *Bot) respondTo(ctx context.Context, in *request) (resp response) {
	defer func() {
		if p := recover(); p != nil {
			b.kit.stats.panics.Add(1)
			resp = b.incident(in, fmt.Errorf("panic: %v", p), debug.Stack())
		}
	}()
	if in.Malformed != nil {
		in.outcome = Unfamiliar
		b.kit.log.Warn("interaction not understood", "interaction", in.id, "error", in.Malformed)
		if in.Kind == discord.KindAutocomplete {
			return response{kind: rest.CallbackAutocomplete} // it takes no words
		}
		return refusals{b}.explain(in, match.ErrUnknownCommand)
	}
	began := b.kit.uptime.look()
	resp, err := b.dispatch(ctx, in)
	if unavailable(err) && in.route.stores {
		// It did not get as far as a write: whoever wanted to move could not.
		b.kit.uptime.wrote(began, true)
	}
	if err != nil && !errors.Is(err, store.ErrPending) || err == nil && resp.kind == 0 {
		b.change.starts.uncount(ctx, in) // nothing was started, or not by this delivery
	}
	if err != nil {
		resp = refusals{b}.explain(in, err)
	}
	return b.onlyItsOwn(ctx, in, resp)
}

// dispatch finds the handler of an interaction and runs it.
func (b *Bot) dispatch(ctx context.Context, in *request) (_ response, err error) {
	in.read(ctx, b.kit.settings)
	if in.route, in.button, err = b.routes.find(in.Interaction); err != nil {
		return response{}, err
	}
	resp, err := in.route.handle(ctx, in)
	if errors.Is(err, store.ErrClaimed) || b.refusedBehindItself(ctx, in, err) {
		if b.change.starts.shared != nil {
			in.counted = time.Time{} // what the other delivery has started stays counted
		}
		resp, err = b.handledBefore(ctx, in)
	}
	return resp, err
}

// refusedBehindItself reports whether a refusal is about what another process has made of
// the same interaction meanwhile.
func (b *Bot) refusedBehindItself(ctx context.Context, in *request, err error) bool {
	if err == nil || !in.route.stores || !b.kit.shared() ||
		unavailable(err) || errors.Is(err, errNotSaved) || errors.Is(err, store.ErrPending) || ctx.Err() != nil {
		return false
	}
	claimed, err := b.store.Claimed(ctx, in.id)
	return err == nil && claimed
}

// onlyItsOwn lets an update reach only a message that has the button which was
// clicked, or that the button's record names: an ID can be made up and sent from
// somebody else's board, which it must not turn into another. The record's own message
// is redrawn instead.
func (b *Bot) onlyItsOwn(ctx context.Context, in *request, r response) response {
	if r.kind != rest.CallbackUpdate || !in.Message.Lacks || in.Message.Ephemeral() {
		return r
	}
	ref := tracker.Ref{Match: in.button.Match, Challenge: in.button.Challenge}
	stored, err := shown{b}.Stored(ctx, ref)
	if err == nil && b.kit.tracker.Where(ref, stored.Message) == in.clicked {
		return r
	}
	if r.shows == (tracker.Ref{}) {
		return refusals{b}.explain(in, match.ErrUnknownRecord)
	}
	r.redraw = append(r.redraw, r.shows)
	r.kind, r.shows = rest.CallbackDeferUpdate, tracker.Ref{}
	return r
}

// handledBefore answers an interaction for which something is stored already, by an
// earlier delivery of it. A click on a board shows what came of it. Everything else
// gets no answer: whoever handles the other delivery gives it, and a second one would
// take its place.
func (b *Bot) handledBefore(ctx context.Context, in *request) (response, error) {
	switch in.button.Action {
	case customid.Cell, customid.CellAtPly, customid.CellNames, customid.CellInList, customid.AsList:
	case customid.PuzzleCell, customid.PuzzleInList, customid.PuzzleNames, customid.PuzzleAsList, customid.PuzzleAgain:
		return b.puzzles.showAgain(ctx, in)
	default:
		b.kit.stats.duplicates.Add(1)
		in.outcome = Duplicate
		return ignore(), nil
	}
	m, err := b.change.loadMatch(ctx, in.button.Match)
	if err != nil {
		// Something was stored, so that it must not be called unsaved.
		return response{}, fmt.Errorf("%w: %w", store.ErrPending, err)
	}
	return b.kit.showMatch(m, update)
}

// incident answers what should not have happened: the person gets a number that
// is also in the log.
func (b *Bot) incident(in *request, err error, stack []byte) response {
	number := rand.Text()[:8]
	in.outcome, in.incident = Incident, number
	b.incidents.note(in.guild, number, b.kit.now())
	b.kit.log.Error("interaction failed", "incident", number, "interaction", in.id, "error", err, "stack", string(stack))
	return reply(b.kit.view(in.locale()).Incident(number))
}

// caught counts and logs a panic that was recovered from where nobody waits for
// words, and returns it as an error.
func (b *kit) caught(what string, p any) error {
	b.stats.panics.Add(1)
	b.log.Error(what, slog.Any("panic", p), "stack", string(debug.Stack()))
	return fmt.Errorf("panic: %v", p)
}

// background runs f on its own; Close waits for it. Once the bot is closed it does
// nothing.
func (b *kit) background(f func(ctx context.Context)) {
	if !b.work.Begin() {
		return
	}
	go func() {
		defer b.work.End()
		defer func() {
			if p := recover(); p != nil {
				_ = b.caught("background work failed", p)
			}
		}()
		ctx, cancel := context.WithTimeout(b.base, b.times.BackgroundTime)
		defer cancel()
		f(ctx)
	}()
}
