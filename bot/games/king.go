package games

import (
	"context"

	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// king is the button that challenges who wears the crown of the channel: below the match that
// shows it, and in the lobby. They still have to accept.
func (b challenges) king(ctx context.Context, in *kit.Request) (kit.Response, error) {
	channel, user, shown := in.ChannelID, in.Button.User, store.Match{}
	if id := in.Button.Match; id != 0 {
		m, err := b.change.LoadMatch(ctx, id)
		if err == nil && !in.IsAt(m.Guild, m.Where()) {
			err = match.ErrUnknownRecord // made up: no button of ours leaves its guild
		}
		if err != nil {
			return kit.Response{}, err
		}
		channel, user, shown = m.Channel, m.Player(m.Winner).User, m
	}
	crown, err := b.change.KingFor(ctx, in, channel, user, shown.ID)
	if err != nil {
		b.change.ClearCard(ctx, shown)
		return kit.Response{}, err
	}
	c, err := b.read(ctx, in)
	if err != nil {
		return kit.Response{}, err
	}
	person, err := b.people.Person(ctx, crown.User)
	if err != nil {
		return kit.Response{}, err
	}
	c.Opponent, c.Crown, c.Quiet = crown.User, channel, !person.CrownCalls.Or(false)
	if shown.ID != 0 {
		c.Rules = shown.Rules
	}
	return b.post(ctx, in, c)
}
