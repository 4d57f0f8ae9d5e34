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

// Games are matches and the ways to them.
type Games struct {
	tools
	store Store

	Judge      *Judge
	Reviews    Reviews
	Threads    *Threads
	boards     boards
	plays      plays
	challenges challenges
	rematches  rematches
	resign     resignations
	moves      moves
	notices    *notices
	Reminders  *Reminders

	looking sync.Map // the ids of matches in threads whose time has come
}

// New returns games that have settle keep for good what the store was told of messages.
func New(k *kit.Kit, c *change.Changer, db Store, api API, settle func(context.Context) error) *Games {
	t := tools{k, c}
	b := &Games{tools: t, store: db, Threads: &Threads{tools: t, api: api}, Judge: &Judge{tools: t, results: db}, notices: &notices{tools: t, matches: db, deliver: db.Deliver, settle: settle}}
	b.boards = boards{t, db}
	b.resign = resignations{t, db, b.boards, b.Judge, b.notices}
	b.plays = plays{t, db, b.Threads, b.resign}
	b.challenges = challenges{t, db, db, b.Threads, b.plays, b.resign, b.notices}
	b.moves = moves{t, db, b.Judge, b.notices}
	b.rematches = rematches{t, b.moves, b.challenges, b.resign, b.notices}
	b.Reviews = Reviews{t, db, db, b.Judge}
	b.Reminders = &Reminders{t, db, db, b.notices, make(chan struct{}, remindMost)}
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

// byUser changes the match that was clicked by a transition that its user makes.
func (t tools) byUser(ctx context.Context, in *kit.Request, transition func(store.Match, store.UserID) (store.Match, error)) (before, after store.Match, _ error) {
	return t.change.Match(ctx, in, in.Button.Match, func(m store.Match) (store.Match, error) { return transition(m, in.UserID) })
}

// Routes are what happens in games and on the ways to them.
func (b *Games) Routes() kit.Routes {
	hint := hints{b.tools}
	return kit.Routes{
		kit.Command("play"):             {Handle: b.plays.start, Stores: true},
		kit.Command("challenge"):        {Handle: b.challenges.offer, Stores: true},
		kit.Command(view.ShortCommand):  {Handle: b.challenges.short, Stores: true},
		kit.Command(view.MemberCommand): {Handle: b.challenges.offerMember, Stores: true},
		kit.Command("board"):            {Handle: given(b.boards.matchesHere, b.boards.show)},
		kit.Command("resign"):           {Handle: b.resign.ask},
		kit.Command("hint"):             {Handle: given(b.boards.matchesHere, hint.ask)},

		kit.Button(customid.PlayPrivately): {Handle: b.plays.startPrivately, Stores: true},
		kit.Button(customid.PlayHere):      {Handle: b.plays.startHere, Stores: true},
		kit.Button(customid.PlayInstead):   {Handle: given(b.plays.chosen, b.plays.startInstead), Stores: true},
		kit.Button(customid.PlayInThread):  {Handle: given(b.plays.chosen, b.plays.inThread), Stores: true},

		kit.Button(customid.Cell):       {Handle: b.moves.play, Stores: true},
		kit.Button(customid.CellAtPly):  {Handle: b.moves.play, Stores: true},
		kit.Button(customid.CellNames):  {Handle: b.moves.nameCells, Stores: true},
		kit.Button(customid.CellInList): {Handle: b.moves.play, Stores: true},
		kit.Button(customid.AsList):     {Handle: b.moves.openList},
		kit.Button(customid.MyNames):    {Handle: b.moves.nameCells, Stores: true},
		kit.Button(customid.MyList):     {Handle: b.moves.openList},
		kit.Button(customid.ListCell):   {Handle: b.moves.choose, Stores: true},

		kit.Button(customid.Accept):         {Handle: b.challenges.accept, Stores: true},
		kit.Button(customid.AcceptInThread): {Handle: b.challenges.accept, Stores: true},
		kit.Button(customid.AcceptInstead):  {Handle: b.resign.askInstead},

		kit.Button(customid.AcceptSure):     {Handle: b.challenges.accept, Stores: true},
		kit.Button(customid.Decline):        {Handle: b.challenges.decline, Stores: true},
		kit.Button(customid.Cancel):         {Handle: b.challenges.cancel, Stores: true},
		kit.Button(customid.ChallengeAgain): {Handle: b.challenges.renew, Stores: true},
		kit.Button(customid.OpenTable):      {Handle: given(b.challenges.read, b.challenges.post), Stores: true},
		kit.Button(customid.PlayWinner):     {Handle: given(b.clicked, b.challenges.winner), Stores: true},
		kit.Button(customid.ChallengeUser):  {Handle: b.challenges.person, Stores: true},
		kit.Button(customid.ChallengeKing):  {Handle: b.challenges.king, Stores: true},
		kit.Button(customid.LobbyKing):      {Handle: b.challenges.king, Stores: true},

		kit.Button(customid.More):       {Handle: b.rematches.more},
		kit.Button(customid.MoreLevel):  {Handle: given(b.rematches.over, b.rematches.choose)},
		kit.Button(customid.MoreBoard):  {Handle: given(b.rematches.over, b.rematches.choose)},
		kit.Button(customid.MoreFirst):  {Handle: given(b.rematches.over, b.rematches.choose)},
		kit.Button(customid.MoreSeries): {Handle: given(b.rematches.over, b.rematches.choose)},
		kit.Button(customid.EndSeries):  {Handle: given(b.clicked, b.resign.endSeries), Stores: true},
		kit.Button(customid.MorePlay):   {Handle: given(b.clicked, b.rematches.play), Stores: true},

		kit.Button(customid.Rematch):        {Handle: b.rematches.agree, Stores: true},
		kit.Button(customid.NextGame):       {Handle: b.rematches.nextGame, Stores: true},
		kit.Button(customid.Harder):         {Handle: given(b.clicked, b.rematches.vary), Stores: true},
		kit.Button(customid.Easier):         {Handle: given(b.clicked, b.rematches.vary), Stores: true},
		kit.Button(customid.DeclineRematch): {Handle: b.rematches.decline, Stores: true},
		kit.Button(customid.GoOn):           {Handle: b.rematches.goOn, Stores: true},

		kit.Button(customid.RematchInstead): {Handle: b.resign.askInstead},

		kit.Button(customid.RematchSure):  {Handle: b.rematches.agree, Stores: true},
		kit.Button(customid.TryVanishing): {Handle: given(b.clicked, b.rematches.vary), Stores: true},

		kit.Button(customid.Resign):        {Handle: given(b.clicked, b.resign.question)},
		kit.Button(customid.ResignAt):      {Handle: b.resign.at, Stores: true},
		kit.Button(customid.ResignConfirm): {Handle: b.resign.confirm, Stores: true},
		kit.Button(customid.StopConfirm):   {Handle: b.resign.stop, Stores: true},
		kit.Button(customid.CloseLocked):   {Handle: given(b.clicked, b.resign.question)},
		kit.Button(customid.StopAll):       {Handle: b.resign.stopAll, Stores: true},
		kit.Button(customid.KeepPlaying):   {Handle: b.kit.Noted(view.KeptPlaying)},
		kit.Button(customid.ShowBoard):     {Handle: given(b.clicked, b.showAgain)},
		kit.Button(customid.HintAsk):       {Handle: given(b.clicked, hint.askAbout)},
		kit.Button(customid.HintConfirm):   {Handle: hint.tell, Stores: true},

		kit.Button(customid.LobbyPlay):  {Handle: b.plays.lobby, Stores: true},
		kit.Button(customid.LobbyLevel): {Handle: given(choose, b.plays.choice)},
		kit.Button(customid.LobbyBoard): {Handle: given(choose, b.plays.choice)},

		kit.Button(customid.Change):      {Handle: b.plays.another},
		kit.Button(customid.ChangeLevel): {Handle: b.plays.another},
		kit.Button(customid.ChangeBoard): {Handle: b.plays.another},
		kit.Button(customid.ChangePlay):  {Handle: given(b.plays.chosen, b.plays.playChanged), Stores: true},
	}
}
