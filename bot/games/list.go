package games

import (
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/tracker"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// lists are those that people have of a match for themselves, while everybody sees its grid.
type lists struct{ *Games }

// open shows a new one.
func (b lists) open(ctx context.Context, in *kit.Request) (kit.Response, error) {
	m, err := b.running(ctx, in)
	if err != nil {
		return moves(b).moved(m, m, err, &kit.Refusal{Reason: err, Match: m, Stale: m.State != store.Active})
	}
	msg, err := b.kit.View(in.Language()).Board().List(m)
	if err != nil {
		return kit.Response{}, err
	}
	r := kit.Reply(msg)
	if in.Button.Action == customid.MyList {
		r = in.InPlace(msg)
	} else { // a board of an older version, which may be a list
		r = r.AndRedraw(kit.MatchRef(m.ID))
	}
	return b.notices.aside(in, m, r), nil
}

// choose plays what was chosen. The list may be of any age: a choice that can be played in
// the position of today is what somebody wants, and their list is as new as that afterwards.
func (b lists) choose(ctx context.Context, in *kit.Request) (kit.Response, error) {
	cell, ok := customid.ParseCellValue(in.Values)
	if !ok || !in.Message.Ephemeral() {
		return kit.Response{}, customid.ErrUnknown
	}
	play := moves(b).cell(ctx, in, cell)
	before, m, err := b.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) {
		ply := len(m.Moves)
		if Soon(in.Interaction) {
			ply-- // it was meant for the list before
		}
		return play(m, ply)
	})
	if err != nil {
		return kit.Response{}, &kit.Refusal{Reason: err, Match: before, Cell: cell}
	}
	r, err := b.Listed(in, m)
	return b.notices.aside(in, m, b.follow(r, before, m)), err
}

// Listed answers a choice in a list of one's own with the list as it is now.
func (b *Games) Listed(in *kit.Request, m store.Match) (kit.Response, error) {
	msg, err := b.kit.View(in.Language()).Board().List(m)
	return kit.Update(msg), err
}

// ways are what there is to do at a match that runs, beside moving.
func (b lists) ways(in *kit.Request, m store.Match) (kit.Response, error) {
	v := b.kit.View(in.Language())
	switch {
	case m.Seat(in.UserID) != engine.None:
		return b.notices.aside(in, m, kit.Reply(v.Board().Ways(m, in.UserID))), nil
	case in.May(discord.PermissionManageMessages):
		return b.notices.aside(in, m, kit.Reply(v.Games().EndQuestion(in.UserID, view.Endable{Other: m}))), nil
	}
	return kit.Response{}, &kit.Refusal{Reason: match.ErrNotYourGame, Match: m}
}

// aside has the answer take the place of the private message that the user had beside the
// match, as long as the token lives that takes it away: they have one at a time.
func (b *notices) aside(in *kit.Request, m store.Match, r kit.Response) kit.Response {
	key := lineAt{match: m.ID, beside: in.UserID}
	old, ok := b.lines.Take(key)
	b.lines.Put(key, tokenLine{in.Token, "@original"}, b.kit.Now(), tracker.TokenLife, tokenLinesMost)
	if !ok || r.Kind != rest.CallbackMessage {
		return r
	}
	return r.AndThen(func(ctx context.Context) { b.takeAway(ctx, old) })
}
