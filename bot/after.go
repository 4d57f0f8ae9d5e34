package bot

import (
	"context"
	"errors"

	"tictactoe/engine"
	"tictactoe/store"
)

// handleRematch offers a rematch, or takes the one that is offered.
func (b *Bot) handleRematch(ctx context.Context, in *interaction, id customID) (response, error) {
	return b.again(ctx, in, id, func(m store.Match) (store.Match, bool, error) {
		return offerRematch(m, in.user, b.opts.ChallengeTTL, b.uptime.read())
	}, func(next store.Match) store.Match { return next })
}

// handleHarder plays again against the next stronger opponent; a series does not
// go on with another one.
func (b *Bot) handleHarder(ctx context.Context, in *interaction, id customID) (response, error) {
	return b.again(ctx, in, id, func(m store.Match) (store.Match, bool, error) {
		if _, ok := harder(m); !ok {
			return m, false, errUnknownRecord // nothing offers that any more
		}
		return offerRematch(m, in.user, b.opts.ChallengeTTL, b.uptime.read())
	}, withHarder)
}

func withHarder(next store.Match) store.Match {
	name, _ := harder(next)
	if botMark(next) == engine.X {
		next.X.Opponent = name
	} else {
		next.O.Opponent = name
	}
	next.Series = store.Score{}
	return next
}

// again notes who wants to go on and, once all do, makes the next match as a new
// message; the old one loses its controls.
func (b *Bot) again(ctx context.Context, in *interaction, id customID,
	agree func(store.Match) (_ store.Match, agreed bool, _ error), adapt func(store.Match) store.Match,
) (response, error) {
	for try := 1; ; try++ {
		m, err := b.loadMatch(ctx, id.match)
		if err != nil {
			return response{}, err
		}
		if up := b.uptime.read(); m.Deadline != 0 && m.Deadline <= up && try < conflictTries {
			// The offer had lapsed before the click.
			if err := b.expireMatch(ctx, m, up); err != nil {
				return response{}, saving(err)
			}
			continue
		}
		offered, agreed, err := agree(m)
		if err != nil {
			return response{}, &refusal{reason: err, match: m, stale: errors.Is(err, errNoRematch)}
		}
		var r response
		if agreed {
			r, err = b.rematch(ctx, in, offered, adapt)
		} else {
			r, err = b.offered(ctx, in, offered)
		}
		if errors.Is(err, store.ErrConflict) && try < conflictTries {
			continue
		}
		return r, err
	}
}

// offered stores the first of two wishes for a rematch and shows it.
func (b *Bot) offered(ctx context.Context, in *interaction, m store.Match) (response, error) {
	m.Updated = b.opts.Now()
	if err := b.apply(ctx, store.Change{Interaction: in.id, Matches: []store.Match{m}}); err != nil {
		return b.alreadyHandled(saving(err))
	}
	m.Version++
	return b.redrawn(m)
}

func (b *Bot) rematch(ctx context.Context, in *interaction, m store.Match, adapt func(store.Match) store.Match) (response, error) {
	next, old := nextMatch(m, store.MatchID(b.opts.NewID()))
	next = adapt(next)
	if !m.Private() {
		if busy, ok, err := b.busyMatch(ctx, m.Channel); err != nil {
			return response{}, err
		} else if ok {
			return response{}, &refusal{reason: errBusy, match: busy, choice: choiceOf(next)}
		}
	}
	if err := b.countStart(in); err != nil {
		return response{}, err
	}
	old.Updated = b.opts.Now()
	next, err := b.createMatch(ctx, in, next, old)
	if errors.Is(err, store.ErrPlaceTaken) {
		busy, _, _ := b.busyMatch(ctx, m.Channel)
		return response{}, &refusal{reason: errBusy, match: busy, choice: choiceOf(next)}
	}
	if err != nil {
		return b.alreadyHandled(err)
	}
	msg, err := b.view(next.Locale).match(next)
	if err != nil {
		return response{}, err
	}
	r := reply(msg)
	r.shows, r.version = surface{match: next.ID}, next.Version
	r.redraw = []surface{{match: m.ID}}
	return r, nil
}

// choiceOf returns what somebody would choose to play the like of the match
// privately: its board, and its opponent where that was the program.
func choiceOf(m store.Match) choice {
	c := defaultChoice
	if offered(m.Rules) {
		c.rules = m.Rules
	}
	if bot := m.Player(botMark(m)); bot.Opponent != "" {
		c.opponent = bot.Opponent
	}
	return c
}
