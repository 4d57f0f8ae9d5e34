package bot

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/store"
)

// app is the bot as its dispatcher sees it.
type app struct{ *Bot }

// Request makes of a call what handlers get.
func (b app) Request(ctx context.Context, c *dispatch.Call) (context.Context, *kit.Request) {
	if marker, ok := customid.Captioned(c.Message.Text); ok {
		c.Message.Marker = marker
	}
	in := kit.NewRequest(c)
	c.Stored = in.Spent.Time
	return store.WithSpent(ctx, &in.Spent), in
}

// Find reads the settings, and the custom ID of a button.
func (b app) Find(ctx context.Context, in *kit.Request) (_ kit.Key, name string, err error) {
	b.upkeep.Guilds.Heard(in)
	in.Began = b.kit.Clock.Look()
	in.Read(ctx, b.kit.Settings)
	switch {
	case in.Kind == discord.KindComponent:
		in.Button, err = customid.Parse(in.CustomID)
		if in.Button.Action == customid.Cell {
			b.kit.LookAtNumbers(in)
		}
		return kit.Button(in.Button.Action), in.Button.Action.Name(), err
	case in.Root == view.AdminCommand:
		return kit.Command(in.Root + " " + in.Command), in.Command, nil
	case in.Root == view.ShortCommand && in.Command == "":
		return kit.Command(in.Root), in.Root, nil
	case in.Command == view.MemberCommand:
		return kit.Command(in.Command), "challenge_menu", nil
	default:
		return kit.Command(in.Command), in.Command, nil
	}
}

// Conclude sees to what a handler has left: a second delivery of what another process has
// done, a write that failed, a start that came to nothing.
func (b app) Conclude(ctx context.Context, in *kit.Request, resp kit.Response, err error) kit.Response {
	if errors.Is(err, store.ErrClaimed) || b.refusedBehindItself(ctx, in, err) {
		if b.change.Starts.Shared != nil {
			in.Counted = time.Time{} // what the other delivery has started stays counted
		}
		resp, err = b.handledBefore(ctx, in)
	}
	if change.Unavailable(err) && in.Stores {
		// It did not get as far as a write: whoever wanted to move could not.
		b.kit.Clock.Wrote(in.Began, true)
	}
	if err != nil && !errors.Is(err, store.ErrPending) || err == nil && resp.Kind == 0 {
		b.change.Starts.Uncount(ctx, in) // nothing was started, or not by this delivery
	}
	if err != nil {
		resp = b.Explain(in, err)
	}
	if resp.Kind == rest.CallbackUpdate && in.Message.V2() {
		resp.Message = resp.Message.OfComponents()
	}
	return b.onlyItsOwn(ctx, in, resp)
}

// Explain turns errors into words.
func (b app) Explain(in *kit.Request, err error) kit.Response {
	if p := (*dispatch.Panic)(nil); errors.As(err, &p) {
		return b.incident(in, p, p.Stack)
	}
	if errors.Is(err, dispatch.ErrMalformed) || errors.Is(err, dispatch.ErrNoRoute) {
		err = match.ErrUnknownCommand
	}
	return b.inWords(in, err)
}

// refusedBehindItself reports whether a refusal is about what another process has made of
// the same interaction meanwhile.
func (b app) refusedBehindItself(ctx context.Context, in *kit.Request, err error) bool {
	if err == nil || !in.Stores || !b.kit.Shared() ||
		change.Unavailable(err) || errors.Is(err, change.ErrNotSaved) || errors.Is(err, store.ErrPending) || ctx.Err() != nil {
		return false
	}
	claimed, err := b.store.Claimed(ctx, in.InteractionID)
	return err == nil && claimed
}

// onlyItsOwn lets an update reach only a message that has the button which was
// clicked, or that the button's record names: an ID can be made up and sent from
// somebody else's board, which it must not turn into another. The record's own message
// is redrawn instead.
func (b app) onlyItsOwn(ctx context.Context, in *kit.Request, r kit.Response) kit.Response {
	if r.Kind != rest.CallbackUpdate || !in.Message.Lacks || in.Message.Ephemeral() {
		return r
	}
	ref := tracker.Ref{Match: in.Button.Match, Challenge: in.Button.Challenge}
	stored, err := records(b).Stored(ctx, ref)
	if err == nil && b.kit.Tracker.Where(ref, stored.Message) == in.ClickedID {
		return r
	}
	if r.Shows.Ref == (tracker.Ref{}) {
		return b.inWords(in, match.ErrUnknownRecord)
	}
	r = r.AndRedraw(r.Shows.Ref)
	r.Kind, r.Shows = rest.CallbackDeferUpdate, tracker.Showing{}
	return r
}

// handledBefore answers an interaction for which something is stored already, by an
// earlier delivery of it. A click on a board shows what came of it. Everything else
// gets no answer: whoever handles the other delivery gives it, and a second one would
// take its place.
func (b app) handledBefore(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch in.Button.Action {
	case customid.Cell, customid.CellAtPly, customid.CellNames, customid.CellInList, customid.ListCell:
	case customid.PuzzleCell, customid.PuzzleInList, customid.PuzzleNames, customid.PuzzleAsList, customid.PuzzleAgain:
		return b.puzzles.ShowAgain(ctx, in)
	default:
		b.kit.Stats.Duplicates.Add(1)
		in.Outcome = dispatch.Duplicate
		return kit.Response{}, nil // no answer
	}
	m, err := b.change.LoadMatch(ctx, in.Button.Match)
	if err != nil {
		// Something was stored, so that it must not be called unsaved.
		return kit.Response{}, fmt.Errorf("%w: %w", store.ErrPending, err)
	}
	return b.shown(in, m)
}

// incident answers what should not have happened: the person gets a number that
// is also in the log.
func (b app) incident(in *kit.Request, err error, stack []byte) kit.Response {
	number := rand.Text()[:8]
	in.Outcome, in.Incident = dispatch.Incident, number
	now := b.kit.Now()
	b.incidents.Put(in.GuildID, failure{now, number}, now, incidentsTurn, incidentsMost)
	b.kit.Log.Error("interaction failed", "incident", number, "interaction", in.InteractionID, "error", err, "stack", string(stack))
	return kit.Reply(b.kit.View(in.Language()).Incident(number))
}

// failure is something that failed, by the number that somebody was told.
type failure struct {
	at     time.Time
	number string
}

const (
	incidentsTurn = 12 * time.Hour
	incidentsMost = 1_000
)

// lastIncident returns when something last failed in the guild, and under which number.
func (b *Bot) lastIncident(guild store.GuildID, now time.Time) (at time.Time, number string) {
	f, _ := b.incidents.Get(guild)
	if now.Sub(f.at) > incidentsTurn { // a generation goes when it is twice as old
		return time.Time{}, ""
	}
	return f.at, f.number
}
