package view

import (
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Refused is a reason together with what its words are about.
type Refused struct {
	Reason    error
	User      store.UserID // who is told
	Match     store.Match
	Challenge store.Challenge
	Cell      engine.Cell
	Choice    match.Choice
	Hidden    bool // the choice was to be played privately
	Until     time.Time
	Day       int64        // of a puzzle
	Private   store.Match  // another one that the user plays here
	Link      string       // to what stands in the way
	Games     []Listed     // all that take the places of the channel
	Opponent  store.Player // whom the match would be against
	Threads   bool         // a thread can be offered in the channel
	Direct    bool         // told in direct messages, where nobody else is
	Lacks     uint64       // permissions without which no thread can be begun
	Again     customid.ID  // of a button that tries again, or resigns first; of the match without one
}

// Refusal says why something is not done, privately and, where that helps, with
// buttons to go on. known is false for an error that is none of the reasons.
func (v View) Refusal(r Refused) (_ discord.Message, known bool) {
	err, m, c := r.Reason, r.Match, r.Challenge
	say := func(key string, a args, buttons ...discord.Component) (discord.Message, bool) {
		msg := private(v.say(key, a), buttons...)
		switch {
		case m.ID != 0:
			msg.People = people(m)
		case c.Challenger != "": // it need not have been made
			msg.People = challengePeople(c)
		}
		return msg, true
	}
	play := func(c match.Choice) []discord.Component { return v.playButtons(c, r.Direct) }
	switch {
	case errors.Is(err, match.ErrNotYourTurn):
		return say("refused.not_your_turn", args{"Player": v.player(m.Player(match.SideToMove(m)))})
	case errors.Is(err, match.ErrNotYourGame):
		key := "refused.not_your_game"
		if match.AgainstProgram(m) {
			key = "refused.not_your_game_bot"
		}
		return say(key, args{"Player": v.player(match.FirstUser(m)), "X": v.player(m.X), "O": v.player(m.O)},
			play(v.usual())...)
	case errors.Is(err, match.ErrTaken):
		return say("refused.taken", args{"Cell": m.Rules.CellName(r.Cell)})
	case errors.Is(err, match.ErrStale), errors.Is(err, match.ErrPuzzleStale), errors.Is(err, store.ErrConflict), errors.Is(err, store.ErrBlocked):
		return say("refused.stale", nil)
	case errors.Is(err, match.ErrPaused):
		return withPeople(private(v.result(m), v.goOnButton(m)), peopleShown(m)), true
	case errors.Is(err, match.ErrGoneOn):
		return say("board.moved", args{"Link": r.Link}, v.showBoardButton(m.Next))
	case errors.Is(err, match.ErrMatchOver) && m.Next == 0 && m.Private():
		return say("refused.over", nil, v.playPrivatelyButton(match.ChoiceOf(m)))
	case errors.Is(err, match.ErrMatchOver) && m.Next == 0:
		return say("refused.over", nil, play(match.ChoiceOf(m))...)
	case errors.Is(err, match.ErrResignTooLate):
		return say("refused.resign_late", nil)
	case errors.Is(err, match.ErrAlreadyOffered):
		return say("refused.rematch_offered", args{"Opponent": v.player(m.Player(m.Seat(r.User).Other()))})
	case errors.Is(err, match.ErrRematchNo):
		return say("refused.rematch_declined", args{"Opponent": v.player(m.Player(m.Seat(r.User).Other()))})
	case errors.Is(err, match.ErrNoWish):
		return say("refused.no_wish", nil)
	case (errors.Is(err, match.ErrNoRematch) || errors.Is(err, match.ErrMatchOver)) && m.Private(): // no link leads to what is private
		return say("refused.rematch_made_private", nil, v.showBoardButton(m.Next))
	case errors.Is(err, match.ErrNoRematch), errors.Is(err, match.ErrMatchOver):
		return say("refused.rematch_made", args{"Link": r.Link},
			v.showBoardButton(m.Next))
	case errors.Is(err, match.ErrNotOver):
		return say("refused.not_over", nil, v.showBoardButton(m.ID))
	case errors.Is(err, match.ErrUseRematch):
		return say("refused.use_rematch", nil)
	case errors.Is(err, match.ErrChallengeClosed):
		if c.State == store.Expired && (c.Challenger == r.User || c.Opponent == r.User) {
			return say("refused.challenge_closed", args{"Command": v.Command("challenge")}, v.challengeAgainButton(c))
		}
		return say("refused.challenge_closed", args{"Command": v.Command("challenge")})
	case errors.Is(err, match.ErrNotChallenged):
		return say("refused.not_challenged", args{"Opponent": v.mention(c.Opponent)})
	case errors.Is(err, match.ErrNotChallenger):
		return say("refused.not_challenger", args{"Challenger": v.mention(c.Challenger)})
	case errors.Is(err, match.ErrOtherErased):
		return say("refused.other_erased", nil, v.notThem(r.Direct)...)
	case errors.Is(err, store.ErrErasing):
		return say("refused.erasing", nil)
	case errors.Is(err, match.ErrTakesNone):
		return say("refused.takes_none", args{"Opponent": v.mention(c.Opponent)}, v.notThem(r.Direct)...)
	case errors.Is(err, match.ErrHasBlocked):
		return say("refused.has_blocked", args{"Opponent": v.mention(c.Opponent)}, v.unblockButton(c.Opponent))
	case errors.Is(err, match.ErrDeclined):
		return say("refused.declined", args{"Opponent": v.mention(c.Opponent), "Time": v.clockTime(r.Until)}, v.notThem(r.Direct)...)
	case errors.Is(err, match.ErrNothingToStop):
		return say("refused.nothing_to_stop", args{"User": v.mention(c.Challenger)})
	case errors.Is(err, match.ErrOwnChallenge):
		return say("refused.own_table", nil)
	case errors.Is(err, match.ErrChallengeSelf), errors.Is(err, match.ErrChallengeBot):
		return say("refused.challenge_self_or_bot", args{"Command": v.Command("play")},
			play(v.usual())...)
	case errors.Is(err, match.ErrCannotSee):
		return say("refused.cannot_see", args{"Opponent": v.mention(c.Opponent)}, play(v.usual())...)
	case errors.Is(err, match.ErrChallengePending):
		// Those of the challenge itself: its message may be gone.
		buttons := v.challengeButtons(c)
		switch {
		case c.Opponent == "":
			return say("refused.table_pending", args{"Link": r.Link}, buttons[1])
		case c.Challenger == r.User:
			return say("refused.challenge_pending", args{"Opponent": v.mention(c.Opponent), "Link": r.Link}, buttons[2])
		default:
			return say("refused.challenged_already", args{"Challenger": v.mention(c.Challenger), "Link": r.Link}, buttons[:2]...)
		}
	case errors.Is(err, match.ErrPlaysHere) && r.Again != (customid.ID{}):
		return say("refused.plays_here", args{"Link": r.Link}, v.showMineButton(m.ID), v.resignInsteadButton(r.Again))
	case errors.Is(err, match.ErrPlaysHere) && r.Choice == (match.Choice{}):
		return say("refused.plays_here", args{"Link": r.Link}, v.showMineButton(m.ID))
	case errors.Is(err, match.ErrPlaysHere):
		return say("refused.plays_here", args{"Link": r.Link}, v.showMineButton(m.ID), v.playInsteadButton(m.ID, r.Choice))
	case errors.Is(err, match.ErrOpponentPlays):
		return say("refused.opponent_plays", args{"Opponent": v.player(r.Opponent), "Link": r.Link}, v.showBoardButton(m.ID))
	case errors.Is(err, match.ErrBusy), errors.Is(err, store.ErrPlaceTaken), errors.Is(err, store.ErrSeatTaken):
		ch := r.Choice
		if ch == (match.Choice{}) {
			ch = v.usual()
		}
		if len(r.Games) > 1 {
			return withPeople(private(v.busy(r.Games), v.busyButtons(r, ch)...), peopleIn(r.Games)), true
		}
		if m.ID == 0 {
			return say("refused.busy_unknown", nil, v.busyButtons(r, ch)...)
		}
		return say("refused.busy", args{"Link": r.Link}, append(v.busyButtons(r, ch), v.showBoardButton(m.ID))...)
	case errors.Is(err, match.ErrNotOffered):
		return say("refused.not_offered", args{
			"Opponent": v.opponent(r.Choice.Opponent), "Board": v.boardName(r.Choice.Rules),
		}, v.instead(r.Choice, r.Hidden)...)
	case errors.Is(err, match.ErrBadOption):
		return say("refused.bad_option", args{"Command": v.Command("help")})
	case errors.Is(err, match.ErrDirectMessage):
		return say("refused.direct_message", args{"Command": v.Command("play")}, play(v.usual())...)
	case errors.Is(err, match.ErrNoBoard):
		return say("refused.no_board", args{"Command": v.Command("play")}, play(v.usual())...)
	case errors.Is(err, match.ErrNotInGame):
		if m.ID != 0 {
			return say("refused.not_in_game", nil, v.showBoardButton(m.ID))
		}
		return say("refused.not_in_game", nil, play(v.usual())...)
	case errors.Is(err, match.ErrJustPosted):
		buttons := []discord.Component{v.showBoardButton(m.ID)}
		if r.Private.ID != 0 {
			buttons = append(buttons, v.showPrivateButton(r.Private.ID))
		}
		return say("refused.just_posted", args{
			"Link": r.Link, "Time": timestamp(r.Until, 'R'),
		}, buttons...)
	case errors.Is(err, match.ErrShared):
		said, _ := say("refused.shared", nil)
		if r.Link != "" { // it is not on its way any more
			said.Content += "\n" + r.Link
		}
		return said, true
	case errors.Is(err, match.ErrMayNotSend):
		return say("refused.may_not_send", nil)
	case errors.Is(err, match.ErrTooManyPrivate):
		return say("refused.too_many_private", args{"Count": match.MostPrivate}, v.showPrivateButton(r.Private.ID))
	case errors.Is(err, match.ErrTooMany):
		return say("refused.too_many", args{"Time": timestamp(r.Until, 'R')})
	case errors.Is(err, match.ErrExportedNow):
		return say("refused.exported", args{"Time": timestamp(r.Until, 'R')})
	case errors.Is(err, match.ErrNoGameThere):
		return say("refused.no_game_there", nil, button(discord.StyleSecondary, v.say("button.last_games", nil), customid.ID{Action: customid.LastGames}))
	case errors.Is(err, match.ErrNoHints):
		return say("refused.no_hints", nil)
	case errors.Is(err, match.ErrHintsOff):
		return say("refused.hints_off", args{"Command": v.Command("review")})
	case errors.Is(err, match.ErrHinted):
		return say("refused.hinted", nil)
	case errors.Is(err, match.ErrStillJudging):
		if r.Again == (customid.ID{}) {
			r.Again = customid.ID{Action: customid.ReviewAgain, Match: m.ID}
		}
		return say("refused.still_judging", nil, button(discord.StylePrimary, v.say("button.try_again", nil), r.Again))
	case errors.Is(err, match.ErrTooBusy):
		return say("refused.too_busy", nil)
	case errors.Is(err, match.ErrNotModerator):
		return say("refused.not_moderator", nil)
	case errors.Is(err, match.ErrNoThread):
		return say("refused.no_thread", nil, v.playPrivatelyButton(v.usual()))
	case errors.Is(err, match.ErrMayNotThread):
		key := "refused.may_not_thread"
		if r.Lacks&discord.PermissionViewChannel != 0 {
			key = "refused.no_thread" // it is more than what that one names
		}
		msg, known := say(key, nil, v.playPrivatelyButton(v.usual()))
		msg.Content += "\n" + v.lacking(r.Lacks)
		return msg, known
	case errors.Is(err, match.ErrPuzzleClosed):
		return say("refused.puzzle_closed", nil, v.todaysPuzzleButton())
	case errors.Is(err, match.ErrPuzzleOver):
		return say("refused.puzzle_over", nil)
	case errors.Is(err, match.ErrPuzzleLost):
		return say("refused.puzzle_lost", nil)
	case errors.Is(err, match.ErrPuzzleNotYet):
		return say("refused.puzzle_not_yet", args{"Time": timestamp(r.Until, 't')},
			button(discord.StylePrimary, v.say("button.finish_yesterday", nil), customid.ID{Action: customid.PuzzleSolve, Day: r.Day}))
	case errors.Is(err, match.ErrNotManager):
		return say("refused.not_manager", nil)
	case errors.Is(err, match.ErrNoLeaderboard):
		return say("refused.no_leaderboard", args{"Command": v.Command("stats")})
	case errors.Is(err, match.ErrAbsent):
		return say("refused.absent", args{"Link": r.Link})
	case errors.Is(err, customid.ErrUnknown), errors.Is(err, match.ErrUnknownRecord), errors.Is(err, engine.ErrOffBoard):
		return say("refused.old_button", args{"Command": v.Command("board")})
	case errors.Is(err, match.ErrUnknownCommand):
		return say("refused.unknown_command", args{"Command": v.Command("help")})
	default:
		return discord.Message{}, false
	}
}
