package games

import (
	"context"
	"errors"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// resignations end matches by the will of somebody: a player, or a moderator.
type resignations struct {
	tools
	challenges store.Challenges
	boards     boards
	judge      *Judge
	notices    *notices
}

// routes are what ends a match by the will of somebody.
func (b resignations) routes() kit.Routes {
	return kit.Routes{
		kit.Command("resign"):               {Handle: b.ask},
		kit.Button(customid.AcceptInstead):  {Handle: b.askInstead},
		kit.Button(customid.EndSeries):      {Handle: given(b.clicked, b.endSeries), Stores: true},
		kit.Button(customid.RematchInstead): {Handle: b.askInstead},
		kit.Button(customid.Resign):         {Handle: given(b.clicked, b.question)},
		kit.Button(customid.ResignAt):       {Handle: b.at, Stores: true},
		kit.Button(customid.ResignConfirm):  {Handle: b.confirm, Stores: true},
		kit.Button(customid.StopConfirm):    {Handle: b.stop, Stores: true},
		kit.Button(customid.CloseLocked):    {Handle: given(b.clicked, b.question)},
		kit.Button(customid.StopAll):        {Handle: b.stopAll, Stores: true},
	}
}

// ask is the command: it asks a player whether to resign, and a moderator whether to
// stop other people's match. Where it may mean one of several it lists them.
func (b resignations) ask(ctx context.Context, in *kit.Request) (kit.Response, error) {
	switch who, err := in.Option("user"); {
	case err != nil:
		return kit.Response{}, err
	case who != "" && who != string(in.UserID):
		return b.askToStopAll(ctx, in, store.UserID(who))
	}
	here, err := b.boards.matchesHere(ctx, in)
	v, moderator := b.kit.View(in.Language()), len(here.others) > 0 && in.May(discord.PermissionManageMessages)
	switch {
	case err != nil:
		return kit.Response{}, err
	case here.mine.ID != 0:
		return kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Mine: here.mine, Private: here.private})), nil
	case here.private.ID != 0 && moderator:
		return kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Mine: here.private, Other: here.other()})), nil
	case here.private.ID != 0:
		return b.question(ctx, in, here.private)
	case len(here.elsewhere) > 0:
		return kit.Reply(v.Games().List(view.GamesToResign, b.kit.Listed(here.elsewhere))), nil
	case moderator && len(here.others) > 1:
		return kit.Reply(v.Games().List(view.GamesToStop, b.kit.Listed(here.others))), nil
	case moderator:
		return b.question(ctx, in, here.other())
	default:
		return kit.Response{}, &kit.Refusal{Reason: match.ErrNotInGame, Match: here.other()}
	}
}

// question is the button below the board, and what the command asks about a match.
func (b resignations) question(_ context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	v, plays := b.kit.View(in.Language()), m.Seat(in.UserID) != engine.None
	switch {
	case m.State != store.Active && !match.BetweenGames(m):
		return kit.Response{}, &kit.Refusal{Reason: match.WhyOver(m), Match: m, Stale: true}
	case !plays && !in.May(discord.PermissionManageMessages):
		return kit.Response{}, &kit.Refusal{Reason: match.ErrNotYourGame, Match: m}
	case plays:
		return kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Mine: m})), nil
	default:
		return kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Other: m})), nil
	}
}

// askInstead is the button that leads out of a match to another one that waits for the same
// person: it asks whether to resign the one for the other.
func (b resignations) askInstead(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.change.LoadMatch(ctx, in.Button.Resign)
	if err = ours(err, m.Seat(in.UserID) != engine.None); err != nil { // it was offered to a player
		return kit.Response{}, err
	}
	sure := in.Button
	sure.Action = map[customid.Action]customid.Action{
		customid.AcceptInstead: customid.AcceptSure, customid.RematchInstead: customid.RematchSure,
	}[in.Button.Action]
	return in.InPlace(b.kit.View(in.Language()).Games().ResignInsteadQuestion(in.UserID, m, sure)), nil
}

// instead returns a match of the user before and after they resign it for another one. One
// that is over already is not changed: then there is none after.
func (b resignations) instead(ctx context.Context, in *kit.Request, id store.MatchID) (before, after store.Match, _ error) {
	before, err := b.change.DueMatch(ctx, in, id)
	if err = ours(err, before.Seat(in.UserID) != engine.None && before.Guild == in.GuildID); err != nil { // it was offered to a player
		return before, after, err
	}
	if after, err = match.Resign(before, in.UserID); errors.Is(err, match.ErrMatchOver) {
		return before, store.Match{}, nil
	}
	return before, after, err
}

// at resigns the position in which somebody had the button, and asks about any other.
func (b resignations) at(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.change.LoadMatch(ctx, in.Button.Match)
	if err == nil && m.Seat(in.UserID) != engine.None && m.State == store.Active && len(m.Moves) != in.Button.Ply {
		return in.InPlace(b.kit.View(in.Language()).Games().EndQuestion(in.UserID, view.Endable{Mine: m})), nil
	}
	return b.confirm(ctx, in)
}

// confirm resigns.
func (b resignations) confirm(ctx context.Context, in *kit.Request) (kit.Response, error) {
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) { return match.Resign(m, in.UserID) })
	if errors.Is(err, match.ErrMatchOver) && !match.Paused(before) && !match.HandedOn(before) {
		err = match.ErrResignTooLate
	}
	return b.ended(in, b.kit.View(in.Language()).Note(view.Resigned), before, m, err)
}

// endSeries ends a series between two games, for a player or a moderator.
func (b resignations) endSeries(ctx context.Context, in *kit.Request, m store.Match) (kit.Response, error) {
	if m.Seat(in.UserID) == engine.None {
		return b.moderated(ctx, in, view.SeriesEnded, match.EndSeries)
	}
	before, m, err := b.change.Match(ctx, in, in.Button.Match, match.EndSeries)
	return b.ended(in, b.kit.View(in.Language()).Note(view.SeriesEnded), before, m, err)
}

// stop stops other people's match.
func (b resignations) stop(ctx context.Context, in *kit.Request) (kit.Response, error) {
	return b.moderated(ctx, in, view.Stopped, func(m store.Match) (store.Match, error) { return match.Stop(m, in.UserID) })
}

// moderated is what a moderator does to other people's match.
func (b resignations) moderated(ctx context.Context, in *kit.Request, said view.Note, end func(store.Match) (store.Match, error)) (kit.Response, error) {
	if !in.May(discord.PermissionManageMessages) {
		return kit.Response{}, match.ErrNotModerator
	}
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) {
		if m.Guild != in.GuildID || m.Channel != in.ChannelID && m.Where() != in.ChannelID {
			return m, match.ErrNotModerator // the right was checked for this channel only
		}
		return end(m)
	})
	if err == nil {
		b.kit.Log.Info("game stopped", "guild", in.GuildID, "channel", in.ChannelID, "by", in.UserID, "match", m.ID)
	}
	r, err := b.ended(in, b.kit.View(in.Language()).Note(said), before, m, err)
	if err != nil {
		return r, err
	}
	moderator := in.UserID
	return r.AndThen(b.tellStop(in, func(v view.View) discord.Message { return v.Games().StopTold(m, moderator) }, moderator, m.X.User, m.O.User)), nil
}

// ended answers the question that ended the match, and has the board follow.
func (b resignations) ended(in *kit.Request, said discord.Message, before, m store.Match, err error) (kit.Response, error) {
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: before, InPlace: true}
	}
	return b.follow(in.InPlace(said), before, m), nil
}

// follow has the board of a match follow what has changed it, if there is one, with whatever else
// comes of that.
func (b resignations) follow(r kit.Response, before, after store.Match) kit.Response {
	if before.ID == 0 {
		return r
	}
	return r.AndRedraw(kit.MatchRef(before.ID)).AndThen(b.notices.remove(before)).AndThen(b.judge.weigh(after))
}
