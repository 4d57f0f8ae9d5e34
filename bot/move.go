package bot

import (
	"context"
	"errors"
	"fmt"

	"tictactoe/bot/rest"
	"tictactoe/store"
)

// conflictTries bounds how often a change is tried again over a newer version.
const conflictTries = 5

// changeMatch loads a match, applies the transition and stores the result under
// the interaction. When somebody else was faster it does so again on what is
// stored then. It returns the match before and after.
func (b *Bot) changeMatch(ctx context.Context, in *interaction, id store.MatchID, transition func(store.Match) (store.Match, error)) (before, after store.Match, _ error) {
	for try := 1; ; try++ {
		m, err := b.loadMatch(ctx, id)
		if err != nil {
			return m, m, err
		}
		if up := b.uptime.read(); m.Deadline != 0 && m.Deadline <= up && try < conflictTries {
			// Its time had come before the click.
			if err := b.expireMatch(ctx, m, up); err != nil {
				return m, m, saving(err)
			}
			continue
		}
		next, err := transition(m)
		if err != nil {
			return m, m, err
		}
		next.Updated = b.opts.Now()
		err = b.apply(ctx, store.Change{Interaction: in.id, Matches: []store.Match{next}})
		switch {
		case err == nil:
			next.Version = m.Version + 1
			return m, next, nil
		case errors.Is(err, store.ErrConflict) && try < conflictTries:
			continue
		default:
			return m, m, saving(err)
		}
	}
}

func (b *Bot) loadMatch(ctx context.Context, id store.MatchID) (store.Match, error) {
	m, err := b.store.Match(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return m, errUnknownRecord
	}
	return m, err
}

// handleCell plays the clicked cell for the user who clicked it.
func (b *Bot) handleCell(ctx context.Context, in *interaction, id customID) (response, error) {
	var choose chooseMove // one for all tries
	before, m, err := b.changeMatch(ctx, in, id.match, func(m store.Match) (store.Match, error) {
		if b.isOldCopy(in, m) && m.Seat(in.user) != 0 {
			return m, errMoved
		}
		if choose == nil {
			var err error
			if choose, err = b.chooser(ctx, m); err != nil {
				return m, err
			}
		}
		return playCell(m, in.user, id.ply, id.cell, choose, b.uptime.read())
	})
	switch {
	case errors.Is(err, errMoved):
		return b.pointToBoard(before), nil
	case errors.Is(err, store.ErrClaimed):
		return b.showMatch(ctx, id.match)
	case err != nil:
		return response{}, &refusal{reason: err, match: before, cell: id.cell, stale: id.ply != len(before.Moves) || before.State != store.Active}
	}
	r, err := b.redrawn(m)
	r.then = b.removeNotice(before)
	return r, err
}

// handleCellNames writes the names on the empty cells, or takes them off.
func (b *Bot) handleCellNames(ctx context.Context, in *interaction, id customID) (response, error) {
	before, m, err := b.changeMatch(ctx, in, id.match, func(m store.Match) (store.Match, error) {
		switch {
		case m.Seat(in.user) == 0:
			return m, errNotYourGame
		case m.State != store.Active:
			return m, errMatchOver
		case b.isOldCopy(in, m):
			return m, errMoved
		}
		m.CellNames = !m.CellNames
		return m, nil
	})
	switch {
	case errors.Is(err, errMoved):
		return b.pointToBoard(before), nil
	case errors.Is(err, store.ErrClaimed):
		return b.showMatch(ctx, id.match)
	case err != nil:
		return response{}, &refusal{reason: err, match: before, stale: before.State != store.Active}
	}
	return b.redrawn(m)
}

// redrawn answers a click on a board with the board as it is now.
func (b *Bot) redrawn(m store.Match) (response, error) {
	msg, err := b.view(m.Locale).match(m)
	if err != nil {
		return response{}, err
	}
	r := update(msg)
	r.shows, r.version = surface{match: m.ID}, m.Version
	return r, nil
}

// showMatch answers a click whose effect is there already.
func (b *Bot) showMatch(ctx context.Context, id store.MatchID) (response, error) {
	m, err := b.loadMatch(ctx, id)
	if err != nil {
		// Something was stored, so that it must not be called unsaved.
		return response{}, fmt.Errorf("%w: %w", store.ErrPending, err)
	}
	return b.redrawn(m)
}

// errMoved: the clicked message is an older copy of the board.
var errMoved = errors.New("bot: the board stands elsewhere now")

// isOldCopy reports whether the click came from a message that was replaced by a
// newer one. Private boards have no such copies: each can be gone on with.
func (b *Bot) isOldCopy(in *interaction, m store.Match) bool {
	if m.Private() || in.message.ID == "" {
		return false
	}
	current := b.painter.known(surface{match: m.ID})
	if current == "" {
		current = m.Message
	}
	return current != "" && snowflakeLess(in.message.ID, current)
}

// pointToBoard turns an older copy into a line that says where the board is.
func (b *Bot) pointToBoard(m store.Match) response {
	link := b.linkTo(m.Guild, m.Channel, surface{match: m.ID}, m.Message)
	return update(b.view(m.Locale).moved(m, link))
}

// removeNotice deletes the line that told the challenger to come: he has, or the
// other one has moved.
func (b *Bot) removeNotice(m store.Match) func(context.Context) {
	if m.Notice == "" {
		return nil
	}
	return func(ctx context.Context) {
		err := b.api.DeleteMessage(ctx, string(m.Channel), string(m.Notice))
		if err != nil && !rest.Gone(err) && !rest.Forbidden(err) {
			b.log.Warn("notice not deleted", "error", err)
			return
		}
		none := store.MessageID("")
		b.store.Note(store.Note{Match: m.ID, Notice: &none})
	}
}
