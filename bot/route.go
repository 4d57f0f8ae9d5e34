package bot

import (
	"context"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/bot/rest"
	"tictactoe/bot/view"
)

// route is what happens on a command or on a button.
type route struct {
	handle func(ctx context.Context, in *request) (response, error)
	// stores says that it would store something: people are told when that may not
	// have happened.
	stores bool
}

const (
	looks  = false
	stores = true
)

// routes are all that the bot reacts to. Commands go by their subcommand, with the name of
// the admins' command before it, or by the name of their entry in a member's menu. Buttons go by the action of their custom ID,
// which package customid lists with what else such an ID carries.
type routes struct {
	commands map[string]route
	buttons  map[customid.Action]route
}

func newRoutes(b *Bot) routes {
	play, move, challenge := plays{b.games}, moves{b.games}, challenges{b.games}
	rematch, resign, board := rematches{b.games}, resignations{b.games}, boards{b.games}
	review, hint, thread := reviews{b.games}, hints{b.games}, threads{b.games}
	standing, admin, riddle := standings{b.guilds}, admins{b.guilds}, b.puzzles
	preference := preferences{b.people}
	return routes{
		commands: map[string]route{
			"play":             {play.start, stores},
			"challenge":        {challenge.offer, stores},
			view.MemberCommand: {challenge.offerMember, stores},
			"board":            {board.show, looks},
			"resign":           {resign.ask, looks},
			"stats":            {standing.stats, looks},
			"leaderboard":      {standing.leaderboard, looks},
			"review":           {review.show, looks},
			"hint":             {hint.ask, looks},
			"puzzle":           {riddle.show, stores},
			"help":             {b.help, looks},

			view.AdminCommand + " settings": {admin.show, looks},
			view.AdminCommand + " check":    {admin.check, looks},
			view.AdminCommand + " lobby":    {admin.lobby, looks},
			"preferences":                   {preference.show, looks},
		},
		buttons: map[customid.Action]route{
			customid.PlayPrivately: {play.startPrivately, stores},
			customid.PlayHere:      {play.startHere, stores},
			customid.PlayInstead:   {play.startInstead, stores},

			customid.PlayInThread: {thread.play, stores},

			customid.Cell:      {move.play, stores},
			customid.CellAtPly: {move.play, stores},
			customid.CellNames: {move.nameCells, stores},

			customid.CellInList: {move.play, stores},
			customid.AsList:     {move.list, stores},

			customid.Accept:         {challenge.accept, stores},
			customid.AcceptInThread: {challenge.accept, stores},
			customid.AcceptInstead:  {resign.askInstead, looks},
			customid.AcceptSure:     {challenge.accept, stores},
			customid.Decline:        {challenge.decline, stores},
			customid.Cancel:         {challenge.cancel, stores},
			customid.ChallengeAgain: {challenge.renew, stores},
			customid.OpenTable:      {challenge.openTable, stores},
			customid.PlayWinner:     {challenge.winner, stores},
			customid.More:           {board.more, looks},

			customid.Rematch: {rematch.agree, stores},
			customid.Harder:  {rematch.harder, stores},
			customid.Easier:  {rematch.easier, stores},

			customid.DeclineRematch: {rematch.decline, stores},

			customid.GoOn: {rematch.goOn, stores},

			customid.RematchInstead: {resign.askInstead, looks},
			customid.RematchSure:    {rematch.agree, stores},

			customid.TryVanishing: {rematch.vanishing, stores},

			customid.Resign:        {resign.askAbout, looks},
			customid.ResignConfirm: {resign.confirm, stores},
			customid.StopConfirm:   {resign.stop, stores},
			customid.CloseLocked:   {resign.askAbout, looks},
			customid.StopAll:       {resign.stopAll, stores},
			customid.KeepPlaying:   {resign.keepPlaying, looks},

			customid.ShowBoard: {board.showAgain, looks},

			customid.PuzzleCell:      {riddle.play, stores},
			customid.PuzzleInList:    {riddle.play, stores},
			customid.PuzzleNames:     {riddle.names, stores},
			customid.PuzzleAsList:    {riddle.list, stores},
			customid.PuzzleAgain:     {riddle.again, stores},
			customid.PuzzleSolve:     {riddle.solve, stores},
			customid.PuzzleShare:     {riddle.share, stores},
			customid.PuzzleYesterday: {riddle.yesterday, looks},
			customid.PuzzleStreaks:   {riddle.streaks, looks},

			customid.ShowStats:     {standing.showStats, stores},
			customid.Leaderboard:   {standing.turn, looks},
			customid.Standings:     {standing.turn, looks},
			customid.StandingsKind: {standing.choose, looks},
			customid.HowPoints:     {standing.howPoints, looks},
			customid.SettingsPage:  {admin.turn, looks},
			customid.Setting:       {admin.set, stores},
			customid.Preference:    {preference.set, stores},

			customid.BeginAnew:     {admin.askToBeginAnew, looks},
			customid.BeginAnewSure: {admin.beginAnew, stores},
			customid.KeepStandings: {admin.keepStandings, looks},

			customid.EraseGuildAsk:  {admin.askToErase, looks},
			customid.EraseGuildSure: {admin.askToErase, looks},
			customid.EraseGuild:     {admin.erase, stores},

			customid.LastGames:     {review.list, looks},
			customid.Review:        {review.open, looks},
			customid.ReviewAgain:   {review.open, looks},
			customid.ReviewFirst:   {review.turn, looks},
			customid.ReviewBack:    {review.turn, looks},
			customid.ReviewOn:      {review.turn, looks},
			customid.ReviewLast:    {review.turn, looks},
			customid.ReviewMistake: {review.turn, looks},
			customid.ReviewShare:   {review.share, stores},
			customid.PlayOn:        {review.playOn, stores},
			customid.HintAsk:       {hint.askAbout, looks},
			customid.HintConfirm:   {hint.tell, stores},
			customid.ReviewFind:    {review.find, looks},
			customid.ReviewTry:     {review.try, looks},

			customid.LobbyPlay:    {play.choose, looks},
			customid.LobbyLevel:   {play.chooseLevel, looks},
			customid.LobbyBoard:   {play.chooseBoard, looks},
			customid.LobbyLeaders: {standing.leaderboard, looks},
			customid.LobbyPuzzle:  {riddle.show, stores},

			customid.ChallengesFrom: {preference.takeFrom, stores},
			customid.BlockChosen:    {preference.block, stores},
			customid.BlockPage:      {preference.turn, looks},
			customid.UnblockListed:  {preference.unblock, stores},
			customid.Block:          {consents{b.people}.block, stores},
			customid.Unblock:        {consents{b.people}.unblock, stores},

			customid.Export:       {exports{b.people}.begin, stores},
			customid.EraseAsk:     {erasures{b.people}.ask, looks},
			customid.Erase:        {erasures{b.people}.begin, stores},
			customid.EraseNothing: {erasures{b.people}.keep, looks},
		},
	}
}

// find returns the route of an interaction, and the custom ID of its button.
func (r routes) find(in *discord.Interaction) (_ route, id customid.ID, err error) {
	found, ok := route{}, false
	switch in.Kind {
	case discord.KindCommand:
		name := in.Command
		if in.Root == view.AdminCommand {
			name = in.Root + " " + in.Command
		}
		found, ok = r.commands[name]
	case discord.KindAutocomplete:
		found, ok = route{handle: suggestNothing}, true
	case discord.KindComponent:
		if id, err = customid.Parse(in.CustomID); err != nil {
			return route{}, id, err
		}
		found, ok = r.buttons[id.Action]
	}
	if !ok {
		return route{}, id, match.ErrUnknownCommand
	}
	return found, id, nil
}

func suggestNothing(context.Context, *request) (response, error) {
	return response{kind: rest.CallbackAutocomplete}, nil
}
