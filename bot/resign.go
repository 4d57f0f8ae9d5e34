package bot

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// resignations end matches by the will of somebody: a player, or a moderator.
type resignations struct{ *games }

// ask is the command: it asks a player whether to resign, and a moderator whether to
// stop other people's match. Where it may mean one of several it lists them.
func (b resignations) ask(ctx context.Context, in *request) (response, error) {
	switch who, ok := in.Text("user"); {
	case ok && who != string(in.user):
		return b.askToStopAll(ctx, in, store.UserID(who))
	case !ok && absent(in, "user") != nil:
		return response{}, match.ErrBadOption
	}
	here, err := b.matchesHere(ctx, in)
	v, moderator := b.kit.view(in.locale()), len(here.others) > 0 && in.May(discord.PermissionManageMessages)
	switch {
	case err != nil:
		return response{}, err
	case here.mine.ID != 0 && here.private.ID != 0:
		return reply(v.Games().ResignWhichQuestion(here.mine, here.private, here.mine.Seat(in.user))), nil
	case here.mine.ID != 0:
		return b.question(ctx, in, here.mine)
	case here.private.ID != 0 && moderator:
		return reply(v.Games().ResignOrStopQuestion(here.private, here.other(), here.private.Seat(in.user))), nil
	case here.private.ID != 0:
		return b.question(ctx, in, here.private)
	case len(here.elsewhere) > 0:
		return reply(v.Games().List(view.GamesToResign, b.kit.listed(here.elsewhere))), nil
	case moderator && len(here.others) > 1:
		return reply(v.Games().List(view.GamesToStop, b.kit.listed(here.others))), nil
	case moderator:
		return b.question(ctx, in, here.other())
	default:
		return response{}, &refusal{reason: match.ErrNotInGame, match: here.other()}
	}
}

// askAbout is the button below the board.
func (b resignations) askAbout(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Match)
	if err != nil {
		return response{}, err
	}
	return b.question(ctx, in, m)
}

func (b resignations) question(ctx context.Context, in *request, m store.Match) (response, error) {
	v, seat := b.kit.view(in.locale()), m.Seat(in.user)
	switch {
	case m.State != store.Active:
		return response{}, &refusal{reason: match.WhyOver(m), match: m, stale: true}
	case seat != engine.None:
		return reply(v.Games().ResignQuestion(m, seat)), nil
	case in.May(discord.PermissionManageMessages):
		return reply(v.Games().StopQuestion(m)), nil
	default:
		return response{}, &refusal{reason: match.ErrNotYourGame, match: m}
	}
}

// askInstead is the button that leads out of a match to another one that waits for the same
// person: it asks whether to resign the one for the other.
func (b resignations) askInstead(ctx context.Context, in *request) (response, error) {
	m, err := b.change.loadMatch(ctx, in.button.Resign)
	seat := m.Seat(in.user)
	if err == nil && seat == engine.None {
		err = match.ErrUnknownRecord // made up: the button was offered to a player
	}
	if err != nil {
		return response{}, err
	}
	sure := in.button
	sure.Action = map[customid.Action]customid.Action{
		customid.AcceptInstead: customid.AcceptSure, customid.RematchInstead: customid.RematchSure,
	}[in.button.Action]
	return in.inPlace(b.kit.view(in.locale()).Games().ResignInsteadQuestion(m, seat, sure)), nil
}

// instead returns a match of the user before and after they resign it for another one. One
// that is over already is not changed: then there is none after.
func (b resignations) instead(ctx context.Context, in *request, id store.MatchID) (before, after store.Match, _ error) {
	before, err := b.change.dueMatch(ctx, in, id)
	if err == nil && (before.Seat(in.user) == engine.None || before.Guild != in.guild) {
		err = match.ErrUnknownRecord // made up: the button was offered to a player
	}
	if err != nil {
		return before, after, err
	}
	if after, err = match.Resign(before, in.user); errors.Is(err, match.ErrMatchOver) {
		return before, store.Match{}, nil
	}
	return before, after, err
}

// showInstead has the board follow of a match that was resigned for another one.
func (b resignations) showInstead(r response, before, after store.Match) response {
	if before.ID == 0 {
		return r
	}
	r.redraw = append(r.redraw, matchRef(before.ID))
	r.then = inTurn(notices(b).remove(before), r.then)
	return r.andThen(b.judge(after))
}

// confirm resigns.
func (b resignations) confirm(ctx context.Context, in *request) (response, error) {
	before, m, err := b.change.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
		return match.Resign(m, in.user)
	})
	if errors.Is(err, match.ErrMatchOver) && !match.Paused(before) {
		err = match.ErrResignTooLate
	}
	return b.ended(in, b.kit.view(in.locale()).Note(view.Resigned), before, m, err)
}

// stop stops other people's match.
func (b resignations) stop(ctx context.Context, in *request) (response, error) {
	if !in.May(discord.PermissionManageMessages) {
		return response{}, match.ErrNotModerator
	}
	before, m, err := b.change.changeMatch(ctx, in, in.button.Match, func(m store.Match) (store.Match, error) {
		if m.Guild != in.guild || m.Channel != in.channel && m.Where() != in.channel {
			return m, match.ErrNotModerator // the right was checked for this channel only
		}
		return match.Stop(m, in.user)
	})
	if err == nil {
		b.kit.log.Info("game stopped", "guild", in.guild, "channel", in.channel, "by", in.user, "match", m.ID)
	}
	r, err := b.ended(in, b.kit.view(in.locale()).Note(view.Stopped), before, m, err)
	if err != nil {
		return r, err
	}
	moderator := in.user
	return r.andThen(b.tellStop(in, func(v view.View) discord.Message { return v.Games().StopTold(m, moderator) }, moderator, m.X.User, m.O.User)), nil
}

// ended answers the question that ended the match, and has the board follow.
func (b resignations) ended(in *request, said discord.Message, before, m store.Match, err error) (response, error) {
	if err != nil {
		return response{}, &refusal{reason: err, match: before, inPlace: true}
	}
	r := in.inPlace(said)
	r.redraw = append(r.redraw, matchRef(m.ID))
	r.then = notices(b).remove(before)
	return r.andThen(b.judge(m)), nil
}

// keepPlaying takes the question back.
func (b resignations) keepPlaying(_ context.Context, in *request) (response, error) {
	return in.inPlace(b.kit.view(in.locale()).Note(view.KeptPlaying)), nil
}
