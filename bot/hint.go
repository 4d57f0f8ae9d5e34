package bot

import (
	"context"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine/coach"
	"tictactoe/store"
)

// hints tell somebody who plays against the bot a move, once in a match.
type hints struct{ *games }

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
		why := b.may(ctx, m, in.user)
		if match.HintStands(m, in.user) {
			why = nil
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
	if len(against) == 1 && match.HintStands(against[0], in.user) {
		return b.again(ctx, in, against[0], reply)
	}
	return reply(b.kit.view(in.locale()).Reviews().HintQuestion(against, here.mine.ID != 0 && here.private.ID != 0)), nil
}

// askAbout is the button under a board, which does the same for its match.
func (b hints) askAbout(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	if err != nil {
		return response{}, err
	}
	if match.HintStands(m, in.user) {
		return b.again(ctx, in, m, reply)
	}
	if err := b.may(ctx, m, in.user); err != nil {
		return response{}, &refusal{reason: err, match: m}
	}
	return reply(b.kit.view(in.locale()).Reviews().HintQuestion([]store.Match{m}, false)), nil
}

// again tells the move that was told for the position.
func (b hints) again(ctx context.Context, in *request, m store.Match, as func(discord.Message) response) (response, error) {
	best, err := b.best(ctx, m)
	if err != nil {
		return response{}, b.refused(in, m, err)
	}
	return as(b.kit.view(in.locale()).Reviews().Hint(m, *best)), nil
}

// refused says why no move is told: where there was no room to think, with a button that
// tries again. It stands in the place of the question, and of no board.
func (hints) refused(in *request, m store.Match, err error) error {
	r := &refusal{reason: err, match: m, inPlace: in.button.Action == customid.HintConfirm}
	if errors.Is(err, match.ErrStillJudging) {
		r.again = customid.ID{Action: customid.HintConfirm, Match: m.ID}
	}
	return r
}

// tell is the button that does.
func (b hints) tell(ctx context.Context, in *request) (response, error) {
	if m, err := b.change.loadMatch(ctx, in.button.Match); err == nil && match.HintStands(m, in.user) {
		return b.again(ctx, in, m, in.inPlace)
	}
	var best *coach.Move
	before, m, err := b.change.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
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
		return response{}, b.refused(in, before, err)
	}
	r := in.inPlace(b.kit.view(in.locale()).Reviews().Hint(m, *best))
	r.redraw = append(r.redraw, matchRef(m.ID)) // it says that the match does not count
	return r, nil
}

// may returns why the user is told no move in the match, nil if they may be.
func (b hints) may(ctx context.Context, m store.Match, user store.UserID) error {
	if _, err := match.Hint(m, user); err != nil {
		return err
	}
	return b.given(ctx, m)
}

// given returns the refusal of a match that was begun where its guild gives no hints.
func (b hints) given(ctx context.Context, m store.Match) error {
	s, err := b.kit.settings.guild(ctx, m.Guild)
	if err != nil {
		return err
	}
	return match.HintsGiven(m, s.NoHintsSince)
}

// noHintsSince returns since when the guild gives none in matches that are begun. Where it
// cannot be read the button is shown, and says what is known when it is pressed.
func (b *kit) noHintsSince(guild store.GuildID) time.Time {
	ctx, cancel := context.WithTimeout(b.work.Base, b.times.WorkTime)
	defer cancel()
	s, err := b.settings.guild(ctx, guild)
	if err != nil {
		return time.Time{}
	}
	return s.NoHintsSince
}

// best returns the best move in a match.
func (b hints) best(ctx context.Context, m store.Match) (*coach.Move, error) {
	g, err := match.Position(m)
	if err != nil {
		return nil, err
	}
	done, err := b.think.mayThink(ctx, m.Rules)
	if err != nil {
		return nil, err
	}
	defer done()
	best, err := coach.Best(ctx, g)
	if errors.Is(err, context.DeadlineExceeded) {
		err = match.ErrStillJudging
	}
	return &best, err
}
