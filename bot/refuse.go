package bot

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/dispatch"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// refusal is a reason together with what it is about, and how it is answered.
type refusal struct {
	reason    error
	match     store.Match
	challenge store.Challenge
	cell      engine.Cell
	choice    match.Choice
	hidden    bool // the choice was to be played privately
	until     time.Time
	day       int64         // of a puzzle
	private   store.Match   // another one that the user plays here
	games     []store.Match // all that take the places of the channel
	opponent  store.Player  // whom the match would be against
	again     customid.ID   // of a button that tries again, or resigns first
	link      string        // to what stands in the way, where nothing else here tells
	// stale says that the clicked message shows an older board: it is drawn again.
	stale bool
	// inPlace answers by turning the clicked message into the refusal.
	inPlace bool
}

func (r *refusal) Error() string { return r.reason.Error() }

func (r *refusal) Unwrap() error { return r.reason }

// refusals say why something was not done.
type refusals struct{ *Bot }

// lacking returns which of the permissions the application lacks where Discord has refused
// something that takes them all: they may have been taken away since the interaction.
func lacking(in *request, bits uint64) uint64 { return cmp.Or(in.AppLacks(bits), bits) }

// explain is the one place where errors become words. Every answer is private and
// has, where it helps, a way on.
func (b refusals) explain(in *request, err error) response {
	v := b.kit.viewFor(in)
	r := &refusal{reason: err}
	errors.As(err, &r)
	msg, known := v.Refusal(view.Refused{
		Reason: r.reason, User: in.user, Match: r.match, Challenge: r.challenge, Cell: r.cell, Choice: r.choice,
		Hidden: r.hidden, Until: r.until, Private: r.private, Link: b.linkOf(in, r), Games: b.kit.listed(r.games), Opponent: r.opponent, Day: r.day,
		Threads: threads{b.games}.offered(in), Direct: in.AloneWithBot(), Again: r.again,
		Lacks: lacking(in, discord.BeginThreads),
	})
	if !known {
		return b.reset(in, r, b.unexpected(v, in, err))
	}
	b.kit.stats.Refused.Add(1)
	if in.Outcome == dispatch.Answered {
		in.Outcome = dispatch.Refused
	}
	if resp, ok := b.repair(in, r, msg); ok {
		return resp
	}
	if changesNothing(r.reason) && b.hushed.Again(refused{in.user, r.match.ID, msg.Content}, b.kit.now(), hushTime, hushMost) {
		return b.reset(in, r, response{kind: rest.CallbackDeferUpdate})
	}
	resp := reply(msg)
	if r.inPlace && in.Kind == discord.KindComponent && in.Message.Ephemeral() {
		resp = update(msg)
	}
	return b.reset(in, r, resp)
}

// reset answers a choice in a list with the board, where that may be shown, and has the
// words follow: what somebody has chosen stands on their screen until the message is
// edited, and could not be chosen again. The picture stays what it was: whoever has had
// the time to look at it has it still.
func (b refusals) reset(in *request, r *refusal, words response) response {
	m := r.match
	if in.button.Action != customid.CellInList || words.kind == rest.CallbackUpdate || m.ID == 0 ||
		m.Private() && m.Seat(in.user) == engine.None || b.kit.isOldCopy(in, m) ||
		in.Message.Ephemeral() && !m.Private() {
		return words
	}
	resp, err := b.kit.showMatch(m, update)
	if err != nil {
		return words
	}
	if shown, ok := customid.PlyOf(in.Message.Marker); ok && shown == len(m.Moves) && (customid.Again(in.Message.Marker) || !soon(in.Interaction)) {
		resp.msg = view.Settled(resp.msg, m)
	}
	resp.then = words.then
	if words.kind != rest.CallbackMessage { // they were said a moment ago
		return resp
	}
	return b.kit.alsoSay(in, resp, words.msg)
}

// repair answers a click on a picture that nobody else is about to replace with what
// should stand there, and says the words behind it. Where the bot may not edit,
// clicks are the only way to do so.
func (b refusals) repair(in *request, r *refusal, words discord.Message) (resp response, ok bool) {
	if in.Kind != discord.KindComponent || in.Message.Ephemeral() && !r.match.Private() {
		return response{}, false
	}
	m, c := r.match, r.challenge
	switch {
	case r.stale && m.ID != 0 && !b.kit.isOldCopy(in, m) &&
		!b.kit.tracker.UpToDate(matchRef(m.ID), in.clicked, m.Version, m.Drawn):
		var err error
		if resp, err = b.kit.showMatch(m, update); err != nil {
			return response{}, false
		}
	case errors.Is(r.reason, match.ErrChallengeClosed) && c.ID != 0 && c.State != store.Open && c.State != store.Accepted &&
		!b.kit.tracker.UpToDate(challengeRef(c.ID), in.clicked, c.Version, 0):
		resp = b.kit.showChallenge(c, update)
	default:
		return response{}, false
	}
	return b.kit.alsoSay(in, resp, words), true
}

// linkOf returns the address that the words of a refusal lead to, if they do.
func (b refusals) linkOf(in *request, r *refusal) string {
	m, c := r.match, r.challenge
	switch {
	case errors.Is(r, match.ErrAbsent):
		return InviteLink(in.Application)
	case errors.Is(r, match.ErrNoRematch), errors.Is(r, match.ErrMatchOver):
		if m.Next == 0 || m.Private() { // no link leads to what is private
			return ""
		}
		// The tracker forgets with its process: the store knows the message, too.
		// There is no more time for it than for the rest.
		ctx, cancel := context.WithDeadline(b.kit.work.Base, in.Received.Add(b.kit.times.WorkTime))
		defer cancel()
		next, err := b.store.MatchVersion(ctx, m.Next)
		if err != nil {
			b.kit.log.Info("link without its message", "error", err)
		}
		return b.kit.linkTo(m.Guild, m.Where(), matchRef(m.Next), next.Message)
	case errors.Is(r, match.ErrChallengePending):
		return b.kit.linkTo(c.Guild, c.Channel, challengeRef(c.ID), c.Message)
	case errors.Is(r, match.ErrBusy), errors.Is(r, match.ErrPlaysHere), errors.Is(r, match.ErrOpponentPlays),
		errors.Is(r, store.ErrPlaceTaken), errors.Is(r, store.ErrSeatTaken), errors.Is(r, match.ErrJustPosted):
		if m.ID == 0 {
			return ""
		}
		return b.kit.linkTo(m.Guild, m.Where(), matchRef(m.ID), m.Message)
	default:
		return r.link
	}
}

// unexpected answers a failure of ours. Whether anything was saved is said only where it
// is known: a handler that ends because the store cannot be used, and says no more about
// it (see classifySave), was reading and has stored nothing.
func (b refusals) unexpected(v view.View, in *request, err error) response {
	switch {
	case errors.Is(err, store.ErrPending):
		in.Outcome = dispatch.Unsaved
		b.kit.log.Error("commit still pending", "interaction", in.id, "error", err)
		resp := reply(v.Note(view.StillSaving))
		resp.then = b.redrawWhenKnown(in)
		return resp
	case errors.Is(err, errNotSaved), errors.Is(err, context.DeadlineExceeded), unavailable(err) && in.Stores:
		b.kit.stats.Unsaved.Add(1)
		in.Outcome = dispatch.Unsaved
		b.kit.log.Error("not saved", "interaction", in.id, "error", err)
		return reply(v.Note(view.NotSaved))
	default:
		return app(b).incident(in, err, nil)
	}
}

// unavailable reports whether an error concerns the whole store, and not one record or
// one change.
func unavailable(err error) bool {
	for _, whole := range [...]error{store.ErrBusy, store.ErrUnreachable, store.ErrFull, store.ErrReadOnly, store.ErrDamaged, store.ErrClosed} {
		if errors.Is(err, whole) {
			return true
		}
	}
	return false
}

// redrawWhenKnown looks again, a few times, whether a commit that was pending came
// through, and redraws the message that was clicked.
func (b refusals) redrawWhenKnown(in *request) func(context.Context) {
	id := in.button
	if id.Match == 0 && id.Challenge == 0 {
		return nil
	}
	return func(context.Context) {
		b.kit.tracker.RedrawLater(func(ctx context.Context) tracker.Ref {
			if c, err := b.store.Challenge(ctx, id.Challenge); err == nil && c.State == store.Accepted {
				return matchRef(c.Match) // its message is the board's now
			}
			return tracker.Ref{Match: id.Match, Challenge: id.Challenge}
		})
	}
}
