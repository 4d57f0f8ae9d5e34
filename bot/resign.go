package bot

import (
	"context"
	"errors"

	"tictactoe/engine"
	"tictactoe/store"
)

// handleResign asks a player whether to resign, and a moderator whether to stop
// other people's match.
func (b *Bot) handleResign(ctx context.Context, in *interaction) (response, error) {
	here, err := b.matchesHere(ctx, in)
	switch {
	case err != nil:
		return response{}, err
	case here.mine.ID != 0 && here.private.ID != 0:
		return reply(b.view(in.locale).resignWhichQuestion(here.mine, here.private, here.mine.Seat(in.user))), nil
	case here.mine.ID != 0:
		return b.askToResign(in, here.mine)
	case here.private.ID != 0 && here.other.ID != 0 && in.may(permissionManageMessages):
		return reply(b.view(in.locale).resignOrStopQuestion(here.private, here.other, here.private.Seat(in.user))), nil
	case here.private.ID != 0:
		return b.askToResign(in, here.private)
	case here.other.ID != 0 && in.may(permissionManageMessages):
		return b.askToResign(in, here.other)
	default:
		return response{}, &refusal{reason: errNotInGame, match: here.other}
	}
}

// handleResignButton is the button below the board.
func (b *Bot) handleResignButton(ctx context.Context, in *interaction, id customID) (response, error) {
	m, err := b.loadMatch(ctx, id.match)
	if err != nil {
		return response{}, err
	}
	return b.askToResign(in, m)
}

func (b *Bot) askToResign(in *interaction, m store.Match) (response, error) {
	v, seat := b.view(in.locale), m.Seat(in.user)
	switch {
	case m.State != store.Active:
		return response{}, &refusal{reason: errMatchOver, match: m, stale: true}
	case seat != engine.None:
		return reply(v.resignQuestion(m, seat)), nil
	case in.may(permissionManageMessages):
		return reply(v.stopQuestion(m)), nil
	default:
		return response{}, &refusal{reason: errNotYourGame, match: m}
	}
}

// handleResignConfirm resigns.
func (b *Bot) handleResignConfirm(ctx context.Context, in *interaction, id customID) (response, error) {
	before, m, err := b.changeMatch(ctx, in, id.match, func(m store.Match) (store.Match, error) {
		return resign(m, in.user)
	})
	if errors.Is(err, errMatchOver) {
		err = errResignTooLate
	}
	return b.ended(in, "resign.done", before, m, err)
}

// handleStopConfirm stops other people's match.
func (b *Bot) handleStopConfirm(ctx context.Context, in *interaction, id customID) (response, error) {
	if !in.may(permissionManageMessages) {
		return response{}, errNotModerator
	}
	before, m, err := b.changeMatch(ctx, in, id.match, func(m store.Match) (store.Match, error) {
		if m.Guild != in.guild || m.Channel != in.channel {
			return m, errNotModerator // the right was checked for this channel only
		}
		return stop(m, in.user)
	})
	return b.ended(in, "stop.done", before, m, err)
}

// ended answers the question that ended the match, and has the board follow.
func (b *Bot) ended(in *interaction, text string, before, m store.Match, err error) (response, error) {
	switch {
	case errors.Is(err, store.ErrClaimed):
		return ignore(), nil
	case err != nil:
		return response{}, &refusal{reason: err, match: before, inPlace: true}
	}
	r := b.answerInPlace(in, private(b.view(in.locale).say(text, nil)))
	r.redraw = []surface{{match: m.ID}}
	r.then = b.removeNotice(before)
	return r, nil
}

// handleKeepPlaying takes the question back.
func (b *Bot) handleKeepPlaying(_ context.Context, in *interaction, _ customID) (response, error) {
	return b.answerInPlace(in, private(b.view(in.locale).say("resign.kept", nil))), nil
}

// answerInPlace puts the answer where the question stood, if that was private.
func (b *Bot) answerInPlace(in *interaction, m message) response {
	if in.message.ephemeral() {
		return update(m)
	}
	return reply(m)
}
