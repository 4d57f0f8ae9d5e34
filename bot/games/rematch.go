package games

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// rematches are matches that follow on another one.
type rematches struct {
	tools
	moves      moves
	challenges challenges
	resign     resignations
	notices    *notices
}

// routes are what follows on a match.
func (b rematches) routes() kit.Routes {
	return kit.Routes{
		kit.Button(customid.More):           {Handle: b.more},
		kit.Button(customid.MoreLevel):      {Handle: given(b.over, b.choose)},
		kit.Button(customid.MoreBoard):      {Handle: given(b.over, b.choose)},
		kit.Button(customid.MoreFirst):      {Handle: given(b.over, b.choose)},
		kit.Button(customid.MoreSeries):     {Handle: given(b.over, b.choose)},
		kit.Button(customid.MorePlay):       {Handle: given(b.clicked, b.play), Stores: true},
		kit.Button(customid.Rematch):        {Handle: b.agree, Stores: true},
		kit.Button(customid.NextGame):       {Handle: b.nextGame, Stores: true},
		kit.Button(customid.Harder):         {Handle: given(b.clicked, b.vary), Stores: true},
		kit.Button(customid.Easier):         {Handle: given(b.clicked, b.vary), Stores: true},
		kit.Button(customid.DeclineRematch): {Handle: b.decline, Stores: true},
		kit.Button(customid.GoOn):           {Handle: b.goOn, Stores: true},
		kit.Button(customid.RematchSure):    {Handle: b.agree, Stores: true},
		kit.Button(customid.TryVanishing):   {Handle: given(b.clicked, b.vary), Stores: true},
	}
}

// agree offers a rematch, or takes the one that is offered.
func (b rematches) agree(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.again(ctx, in, nil)
}

// variations are what buttons of older messages play next.
var variations = map[customid.Action]func(store.Match, store.UserID) (_ match.Choice, ok bool){
	customid.Harder: match.Harder, customid.Easier: match.Easier, customid.TryVanishing: match.TryVanishing,
}

// vary is one of those buttons.
func (b rematches) vary(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	c, ok := variations[in.Button.Action](m, in.UserID)
	if !ok { // nothing offers that any more
		return kit.Response{}, &kit.Refusal{Reason: match.ErrUnknownRecord, Match: m}
	}
	return b.another(ctx, in, m, c)
}

// another plays what was chosen to follow on a match: against the program at once. Another person
// is challenged to it, and can accept by choosing the same: a rematch has one board, so that wishes
// for two of them could not meet.
func (b rematches) another(ctx context.Context, in *kit.Request, m store.Match, c match.Choice) (kit.Response, error) {
	if match.AgainstProgram(m) {
		return b.again(ctx, in, &c)
	}
	return b.challenge(ctx, in, m, c)
}

// decline says no to the rematch that the other one wishes for. The board tells them.
func (b rematches) decline(ctx context.Context, in *kit.Request) (kit.Response, error) {
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) { return match.DeclineRematch(m, in.UserID) })
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: before, Stale: errors.Is(err, match.ErrNoRematch)}
	}
	r, err := b.kit.ShowMatch(m, kit.Update)
	return r.AndThen(b.notices.remove(before)), err
}

// again notes who wants to go on and, once all do, makes the next match as a new
// message; the old one loses its controls. Against the program it is what was chosen, if
// anything was.
func (b rematches) again(ctx context.Context, in *kit.Request, chosen *match.Choice) (kit.Response, error) {
	var old, before, resigned store.Match
	var waited time.Duration // since the other one wished for it
	next, err := b.change.Open(ctx, in, func() (change.Opening, error) {
		m, err := b.change.DueMatch(ctx, in, in.Button.Match)
		if err != nil {
			return change.Opening{}, err
		}
		if waited = 0; m.Deadline != 0 && !m.GridStands {
			waited = b.kit.Up(m.Guild) - (m.Deadline - b.kit.Times.ChallengeTTL)
		}
		agreed, all, err := match.OfferRematch(m, in.UserID, b.kit.Times.ChallengeTTL, b.kit.Up(m.Guild))
		if err != nil {
			_, marked := customid.PlyOf(in.Message.Marker) // what is private and not marked is no board
			return change.Opening{}, &kit.Refusal{Reason: err, Match: m, Stale: errors.Is(err, match.ErrNoRematch) && (marked || !in.Message.Ephemeral())}
		}
		if !m.Private() && m.Where() != in.ChannelID {
			return change.Opening{}, match.ErrUnknownRecord // made up: the button stands below the board
		}
		if !all && in.Button.Resign != 0 {
			return change.Opening{}, &kit.Refusal{Reason: match.ErrNoWish, Match: m}
		}
		if old = agreed; !all {
			return change.Opening{Also: old}, nil
		}
		var next store.Match
		next, old = match.Next(agreed, store.MatchID(b.kit.NewID()))
		if chosen != nil {
			next = match.WithChoice(next, *chosen)
		}
		if in.Button.Resign != 0 {
			before, resigned, err = b.resign.instead(ctx, in, in.Button.Resign)
		}
		return change.Opening{Match: next, Also: old, Resigned: resigned, Choice: match.ChoiceOf(next), Aside: match.AgainstProgram(next)}, err
	})
	if r := (*kit.Refusal)(nil); errors.Is(err, match.ErrPlaysHere) && errors.As(err, &r) && !match.AgainstProgram(old) {
		r.Again = customid.ID{Action: customid.RematchInstead, Match: old.ID, Resign: r.Match.ID}
	}
	if err != nil {
		return kit.Response{}, err
	}
	if next.ID == 0 { // the other one has not agreed yet
		old.Version++
		return b.kit.ShowMatch(old, kit.Update)
	}
	r, err := b.kit.ShowMatch(next, kit.Reply)
	if next.Private() && !old.Private() {
		r = b.kit.AlsoSay(in, r, b.kit.View(in.Language()).Games().Full())
	}
	r = r.AndRedraw(kit.MatchRef(old.ID)).AndThen(b.notices.remove(old))
	r = b.resign.follow(r, before, resigned)
	if to := old.Player(old.Seat(in.UserID).Other()); to.IsUser() && waited > noticeAfter {
		r = r.AndThen(b.notices.tell(in, next, to.User))
	}
	return r, err
}

// here returns the match that was clicked, which is about to change, where it is played.
func (b rematches) here(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.change.DueMatch(ctx, in, in.Button.Match)
	return m, ours(err, in.IsAt(m.Guild, m.Where())) // none leaves its guild
}

// nextGame begins the next game of a series in the place of the one before. Whoever presses
// the button behind the other one is shown what that has begun.
func (b rematches) nextGame(ctx context.Context, in *kit.Request) (kit.Response, error) {
	var old store.Match
	next, err := b.change.Open(ctx, in, func() (_ change.Opening, err error) {
		if old, err = b.here(ctx, in); err == nil && b.kit.IsOldCopy(in, old) {
			err = errOldCopy
		}
		if err != nil {
			return change.Opening{}, err
		}
		next, handed, err := match.NextInSeries(old, in.UserID, store.MatchID(b.kit.NewID()))
		switch {
		case err != nil:
			return change.Opening{}, &kit.Refusal{Reason: err, Match: old, Stale: errors.Is(err, match.ErrSeriesOver)}
		case in.Message.Lacks:
			return change.Opening{}, match.ErrUnknownRecord // made up: the button stands below the board
		}
		next.Message = in.ClickedID
		return change.Opening{Match: next, Also: handed, Unlimited: true}, nil
	})
	switch {
	case errors.Is(err, errOldCopy):
		return b.moves.moved(old, old, err, nil)
	case errors.Is(err, match.ErrNoRematch) && match.HandedOn(old):
		if next, err = b.change.LoadMatch(ctx, old.Next); err == nil && (next.Message != in.ClickedID || match.HandedOn(next)) {
			err = &kit.Refusal{Reason: match.ErrNoRematch, Match: old}
		}
	}
	if err != nil {
		return kit.Response{}, err
	}
	r, err := b.kit.ShowMatch(next, kit.Update)
	r.Shows.Instead = kit.MatchRef(old.ID)
	return r, err
}

// goOn makes the match that goes on with one that was put aside, as a new message.
func (b rematches) goOn(ctx context.Context, in *kit.Request) (kit.Response, error) {
	var old store.Match
	next, err := b.change.Open(ctx, in, func() (_ change.Opening, err error) {
		if old, err = b.here(ctx, in); err != nil {
			return change.Opening{}, err
		}
		next, paused, err := match.GoOn(old, in.UserID, store.MatchID(b.kit.NewID()))
		if err != nil {
			return change.Opening{}, &kit.Refusal{Reason: err, Match: old, Stale: true}
		}
		return change.Opening{Match: next, Also: paused, Unlimited: true}, nil
	})
	if err != nil {
		return kit.Response{}, err
	}
	r, err := b.kit.ShowMatch(next, kit.Reply)
	return r.AndRedraw(kit.MatchRef(old.ID)), err
}

// more is the button that leads to the ways on for which the message of a match has no room.
func (b rematches) more(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.over(ctx, in)
	switch {
	case errors.Is(err, match.ErrNotOver):
		return b.moves.ways(in, m)
	case err != nil:
		return kit.Response{}, err
	}
	v := b.kit.View(in.Language())
	said := v.Board().More(m, in.UserID, match.Another(m, in.UserID))
	if match.BetweenGames(m) && m.Seat(in.UserID) != engine.None {
		said = v.Games().EndQuestion(in.UserID, view.Endable{Mine: m})
	}
	if in.Message.Ephemeral() || b.kit.Tracker.UpToDate(kit.MatchRef(m.ID), in.ClickedID, m.Version, m.Drawn, false) {
		return kit.Reply(said), nil
	}
	r, err := b.kit.ShowMatch(m, kit.Update) // where the bot may not edit, clicks alone do
	return b.kit.AlsoSay(in, r, said), err
}

// over returns the match that was clicked, if whoever clicked can go on from it.
func (b rematches) over(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.clicked(ctx, in)
	played := m.Seat(in.UserID) != engine.None
	switch {
	case err != nil:
		return m, err
	case m.State != store.Ended:
		return m, &kit.Refusal{Reason: match.ErrNotOver, Match: m}
	case played && m.Next != 0:
		return m, &kit.Refusal{Reason: match.ErrNoRematch, Match: m}
	case !played && !view.WinnerPlays(m):
		return m, &kit.Refusal{Reason: match.ErrNotYourGame, Match: m}
	}
	return m, nil
}

// choose is one of the selects behind it: the opponent, the board, who begins, or how many games
// it is.
func (b rematches) choose(_ context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	c, err := chosenFor(in, m)
	if err == nil && m.Seat(in.UserID) == engine.None {
		err = match.ErrBadOption
	}
	if err != nil {
		return kit.Response{}, err
	}
	return in.InPlace(b.kit.View(in.Language()).Board().More(m, in.UserID, c)), nil
}

// play plays what was chosen.
func (b rematches) play(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	c := in.Button.Choice
	if err := match.Fits(m, c); err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Choice: c}
	}
	if match.AgainstProgram(m) {
		c = b.decided(c)
	}
	return b.another(ctx, in, m, c)
}

// challenge asks the other person of a match to play another one.
func (b rematches) challenge(ctx context.Context, in *kit.Request, m store.Match, chosen match.Choice) (kit.Response, error) {
	if !in.IsAt(m.Guild, m.Where()) {
		return kit.Response{}, match.ErrUnknownRecord // made up: no button of ours leaves its guild
	}
	c, err := match.NextChallenge(m, in.UserID, chosen)
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: m, Stale: errors.Is(err, match.ErrNoRematch)}
	}
	return b.challenges.post(ctx, in, c) // which accepts where the other one has pressed it already
}
