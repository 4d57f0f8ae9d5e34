// Package games is matches and the ways to them: challenges, moves, rematches, threads, hints
// and reviews, and how they end without a click.
package games

import (
	"context"
	"sync"

	"tictactoe/bot/change"
	"tictactoe/bot/customid"
	"tictactoe/bot/kit"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/store"
)

// tools are what everything here works with. They hold nothing of any match.
type tools struct {
	kit    *kit.Kit
	change *change.Changer
}

// Games are matches and the ways to them: its parts are made in the order in which they ask each
// other, each for those before it.
type Games struct {
	tools
	store Store

	Threads   *Threads
	Judge     *Judge
	notices   *notices
	Reminders *Reminders

	boards     boards
	hints      hints
	reviews    reviews
	moves      moves
	resign     resignations
	plays      plays
	challenges challenges
	rematches  rematches

	looking sync.Map // the ids of matches in threads whose time has come
}

// New returns games that have settle keep for good what the store was told of messages.
func New(k *kit.Kit, c *change.Changer, db Store, api API, settle func(context.Context) error) *Games {
	t := tools{k, c}
	b := &Games{tools: t, store: db, Threads: &Threads{tools: t, api: api}, Judge: &Judge{tools: t, results: db}, boards: boards{t, db}, hints: hints{t}}
	b.notices = &notices{tools: t, matches: db, deliver: db.Deliver, settle: settle}
	b.Reminders = &Reminders{t, db, db, b.notices, make(chan struct{}, remindMost)}
	b.reviews = reviews{t, db, db, b.Judge}
	b.moves = moves{t, db, b.Judge, b.notices}
	b.resign = resignations{t, db, b.boards, b.Judge, b.notices}
	b.plays = plays{t, db, b.Threads, b.resign}
	b.challenges = challenges{t, db, db, b.Threads, b.plays, b.resign, b.notices}
	b.rematches = rematches{t, b.moves, b.challenges, b.resign, b.notices}
	return b
}

// Store is what games need of the store beside what changes it.
type Store interface {
	store.Matches
	store.Challenges
	store.People
	store.Results
	Deliver(d store.Delivery)
}

// API is what games need of Discord.
type API interface {
	CreateThread(ctx context.Context, channelID string, name string) (*rest.Channel, error)
	Channel(ctx context.Context, channelID string) (*rest.Channel, error)
	OpenThread(ctx context.Context, threadID string) error
}

// given is a handler of what something else reads for it, and refuses.
func given[T any](read func(context.Context, *kit.Request) (T, error), handle func(context.Context, *kit.Request, T) (kit.Response, error)) kit.Handler {
	return func(ctx context.Context, in *kit.Request) (kit.Response, error) {
		what, err := read(ctx, in)
		if err != nil {
			return kit.Response{}, err
		}
		return handle(ctx, in, what)
	}
}

// clicked returns the match that a button is about. One that whoever clicked cannot have come by
// was made up.
func (t tools) clicked(ctx context.Context, in *kit.Request) (store.Match, error) {
	m, err := t.change.LoadMatch(ctx, in.Button.Match)
	return m, ours(err, comesBy(in, m))
}

// ours returns the error, and else refuses a button that is none of ours: it was made up.
func ours(err error, is bool) error {
	if err == nil && !is {
		err = match.ErrUnknownRecord
	}
	return err
}

// comesBy reports whether somebody has come by a match: they play it, or see it where it stands.
func comesBy(in *kit.Request, m store.Match) bool {
	return m.Seat(in.UserID) != engine.None || stood(in, m)
}

// stood reports whether the match was played where everybody here could see it: in the guild,
// or in the channel that is in none.
func stood(in *kit.Request, m store.Match) bool { return !m.Private() && in.IsAt(m.Guild, m.Where()) }

// Routes are what happens in games and on the ways to them: those of each part, and what asks
// several.
func (b *Games) Routes() []kit.Routes {
	return []kit.Routes{b.plays.routes(), b.challenges.routes(), b.moves.routes(), b.rematches.routes(), b.resign.routes(), b.reviews.routes(), {
		kit.Command("board"):             {Handle: given(b.boards.matchesHere, b.boards.show)},
		kit.Command("hint"):              {Handle: given(b.boards.matchesHere, b.hints.ask)},
		kit.Button(customid.KeepPlaying): {Handle: b.kit.Noted(view.KeptPlaying)},
		kit.Button(customid.ShowBoard):   {Handle: given(b.clicked, b.showAgain)},
		kit.Button(customid.HintAsk):     {Handle: given(b.clicked, b.hints.askAbout)},
		kit.Button(customid.HintConfirm): {Handle: b.hints.tell, Stores: true},
	}}
}
