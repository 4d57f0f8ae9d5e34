package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// rematches are matches that follow on another one.
type rematches struct{ *games }

// agree offers a rematch, or takes the one that is offered.
func (b rematches) agree(ctx context.Context, in *request) (response, error) {
	return b.again(ctx, in, variation{})
}

// harder plays again against the next stronger opponent. The version before offered that
// after a loss, too.
func (b rematches) harder(ctx context.Context, in *request) (response, error) {
	return b.again(ctx, in, variation{
		offered: func(m store.Match) bool { _, ok := match.Harder(m); return ok },
		make:    match.WithHarder,
	})
}

// easier plays again against the next weaker one.
func (b rematches) easier(ctx context.Context, in *request) (response, error) {
	return b.again(ctx, in, variation{offered: match.EasierOffered, make: match.WithEasier})
}

// vanishing plays again where marks vanish. Against the program it begins at once. Another
// person is challenged to it, and accepts by pressing the same button: a rematch has one
// board, so that wishes for two of them could not meet.
func (b rematches) vanishing(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	switch {
	case err != nil:
		return response{}, err
	case match.AgainstProgram(m):
		return b.again(ctx, in, variation{offered: match.VanishingSuggested, make: match.WithVanishing})
	case !match.VanishingSuggested(m):
		return response{}, &refusal{reason: match.ErrUnknownRecord, match: m}
	case !in.isAt(m.Guild, m.Where()):
		return response{}, match.ErrUnknownRecord // made up: no button of ours leaves its guild
	}
	c, err := match.VanishingChallenge(m, in.user)
	if err != nil {
		return response{}, &refusal{reason: err, match: m, stale: errors.Is(err, match.ErrNoRematch)}
	}
	return challenges(b).post(ctx, in, c) // which accepts where the other one has pressed it already
}

// decline says no to the rematch that the other one wishes for. The board tells them.
func (b rematches) decline(ctx context.Context, in *request) (response, error) {
	before, m, err := b.change.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
		return match.DeclineRematch(m, in.user)
	})
	if err != nil {
		return response{}, &refusal{reason: err, match: before, stale: errors.Is(err, match.ErrNoRematch)}
	}
	r, err := b.kit.showMatch(m, update)
	r.then = inTurn(r.then, notices(b).remove(before))
	return r, err
}

// variation is how the next match differs from a rematch; the zero value, not at all.
type variation struct {
	offered func(store.Match) bool // whether the match offers it
	make    func(next store.Match) store.Match
}

// again notes who wants to go on and, once all do, makes the next match as a new
// message; the old one loses its controls.
func (b rematches) again(ctx context.Context, in *request, v variation) (response, error) {
	var old, before, resigned store.Match
	var waited time.Duration // since the other one wished for it
	next, err := b.change.open(ctx, in, func() (opening, error) {
		m, err := b.change.dueMatch(ctx, in, in.button.Match)
		if err != nil {
			return opening{}, err
		}
		if waited = 0; m.Deadline != 0 && !m.GridStands {
			waited = b.kit.up(m.Guild) - (m.Deadline - b.kit.times.ChallengeTTL)
		}
		if v.offered != nil && !v.offered(m) {
			// Nothing offers that any more.
			return opening{}, &refusal{reason: match.ErrUnknownRecord, match: m}
		}
		agreed, all, err := match.OfferRematch(m, in.user, b.kit.times.ChallengeTTL, b.kit.up(m.Guild))
		if err != nil {
			_, marked := customid.PlyOf(in.Message.Marker) // what is private and not marked is no board
			return opening{}, &refusal{reason: err, match: m, stale: errors.Is(err, match.ErrNoRematch) && (marked || !in.Message.Ephemeral())}
		}
		if !m.Private() && m.Where() != in.channel {
			return opening{}, match.ErrUnknownRecord // made up: the button stands below the board
		}
		if !all && in.button.Resign != 0 {
			return opening{}, &refusal{reason: match.ErrNoWish, match: m}
		}
		if old = agreed; !all {
			return opening{also: old}, nil
		}
		var next store.Match
		next, old = match.Next(agreed, store.MatchID(b.kit.newID()))
		if v.make != nil {
			next = v.make(next)
		}
		if in.button.Resign != 0 {
			before, resigned, err = resignations(b).instead(ctx, in, in.button.Resign)
		}
		return opening{match: next, also: old, resigned: resigned, choice: match.ChoiceOf(next)}, err
	})
	if r := (*refusal)(nil); errors.Is(err, match.ErrPlaysHere) && errors.As(err, &r) && !match.AgainstProgram(old) {
		r.again = customid.ID{Action: customid.RematchInstead, Match: old.ID, Resign: r.match.ID}
	}
	if err != nil {
		return response{}, err
	}
	if next.ID == 0 { // the other one has not agreed yet
		old.Version++
		return b.kit.showMatch(old, update)
	}
	r, err := b.kit.showMatch(next, reply)
	r.redraw = append(r.redraw, matchRef(old.ID))
	r.then = notices(b).remove(old)
	r = resignations(b).showInstead(r, before, resigned)
	if to := old.Player(old.Seat(in.user).Other()); to.IsUser() && waited > noticeAfter {
		r.then = notices(b).tell(in, next, to.User, r.then)
	}
	return r, err
}

// goOn makes the match that goes on with one that was put aside, as a new message.
func (b rematches) goOn(ctx context.Context, in *request) (response, error) {
	var old store.Match
	next, err := b.change.open(ctx, in, func() (opening, error) {
		m, err := b.change.dueMatch(ctx, in, in.button.Match)
		if err == nil && !in.isAt(m.Guild, m.Where()) {
			err = match.ErrUnknownRecord // made up: no button of ours leaves its guild
		}
		if err != nil {
			return opening{}, err
		}
		var next store.Match
		if next, old, err = match.GoOn(m, in.user, store.MatchID(b.kit.newID())); err != nil {
			return opening{}, &refusal{reason: err, match: m, stale: true}
		}
		return opening{match: next, also: old, unlimited: true}, nil
	})
	if errors.Is(err, match.ErrPlaysHere) || errors.Is(err, match.ErrBusy) {
		// The match in the way may be the one that the same button has made an instant before.
		if now, lost := b.change.loadMatch(ctx, old.ID); lost == nil && now.Next != 0 {
			err = &refusal{reason: match.WhyOver(now), match: now}
		}
	}
	if err != nil {
		return response{}, err
	}
	r, err := b.kit.showMatch(next, reply)
	r.redraw = append(r.redraw, matchRef(old.ID))
	return r, err
}
