package bot

import (
	"context"
	"errors"

	"tictactoe/bot/match"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// hints tell somebody who plays against the bot a move, once in a match.
type hints struct{ *Bot }

// ask is the command: it says that a match with a hint does not count.
func (b hints) ask(ctx context.Context, in *request) (response, error) {
	here, err := b.matchesHere(ctx, in)
	if err != nil {
		return response{}, err
	}
	var against []store.Match
	err = &refusal{reason: match.ErrNotInGame, match: here.other()}
	for _, m := range []store.Match{here.mine, here.private} {
		if m.ID == 0 {
			continue
		}
		_, why := match.Hint(m, in.user)
		if why == nil {
			why = b.given(ctx, m)
		}
		if why != nil {
			err = &refusal{reason: why, match: m}
			continue
		}
		against = append(against, m)
	}
	if len(against) == 0 {
		return response{}, err
	}
	return reply(b.view(in.locale()).HintQuestion(against)), nil
}

// tell is the button that does.
func (b hints) tell(ctx context.Context, in *request) (response, error) {
	var best *coach.Move
	before, m, err := b.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
		next, err := match.Hint(m, in.user)
		if err == nil {
			err = b.given(ctx, m)
		}
		if err != nil {
			return m, err
		}
		best, err = b.best(ctx, m)
		return next, err
	})
	if err != nil {
		return response{}, &refusal{reason: err, match: before, inPlace: true}
	}
	r := in.inPlace(b.view(in.locale()).Hint(m, *best))
	r.redraw = append(r.redraw, matchRef(m.ID)) // it says that the match does not count
	return r, nil
}

// given returns the refusal of a match that was begun where its guild gives no hints.
func (b hints) given(ctx context.Context, m store.Match) error {
	s, err := b.settings.guild(ctx, m.Guild)
	if err != nil {
		return err
	}
	return match.HintsGiven(m, s.NoHintsSince)
}

// best returns the best move in a match.
func (b hints) best(ctx context.Context, m store.Match) (*coach.Move, error) {
	g, err := match.Position(m)
	if err != nil {
		return nil, err
	}
	done, err := b.mayThink(ctx, m.Rules)
	if err != nil {
		return nil, match.ErrTooBusy
	}
	defer done()
	best, err := coach.Best(ctx, g)
	if errors.Is(err, context.DeadlineExceeded) {
		err = match.ErrTooBusy
	}
	return &best, err
}
