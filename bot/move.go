package bot

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// moves are what happens on a board that is being played.
type moves struct{ *games }

// play plays the cell that was clicked, or chosen in a list, for the user who did so.
func (b moves) play(ctx context.Context, in *request) (response, error) {
	var choose match.Choose // one for all tries
	id := in.button
	if id.Action == customid.CellInList {
		var ok bool
		if id.Cell, ok = customid.ParseCellValue(in.Values); !ok {
			return response{}, customid.ErrUnknown
		}
	}
	before, m, err := b.change.changeMatch(ctx, in, id.Match, func(m store.Match) (store.Match, error) {
		if b.kit.isOldCopy(in, m) && m.Seat(in.user) != 0 {
			return m, errOldCopy
		}
		if m.GridStands && m.Private() && m.Seat(in.user) != 0 {
			return match.Fold(m, b.kit.times.ChallengeTTL), nil
		}
		if choose == nil {
			var err error
			if choose, err = b.think.chooser(ctx, m); err != nil {
				return m, err
			}
		}
		return match.Play(m, in.user, aimOf(in.Interaction, id, m).ply, id.Cell, choose, b.kit.up(m.Guild))
	})
	stale := aimOf(in.Interaction, id, before).shown != len(before.Moves) || before.State != store.Active
	return b.moved(before, m, err, &refusal{reason: err, match: before, cell: id.Cell, stale: stale})
}

// nameCells writes the names on the empty cells, or takes them off.
func (b moves) nameCells(ctx context.Context, in *request) (response, error) {
	return b.turn(ctx, in, func(m *store.Match) { m.CellNames = !m.CellNames })
}

// list puts a list of the cells in the place of the grid, or the grid in that of the list.
func (b moves) list(ctx context.Context, in *request) (response, error) {
	return b.turn(ctx, in, func(m *store.Match) { m.AsList = !m.AsList })
}

// turn changes how a running board looks.
func (b moves) turn(ctx context.Context, in *request, change func(*store.Match)) (response, error) {
	before, m, err := b.change.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
		switch {
		case m.Seat(in.user) == 0:
			return m, match.ErrNotYourGame
		case m.State != store.Active:
			return m, match.WhyOver(m)
		case b.kit.isOldCopy(in, m):
			return m, errOldCopy
		}
		change(&m)
		return m, nil
	})
	return b.moved(before, m, err, &refusal{reason: err, match: before, stale: before.State != store.Active})
}

// moved answers a click that changed the board, or says why it did not.
func (b moves) moved(before, m store.Match, err error, why *refusal) (response, error) {
	switch {
	case errors.Is(err, errOldCopy):
		link := b.kit.linkTo(before.Guild, before.Where(), matchRef(before.ID), before.Message)
		return update(b.kit.view(before.Locale).Board().Relocated(before, link)), nil
	case err != nil:
		return response{}, why
	}
	r, err := b.kit.showMatch(m, update)
	if len(m.Moves) > len(before.Moves) {
		r.then = notices(b).remove(before)
		r.step = stepOf(m)
	}
	return r.andThen(b.judge(m)), err
}

// errOldCopy: the clicked message is an older copy of the board.
var errOldCopy = errors.New("bot: the board stands elsewhere now")

// isOldCopy reports whether the click came from a message that was replaced by a
// newer one. Private boards have no such copies: each can be gone on with. While the
// newer one is being made the answer waits a moment for its id.
func (b *kit) isOldCopy(in *request, m store.Match) bool {
	if m.Private() || in.clicked == "" {
		return false
	}
	current := b.tracker.Where(matchRef(m.ID), m.Message)
	return current != "" && discord.Older(in.clicked, current)
}
