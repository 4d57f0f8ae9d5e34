package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/games"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// inWords is the one place where errors become words. Every answer is private and
// has, where it helps, a way on.
func (b app) inWords(in *kit.Request, err error) kit.Response {
	v := b.kit.ViewFor(in)
	r := &kit.Refusal{Reason: err}
	errors.As(err, &r)
	told := view.Refused{
		Refusal: *r, User: in.UserID,
		GamesIn: in.Settings.Games, Threads: b.games.Threads.Offered(in), Direct: in.AloneWithBot(), Lacks: kit.Lacking(in, discord.BeginThreads),
		LinkTo: func(what view.Leads) string { return b.linkTo(in, r, what) },
	}
	msg, known := v.Refusal(told)
	if !known {
		return b.reset(in, r, b.unexpected(v, in, err))
	}
	b.kit.Stats.Refused.Add(1)
	if in.Outcome == dispatch.Answered {
		in.Outcome = dispatch.Refused
	}
	if resp, ok := b.repair(in, r, msg); ok {
		return resp
	}
	if changesNothing(in.Button.Action, r.Reason) && b.hushed.Again(refused{in.UserID, r.Match.ID, msg.Content}, b.kit.Now(), hushTime, hushMost) {
		return b.reset(in, r, kit.Response{Kind: rest.CallbackDeferUpdate})
	}
	resp := kit.Reply(msg)
	if r.InPlace && in.Kind == discord.KindComponent && in.Message.Ephemeral() {
		resp = kit.Update(msg)
	}
	if errors.Is(err, match.ErrGamesElsewhere) {
		resp = resp.AndThen(b.games.Threads.LookForGames(in))
	}
	return b.reset(in, r, resp)
}

// reset answers a choice in a list with the list, where that may be shown, and has the
// words follow: what somebody has chosen stands on their screen until the message is
// edited, and could not be chosen again. The picture stays what it was: whoever has had
// the time to look at it has it still.
func (b app) reset(in *kit.Request, r *kit.Refusal, words kit.Response) kit.Response {
	m := r.Match
	own := in.Button.Action == customid.ListCell // which is private, whatever the match
	switch {
	case in.Button.Action != customid.CellInList && !own, words.Kind == rest.CallbackUpdate, m.ID == 0, match.HandedOn(m),
		(own || m.Private()) && m.Seat(in.UserID) == engine.None,
		!own && (b.kit.IsOldCopy(in, m) || in.Message.Ephemeral() && !m.Private()):
		return words
	}
	resp, err := b.shown(in, m)
	if err != nil {
		return words
	}
	if shown, ok := customid.PlyOf(in.Message.Marker); ok && shown == len(m.Moves) && (customid.Again(in.Message.Marker) || !games.Soon(in.Interaction)) {
		resp.Message = view.DrawnAgain(resp.Message, m)
	}
	resp.Then = words.Then
	if words.Kind != rest.CallbackMessage { // they were said a moment ago
		return resp
	}
	return b.kit.AlsoSay(in, resp, words.Message)
}

// shown answers a choice in a list of one's own with that list, and any other click with the
// board.
func (b app) shown(in *kit.Request, m store.Match) (kit.Response, error) {
	if in.Button.Action == customid.ListCell {
		return b.kit.ShowList(in, m)
	}
	return b.kit.ShowMatch(m, kit.Update)
}

// repair answers a click on a picture that nobody else is about to replace with what
// should stand there, and says the words behind it. Where the bot may not edit,
// clicks are the only way to do so.
func (b app) repair(in *kit.Request, r *kit.Refusal, words discord.Message) (resp kit.Response, ok bool) {
	if in.Kind != discord.KindComponent || in.Message.Ephemeral() && !r.Match.Private() {
		return kit.Response{}, false
	}
	m, c := r.Match, r.Challenge
	behind := func(ref tracker.Ref, version, drawn int) bool {
		return !b.kit.Tracker.UpToDate(ref, in.ClickedID, version, drawn, b.upkeep.Anywhere())
	}
	switch {
	case r.Stale && m.ID != 0 && !match.HandedOn(m) && !b.kit.IsOldCopy(in, m) && behind(kit.MatchRef(m.ID), m.Version, m.Drawn):
		var err error
		if resp, err = b.kit.ShowMatch(m, kit.Update); err != nil {
			return kit.Response{}, false
		}
	case errors.Is(r.Reason, match.ErrChallengeClosed) && c.ID != 0 && c.State != store.Open && c.State != store.Accepted &&
		behind(kit.ChallengeRef(c.ID), c.Version, 0):
		resp = b.kit.ShowChallenge(c, kit.Update)
	default:
		return kit.Response{}, false
	}
	return b.kit.AlsoSay(in, resp, words), true
}

// linkTo returns an address that the words of a refusal lead to, empty where there is none.
func (b app) linkTo(in *kit.Request, r *kit.Refusal, what view.Leads) string {
	m, c := r.Match, r.Challenge
	switch {
	case what == view.ToInvitation:
		return kit.InviteLink(in.Application)
	case what == view.ToNext && m.Next != 0 && !m.Private(): // no link leads to what is private
		// The tracker forgets with its process: the store knows the message, too.
		// There is no more time for it than for the rest.
		ctx, cancel := context.WithDeadline(b.kit.Work.Base, in.Received.Add(b.kit.Times.WorkTime))
		defer cancel()
		next, err := b.store.MatchVersion(ctx, m.Next)
		if err != nil {
			b.kit.Log.Info("link without its message", "error", err)
		}
		return b.kit.LinkTo(m.Guild, m.Where(), kit.MatchRef(m.Next), next.Message)
	case what == view.ToChallenge:
		return b.kit.LinkTo(c.Guild, c.Channel, kit.ChallengeRef(c.ID), c.Message)
	case what == view.ToMatch && m.ID != 0:
		return b.kit.LinkTo(m.Guild, m.Where(), kit.MatchRef(m.ID), m.Message)
	default:
		return ""
	}
}

// unexpected answers a failure of ours. Whether anything was saved is said only where it
// is known: a handler that ends because the store cannot be used, and says no more about
// it (see [change.Classify]), was reading and has stored nothing.
func (b app) unexpected(v view.View, in *kit.Request, err error) kit.Response {
	switch {
	case errors.Is(err, store.ErrPending):
		in.Outcome = dispatch.Unsaved
		b.kit.Log.Error("commit still pending", "interaction", in.InteractionID, "error", err)
		resp := kit.Reply(v.Note(view.StillSaving))
		resp.Then = b.redrawWhenKnown(in)
		return resp
	case errors.Is(err, change.ErrNotSaved), errors.Is(err, context.DeadlineExceeded), change.Unavailable(err) && in.Stores:
		b.kit.Stats.Unsaved.Add(1)
		in.Outcome = dispatch.Unsaved
		b.kit.Log.Error("not saved", "interaction", in.InteractionID, "error", err)
		return kit.Reply(v.Note(view.NotSaved))
	default:
		return b.incident(in, err, nil)
	}
}

// redrawWhenKnown looks again, a few times, whether a commit that was pending came
// through, and redraws the message that was clicked.
func (b app) redrawWhenKnown(in *kit.Request) func(context.Context) {
	id := in.Button
	if id.Match == 0 && id.Challenge == 0 {
		return nil
	}
	return func(context.Context) {
		b.kit.Tracker.RedrawLater(func(ctx context.Context) tracker.Ref {
			if c, err := b.store.Challenge(ctx, id.Challenge); err == nil && c.State == store.Accepted {
				return kit.MatchRef(c.Match) // its message is the board's now
			}
			return tracker.Ref{Match: id.Match, Challenge: id.Challenge}
		})
	}
}

// refused is what somebody was told about a tap that changes nothing, and about which match.
// Each refusal is a message below the board: said again and again they push it out of sight.
type refused struct {
	user  store.UserID
	match store.MatchID
	words string
}

const (
	// hushTime is how long the same words are not said to the same person again.
	hushTime = 5 * time.Second
	hushMost = 10_000
)

// changesNothing reports whether a refusal is of a tap that is wrong for the moment only, or
// on a cell that stands for a while behind the end: the board itself says as much.
func changesNothing(tapped customid.Action, reason error) bool {
	onCell := tapped == customid.Cell || tapped == customid.CellAtPly || tapped == customid.CellInList
	return errors.Is(reason, match.ErrTaken) || errors.Is(reason, match.ErrNotYourTurn) ||
		onCell && errors.Is(reason, match.ErrMatchOver)
}
