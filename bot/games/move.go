package games

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// moves are what happens on a board that is being played.
type moves struct{ *Games }

// play plays the cell that was clicked, or chosen in a list, for the user who did so.
func (b moves) play(ctx context.Context, in *kit.Request) (kit.Response, error) {
	var choose match.Choose // one for all tries
	id := in.Button
	if id.Action == customid.CellInList {
		var ok bool
		if id.Cell, ok = customid.ParseCellValue(in.Values); !ok {
			return kit.Response{}, customid.ErrUnknown
		}
	}
	before, m, err := b.change.Match(ctx, in, id.Match, func(m store.Match) (store.Match, error) {
		if b.kit.IsOldCopy(in, m) && m.Seat(in.UserID) != 0 {
			return m, errOldCopy
		}
		if m.GridStands && m.Private() && m.Seat(in.UserID) != 0 {
			return match.Fold(m, b.kit.Times.ChallengeTTL), nil
		}
		if choose == nil {
			var err error
			if choose, err = b.think.Chooser(ctx, m); err != nil {
				return m, err
			}
		}
		return match.Play(m, in.UserID, aimOf(in.Interaction, id, m).ply, id.Cell, choose, b.kit.Up(m.Guild))
	})
	stale := aimOf(in.Interaction, id, before).shown != len(before.Moves) || before.State != store.Active
	return b.moved(before, m, err, &kit.Refusal{Reason: err, Match: before, Cell: id.Cell, Stale: stale})
}

// nameCells writes the names on the empty cells, or takes them off.
func (b moves) nameCells(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.turn(ctx, in, func(m *store.Match) { m.CellNames = !m.CellNames })
}

// list puts a list of the cells in the place of the grid, or the grid in that of the list.
func (b moves) list(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.turn(ctx, in, func(m *store.Match) { m.AsList = !m.AsList })
}

// turn changes how a running board looks.
func (b moves) turn(ctx context.Context, in *kit.Request, change func(*store.Match)) (kit.Response, error) {
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) {
		switch {
		case m.Seat(in.UserID) == 0:
			return m, match.ErrNotYourGame
		case m.State != store.Active:
			return m, match.WhyOver(m)
		case b.kit.IsOldCopy(in, m):
			return m, errOldCopy
		}
		change(&m)
		return m, nil
	})
	return b.moved(before, m, err, &kit.Refusal{Reason: err, Match: before, Stale: before.State != store.Active})
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
		r.Then = notices(b).remove(before)
		r.Step = kit.StepOf(m)
	}
	return r.AndThen(b.weigh(m)), err
}

// errOldCopy: the clicked message is an older copy of the board.
var errOldCopy = errors.New("bot: the board stands elsewhere now")
