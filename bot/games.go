package bot

import (
	"context"
	"sync"
	"tictactoe/bot/customid"
	"tictactoe/bot/view"

	"tictactoe/bot/internal/recent"
	"tictactoe/bot/rest"
	"tictactoe/store"
)

// games are matches and the ways to them.
type games struct {
	kit    *kit
	change *changer
	think  *thinker
	store  gamesStore
	api    gamesAPI

	// settle has stored for good what the store was told of messages: now, or else soon.
	settle func(ctx context.Context) error

	judged    judged
	reopened  recent.Lately[store.ChannelID] // threads
	byToken   tokenLines
	looking   sync.Map      // the ids of matches in threads whose time has come
	reminding chan struct{} // holds one for each reminder on its way
}

type gamesStore interface {
	store.Matches
	store.Challenges
	store.People
	LastResults(ctx context.Context, user store.UserID, limit int) ([]store.Result, error)
	Deliver(d store.Delivery)
}

// gamesAPI is what games need of Discord.
type gamesAPI interface {
	FollowUp(ctx context.Context, token string, body any) (*rest.Message, error)
	DeleteByToken(ctx context.Context, token, messageID string) error
	CreateMessage(ctx context.Context, channelID string, body any) (*rest.Message, error)
	CreateThread(ctx context.Context, channelID string, t rest.NewThread) (*rest.Channel, error)
	Channel(ctx context.Context, channelID string) (*rest.Channel, error)
	OpenThread(ctx context.Context, threadID string) error
	DeleteMessage(ctx context.Context, channelID, messageID string) error
}

// routes are what happens in games and on the ways to them.
func (b *games) routes() routes {
	play, challenge, board, resign, review, hint, thread, move, rematch := plays{b}, challenges{b}, boards{b}, resignations{b}, reviews{b}, hints{b}, threads{b}, moves{b}, rematches{b}
	return routes{
		command("play"):             {Handle: play.start, Stores: true},
		command("challenge"):        {Handle: challenge.offer, Stores: true},
		command(view.MemberCommand): {Handle: challenge.offerMember, Stores: true},
		command("board"):            {Handle: board.show},
		command("resign"):           {Handle: resign.ask},
		command("review"):           {Handle: review.show},
		command("hint"):             {Handle: hint.ask},

		button(customid.PlayPrivately): {Handle: play.startPrivately, Stores: true},
		button(customid.PlayHere):      {Handle: play.startHere, Stores: true},
		button(customid.PlayInstead):   {Handle: play.startInstead, Stores: true},

		button(customid.PlayInThread): {Handle: thread.play, Stores: true},

		button(customid.Cell):       {Handle: move.play, Stores: true},
		button(customid.CellAtPly):  {Handle: move.play, Stores: true},
		button(customid.CellNames):  {Handle: move.nameCells, Stores: true},
		button(customid.CellInList): {Handle: move.play, Stores: true},
		button(customid.AsList):     {Handle: move.list, Stores: true},

		button(customid.Accept):         {Handle: challenge.accept, Stores: true},
		button(customid.AcceptInThread): {Handle: challenge.accept, Stores: true},

		button(customid.AcceptInstead): {Handle: resign.askInstead},

		button(customid.AcceptSure):     {Handle: challenge.accept, Stores: true},
		button(customid.Decline):        {Handle: challenge.decline, Stores: true},
		button(customid.Cancel):         {Handle: challenge.cancel, Stores: true},
		button(customid.ChallengeAgain): {Handle: challenge.renew, Stores: true},
		button(customid.OpenTable):      {Handle: challenge.openTable, Stores: true},
		button(customid.PlayWinner):     {Handle: challenge.winner, Stores: true},

		button(customid.More): {Handle: board.more},

		button(customid.Rematch):        {Handle: rematch.agree, Stores: true},
		button(customid.Harder):         {Handle: rematch.harder, Stores: true},
		button(customid.Easier):         {Handle: rematch.easier, Stores: true},
		button(customid.DeclineRematch): {Handle: rematch.decline, Stores: true},
		button(customid.GoOn):           {Handle: rematch.goOn, Stores: true},

		button(customid.RematchInstead): {Handle: resign.askInstead},

		button(customid.RematchSure):  {Handle: rematch.agree, Stores: true},
		button(customid.TryVanishing): {Handle: rematch.vanishing, Stores: true},

		button(customid.Resign):        {Handle: resign.askAbout},
		button(customid.ResignConfirm): {Handle: resign.confirm, Stores: true},
		button(customid.StopConfirm):   {Handle: resign.stop, Stores: true},
		button(customid.CloseLocked):   {Handle: resign.askAbout},
		button(customid.StopAll):       {Handle: resign.stopAll, Stores: true},
		button(customid.KeepPlaying):   {Handle: resign.keepPlaying},

		button(customid.ShowBoard): {Handle: board.showAgain},

		button(customid.LastGames):     {Handle: review.list},
		button(customid.Review):        {Handle: review.open},
		button(customid.ReviewAgain):   {Handle: review.open},
		button(customid.ReviewFirst):   {Handle: review.turn},
		button(customid.ReviewBack):    {Handle: review.turn},
		button(customid.ReviewOn):      {Handle: review.turn},
		button(customid.ReviewLast):    {Handle: review.turn},
		button(customid.ReviewMistake): {Handle: review.turn},
		button(customid.ReviewShare):   {Handle: review.share, Stores: true},
		button(customid.PlayOn):        {Handle: review.playOn, Stores: true},

		button(customid.HintAsk):     {Handle: hint.askAbout},
		button(customid.HintConfirm): {Handle: hint.tell, Stores: true},

		button(customid.ReviewFind): {Handle: review.find},
		button(customid.ReviewTry):  {Handle: review.try},

		button(customid.LobbyPlay):  {Handle: play.choose},
		button(customid.LobbyLevel): {Handle: play.chooseLevel},
		button(customid.LobbyBoard): {Handle: play.chooseBoard},
	}
}
