package games

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// moves are what happens on a board that is being played.
type moves struct{ *Games }

// play plays the cell that was clicked, or chosen in a list, for the user who did so.
func (b moves) play(ctx context.Context, in *kit.Request) (kit.Response, error) {
	id := in.Button
	if id.Action == customid.CellInList {
		var ok bool
		if id.Cell, ok = customid.ParseCellValue(in.Values); !ok {
			return kit.Response{}, customid.ErrUnknown
		}
	}
	play := b.cell(ctx, in, id.Cell)
	before, m, err := b.change.Match(ctx, in, id.Match, func(m store.Match) (store.Match, error) {
		if b.kit.IsOldCopy(in, m) && m.Seat(in.UserID) != 0 {
			return m, errOldCopy
		}
		if m.GridStands && m.Private() && m.Seat(in.UserID) != 0 {
			return match.Fold(m, b.kit.Times.ChallengeTTL), nil
		}
		return play(m, aimOf(in.Interaction, id, m).ply)
	})
	if err == nil && m.State == store.Ended {
		m = b.Judge.weighed(ctx, m, false) // a verdict takes a search, for which nobody waits
	}
	stale := aimOf(in.Interaction, id, before).shown != len(before.Moves) || before.State != store.Active
	return b.moved(before, m, err, &kit.Refusal{Reason: err, Match: before, Cell: id.Cell, Stale: stale})
}

// cell returns what plays the cell in a match for the user, who meant the position at a ply.
func (b moves) cell(ctx context.Context, in *kit.Request, cell engine.Cell) func(store.Match, int) (store.Match, error) {
	var choose match.Choose // one for all tries
	return func(m store.Match, ply int) (_ store.Match, err error) {
		if choose == nil {
			if choose, err = b.kit.Think.Chooser(ctx, m); err != nil {
				return m, err
			}
		}
		return match.Play(m, in.UserID, ply, cell, choose, b.kit.Up(m.Guild))
	}
}

// nameCells has the user play by buttons with names on them, or without. Boards of older
// versions have a button for it; of those of today it stands behind the last one.
func (b moves) nameCells(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.running(ctx, in)
	if err == nil {
		err = b.change.Do(ctx, in, func() (store.Change, error) {
			p, err := b.store.Person(ctx, in.UserID)
			if p.PlaysBy == store.ByNames {
				p.PlaysBy = 0
			} else {
				p.PlaysBy = store.ByNames
			}
			return store.Change{People: []store.Person{p}}, err
		})
	}
	if err != nil || in.Button.Action == customid.CellNames {
		return b.moved(m, m, err, &kit.Refusal{Reason: err, Match: m, Stale: m.State != store.Active})
	}
	r := b.notices.aside(in, m, kit.Update(b.kit.View(in.Language()).Board().Ways(m, in.UserID)))
	return r.AndThen(func(context.Context) { b.kit.Tracker.RedrawAgain(kit.MatchRef(m.ID)) }), nil
}

// running returns the match of a button that only those press who play it, and only while it
// runs.
func (b *Games) running(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := b.change.LoadMatch(ctx, in.Button.Match)
	switch {
	case err != nil:
	case m.Seat(in.UserID) == engine.None:
		err = match.ErrNotYourGame
	case m.State != store.Active:
		err = match.WhyOver(m)
	case !in.Message.Ephemeral() && b.kit.IsOldCopy(in, m):
		err = errOldCopy
	}
	return m, err
}

// moved answers a click that changed the board, or says why it did not.
func (b moves) moved(before, m store.Match, err error, why *kit.Refusal) (kit.Response, error) {
	switch {
	case errors.Is(err, errOldCopy):
		link := b.kit.LinkTo(before.Guild, before.Where(), kit.MatchRef(before.ID), before.Message)
		return kit.Update(b.kit.View(before.Locale).Board().Relocated(before, link)), nil
	case err != nil:
		return kit.Response{}, why
	}
	r, err := b.kit.ShowMatch(m, kit.Update)
	if len(m.Moves) > len(before.Moves) {
		r.Then = b.notices.remove(before)
		r.Shows.Step = kit.StepOf(m)
	}
	return r.AndThen(b.Judge.weigh(m)), err
}

// errOldCopy: the clicked message is an older copy of the board.
var errOldCopy = errors.New("bot: the board stands elsewhere now")
