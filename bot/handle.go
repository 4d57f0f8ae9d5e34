package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// app is the bot as its dispatcher sees it.
type app struct{ *Bot }

// Request makes of a call what handlers get.
func (b app) Request(ctx context.Context, c *dispatch.Call) (context.Context, *request) {
	in := newRequest(c)
	c.Stored = in.spent.Time
	return store.WithSpent(ctx, &in.spent), in
}

// Find reads the settings, and the custom ID of a button.
func (b app) Find(ctx context.Context, in *request) (_ key, name string, err error) {
	b.where.heard(in)
	in.began = b.kit.uptime.look()
	in.read(ctx, b.kit.settings)
	switch in.Kind {
	case discord.KindCommand:
		if in.Root == view.AdminCommand {
			return command(in.Root + " " + in.Command), in.Command, nil
		}
		if in.Command == view.MemberCommand {
			return command(in.Command), "challenge_menu", nil
		}
		return command(in.Command), in.Command, nil
	case discord.KindComponent:
		in.button, err = customid.Parse(in.CustomID)
		return button(in.button.Action), in.button.Action.Name(), err
	default:
		return suggestions, "", nil
	}
}

// Settle sees to what a handler has left: a second delivery of what another process has
// done, a write that failed, a start that came to nothing.
func (b app) Settle(ctx context.Context, in *request, resp response, err error) response {
	if errors.Is(err, store.ErrClaimed) || b.refusedBehindItself(ctx, in, err) {
		if b.change.starts.shared != nil {
			in.counted = time.Time{} // what the other delivery has started stays counted
		}
		resp, err = b.handledBefore(ctx, in)
	}
	if unavailable(err) && in.Stores {
		// It did not get as far as a write: whoever wanted to move could not.
		b.kit.uptime.wrote(in.began, true)
	}
	if err != nil && !errors.Is(err, store.ErrPending) || err == nil && resp.kind == 0 {
		b.change.starts.uncount(ctx, in) // nothing was started, or not by this delivery
	}
	if err != nil {
		resp = b.Explain(in, err)
	}
	return b.onlyItsOwn(ctx, in, resp)
}

// Explain turns errors into words.
func (b app) Explain(in *request, err error) response {
	if p := (*dispatch.Panic)(nil); errors.As(err, &p) {
		return b.incident(in, p, p.Stack)
	}
	if errors.Is(err, dispatch.ErrMalformed) && in.Kind == discord.KindAutocomplete {
		return response{kind: rest.CallbackAutocomplete} // it takes no words
	}
	if errors.Is(err, dispatch.ErrMalformed) || errors.Is(err, dispatch.ErrNoRoute) {
		err = match.ErrUnknownCommand
	}
	return refusals{b.Bot}.explain(in, err)
}

// refusedBehindItself reports whether a refusal is about what another process has made of
// the same interaction meanwhile.
func (b app) refusedBehindItself(ctx context.Context, in *request, err error) bool {
	if err == nil || !in.Stores || !b.kit.shared() ||
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
func (b app) onlyItsOwn(ctx context.Context, in *request, r response) response {
	if r.kind != rest.CallbackUpdate || !in.Message.Lacks || in.Message.Ephemeral() {
		return r
	}
	ref := tracker.Ref{Match: in.button.Match, Challenge: in.button.Challenge}
	stored, err := shown{b.Bot}.Stored(ctx, ref)
	if err == nil && b.kit.tracker.Where(ref, stored.Message) == in.clicked {
		return r
	}
	if r.shows == (tracker.Ref{}) {
		return refusals{b.Bot}.explain(in, match.ErrUnknownRecord)
	}
	r.redraw = append(r.redraw, r.shows)
	r.kind, r.shows = rest.CallbackDeferUpdate, tracker.Ref{}
	return r
}

// handledBefore answers an interaction for which something is stored already, by an
// earlier delivery of it. A click on a board shows what came of it. Everything else
// gets no answer: whoever handles the other delivery gives it, and a second one would
// take its place.
func (b app) handledBefore(ctx context.Context, in *request) (response, error) {
	switch in.button.Action {
	case customid.Cell, customid.CellAtPly, customid.CellNames, customid.CellInList, customid.AsList:
	case customid.PuzzleCell, customid.PuzzleInList, customid.PuzzleNames, customid.PuzzleAsList, customid.PuzzleAgain:
		return b.puzzles.showAgain(ctx, in)
	default:
		b.kit.stats.Duplicates.Add(1)
		in.Outcome = dispatch.Duplicate
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
func (b app) incident(in *request, err error, stack []byte) response {
	number := rand.Text()[:8]
	in.Outcome, in.Incident = dispatch.Incident, number
	b.incidents.note(in.guild, number, b.kit.now())
	b.kit.log.Error("interaction failed", "incident", number, "interaction", in.id, "error", err, "stack", string(stack))
	return reply(b.kit.view(in.locale()).Incident(number))
}
