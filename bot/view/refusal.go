package view

import (
	"cmp"
	"errors"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Refusal is a reason together with what it is about, and how it is answered.
type Refusal struct {
	Reason    error
	Match     store.Match
	Challenge store.Challenge
	Cell      engine.Cell
	Choice    match.Choice
	Hidden    bool // the choice was to be played privately
	Until     time.Time
	Day       int64        // of a puzzle
	Private   store.Match  // another one that the user plays here
	Games     []Listed     // all that take the places of the channel
	Opponent  store.Player // whom the match would be against
	Again     customid.ID  // of a button that tries again, or resigns first; of the match without one
	Crown     store.Crown  // of the channel
	Link      string       // to what stands in the way, where nothing else here tells
	// Stale says that the clicked message shows an older board: it is drawn again.
	Stale bool
	// InPlace answers by turning the clicked message into the refusal.
	InPlace bool
}

func (r *Refusal) Error() string { return r.Reason.Error() }
func (r *Refusal) Unwrap() error { return r.Reason }

// Refused is a refusal together with what else its words need.
type Refused struct {
	Refusal
	User    store.UserID    // who is told
	GamesIn store.ChannelID // where the guild wants games
	// Threads: a thread can be offered in the channel. Direct: it is told in direct messages,
	// where nobody else is.
	Threads, Direct bool
	Lacks           uint64             // permissions without which no thread can be begun
	LinkTo          func(Leads) string // empty where nothing is there
}

// Leads is what the link of a refusal leads to; next is the match behind its own.
type Leads int

const ToMatch, ToNext, ToChallenge, ToInvitation Leads = 0, 1, 2, 3

// Refusal says why something is not done, privately and, where that helps, with
// buttons to go on. known is false for an error that is none of the reasons.
func (v View) Refusal(r Refused) (_ discord.Message, known bool) {
	for _, reason := range refusals {
		if !errors.Is(r.Reason, reason.err) {
			continue
		}
		msg := reason.explain(v, r)
		switch {
		case msg.People != nil:
		case r.Crown.User != "":
			msg.People = []string{string(r.Crown.User)}
		case r.Match.ID != 0:
			msg.People = people(r.Match)
		case r.Challenge.Challenger != "": // it need not have been made
			msg.People = challengePeople(r.Challenge)
		}
		return msg, true
	}
	return discord.Message{}, false
}

// explain says a reason in words.
type explain func(View, Refused) discord.Message

// refusals are all reasons. One that is also another, as [match.ErrPaused] is
// [match.ErrMatchOver], stands before it.
var refusals = []struct {
	err     error
	explain explain
}{
	{match.ErrNotYourTurn, says("refused.not_your_turn")},
	{match.ErrNotYourGame, notYourGame},
	{match.ErrTaken, says("refused.taken")},
	{match.ErrStale, says("refused.stale")},
	{store.ErrConflict, says("refused.stale")},
	{store.ErrBlocked, says("refused.stale")},
	{match.ErrPaused, func(v View, r Refused) discord.Message {
		return withPeople(private(v.Board().stopped(r.Match), v.goOnButton(r.Match)), peopleShown(r.Match))
	}},
	{match.ErrGoneOn, leading(ToNext, says("board.moved", showsNext))},
	{match.ErrSeriesGoesOn, func(v View, r Refused) discord.Message {
		msg := v.Games().EndQuestion(r.User, Endable{Other: r.Match})
		msg.Content = stacked(v.say("refused.over", nil), msg.Content)
		return msg
	}},
	{match.ErrMatchOver, leading(ToNext, matchOver)},
	{match.ErrResignTooLate, says("refused.resign_late")},
	{match.ErrAlreadyOffered, says("refused.rematch_waiting")},
	{match.ErrRematchNo, says("refused.rematch_declined")},
	{match.ErrNoWish, says("refused.no_wish")},
	{match.ErrNoRematch, leading(ToNext, rematchMade)},
	{match.ErrSeriesOver, says("refused.series_over")},
	{match.ErrNotOver, says("refused.not_over", showsBoard)},
	{match.ErrNoWinnerYet, func(v View, r Refused) discord.Message {
		key := either(winnerMayPlay(r.Match), "refused.no_winner_yet", "refused.not_over")
		return v.tell(key, nil, either(winnerMayPlay(r.Match), v.playWinnerButton(r.Match), v.showBoardButton(r.Match.ID)))
	}},
	{match.ErrNobodyWon, naming("challenge", "refused.nobody_won")},
	{match.ErrUseRematch, says("refused.use_rematch")},
	{match.ErrChallengeClosed, challengeClosed},
	{match.ErrNotChallenged, func(v View, r Refused) discord.Message {
		return says(either(r.Challenge.Challenger == r.User, "refused.own_challenge", "refused.not_challenged"))(v, r)
	}},
	{match.ErrTakeBack, says("challenge.take_back", takesBack)},
	{match.ErrNotChallenger, says("refused.not_challenger")},
	{match.ErrOtherErased, says("refused.other_erased", notThem)},
	{store.ErrErasing, says("refused.erasing")},
	{match.ErrTakesNone, says("refused.takes_none", notThem)},
	{match.ErrKingNotNow, says("challenge.declined")}, // the same whatever keeps the king from it
	{match.ErrCrownPending, leading(ToChallenge, says("refused.crown_pending"))},
	{match.ErrCrownFree, says("refused.crown_free", playsUsual)},
	{match.ErrCrownMoved, leading(ToMatch, says("refused.crown_moved"))},
	{match.ErrOwnCrown, func(v View, r Refused) discord.Message {
		return private(v.crown(v.mention(r.Crown.User), r.Crown.Channel, r.Crown.Wins))
	}},
	{match.ErrCrownToday, says("refused.crown_today")},
	{match.ErrCrownsOff, says("refused.crowns_off")},
	{match.ErrHasBlocked, says("refused.has_blocked", unblocks)},
	{match.ErrDeclined, func(v View, r Refused) discord.Message {
		msg := v.tell("challenge.declined", args{"Opponent": v.mention(r.Challenge.Opponent)}, notThem(v, r)...) // as everybody reads it
		msg.Content += " " + v.say("refused.ask_again", args{"Time": v.clockTime(r.Until)})
		return msg
	}},
	{match.ErrNothingToStop, says("refused.nothing_to_stop")},
	{match.ErrStatsOld, naming("challenge", "refused.stats_old")},
	{match.ErrOwnChallenge, says("refused.own_table")},
	{match.ErrSeriesBot, says("refused.series_bot", playsChosen)},
	{match.ErrNoOpponent, naming("play", "refused.challenge_self_or_bot", playsUsual)},
	{match.ErrCannotSee, says("refused.cannot_see", playsUsual)},
	{match.ErrChallengePending, leading(ToChallenge, challengePending)},
	{match.ErrPlaysHere, leading(ToMatch, playsHere)},
	{match.ErrOpponentPlays, leading(ToMatch, says("refused.opponent_plays", showsBoard))},
	{match.ErrBusy, leading(ToMatch, allPlacesTaken)},
	{store.ErrPlaceTaken, leading(ToMatch, allPlacesTaken)},
	{store.ErrSeatTaken, leading(ToMatch, allPlacesTaken)},
	{match.ErrNotOffered, func(v View, r Refused) discord.Message {
		a := args{"Opponent": v.opponent(r.Choice.Opponent), "Board": v.boardName(r.Choice.Rules)}
		return v.tell("refused.not_offered", a, v.instead(r.Choice, r.Hidden)...)
	}},
	{match.ErrBadOption, naming("help", "refused.bad_option")},
	{match.ErrDirectMessage, naming("play", "refused.direct_message", playsUsual)},
	{match.ErrNoBoard, naming("play", "refused.no_board", playsUsual)},
	{match.ErrNotInGame, func(v View, r Refused) discord.Message {
		return v.tell("refused.not_in_game", nil, either(r.Match.ID == 0, playsUsual, showsBoard)(v, r)...)
	}},
	{match.ErrJustPosted, leading(ToMatch, says("refused.just_posted", showsBoard, showsPrivate))},
	{match.ErrShared, func(v View, r Refused) discord.Message {
		return private(stacked(v.say("refused.shared", nil), r.Link)) // without a link it is on its way still
	}},
	{match.ErrMayNotSend, says("refused.may_not_send")},
	{match.ErrTooManyPrivate, says("refused.too_many_private", showsPrivate)},
	{match.ErrTooMany, says("refused.too_many")},
	{match.ErrExportedNow, says("refused.exported")},
	{match.ErrNoGameThere, says("refused.no_game_there", listsGames)},
	{match.ErrNoHints, says("refused.no_hints")},
	{match.ErrHintsOff, naming("review", "refused.hints_off")},
	{match.ErrHinted, says("refused.hinted")},
	{match.ErrStillJudging, func(v View, r Refused) discord.Message {
		again := cmp.Or(r.Again, customid.ID{Action: customid.ReviewAgain, Match: r.Match.ID})
		return v.tell("refused.still_judging", nil, v.button(discord.StylePrimary, "button.try_again", again))
	}},
	{match.ErrTooBusy, says("refused.too_busy")},
	{match.ErrNotModerator, says("refused.not_moderator")},
	{match.ErrGamesElsewhere, says("refused.games_elsewhere")},
	{match.ErrNoThread, says("refused.no_thread", playsPrivately)},
	{match.ErrMayNotThread, func(v View, r Refused) discord.Message {
		more := r.Lacks&discord.PermissionViewChannel != 0 // than what the other text names
		text := v.say(either(more, "refused.no_thread", "refused.may_not_thread"), nil)
		return private(stacked(text, v.lacking(r.Lacks)), playsPrivately(v, r)...)
	}},
	{match.ErrPuzzleClosed, says("refused.puzzle_closed", solvesTodays)},
	{match.ErrPuzzleOver, says("refused.puzzle_over")},
	{match.ErrPuzzleLost, says("refused.puzzle_lost")},
	{match.ErrPuzzleNotYet, func(v View, r Refused) discord.Message {
		finish := v.button(discord.StylePrimary, "button.finish_yesterday", customid.ID{Action: customid.PuzzleSolve, Day: r.Day})
		return v.tell("refused.puzzle_not_yet", args{"Time": timestamp(r.Until, 't')}, finish)
	}},
	{match.ErrNoPuzzlePosts, says("refused.no_puzzle_posts")},
	{match.ErrNotManager, says("refused.not_manager")},
	{match.ErrNoLeaderboard, naming("stats", "refused.no_leaderboard")},
	{match.ErrAbsent, leading(ToInvitation, says("refused.absent"))},
	{customid.ErrUnknown, naming("board", "refused.old_button")},
	{match.ErrUnknownRecord, naming("board", "refused.old_button")},
	{engine.ErrOffBoard, naming("board", "refused.old_button")},
	{match.ErrUnknownCommand, naming("help", "refused.unknown_command")},
}

// says is a text that may name what the refusal is about, with ways on.
func says(key string, ways ...func(View, Refused) waysOn) explain { return naming("", key, ways...) }

// naming is says for a text that names a command too. Whoever wears a crown is its player, else
// whose turn it is; its opponent is whom somebody wanted to play, else the other one in the match.
func naming(command, key string, ways ...func(View, Refused) waysOn) explain {
	return func(v View, r Refused) discord.Message {
		toMove, other := r.Match.Player(match.SideToMove(r.Match)), r.Match.Player(r.Match.Seat(r.User).Other())
		a := args{
			"Command": v.Command(command), "Cell": r.Match.Rules.CellName(r.Cell),
			"Player":     v.player(cmp.Or(store.Player{User: r.Crown.User}, toMove)),
			"Opponent":   v.player(cmp.Or(r.Opponent, store.Player{User: r.Challenge.Opponent}, other)),
			"Challenger": v.mention(r.Challenge.Challenger), "User": v.mention(r.Challenge.Challenger),
			"Channel": channelMention(cmp.Or(r.Crown.Channel, r.GamesIn)), "Link": r.Link, "Time": timestamp(r.Until, 'R'),
		}
		var all waysOn
		for _, way := range ways {
			all = append(all, way(v, r)...)
		}
		return v.tell(key, a, all...)
	}
}

// leading is for words that have a link.
func leading(to Leads, words explain) explain {
	return func(v View, r Refused) discord.Message {
		if r.LinkTo != nil {
			r.Link = r.LinkTo(to)
		}
		return words(v, r)
	}
}

// waysOn are the buttons of a refusal.
type waysOn = []discord.Component

func playsUsual(v View, r Refused) waysOn     { return v.playButtons(v.usual(), r.Direct) }
func playsChosen(v View, r Refused) waysOn    { return v.playButtons(r.Choice, r.Direct) }
func playsPrivately(v View, _ Refused) waysOn { return waysOn{v.playPrivatelyButton(v.usual())} }
func solvesTodays(v View, _ Refused) waysOn   { return waysOn{v.todaysPuzzleButton()} }
func showsBoard(v View, r Refused) waysOn     { return waysOn{v.showBoardButton(r.Match.ID)} }
func showsNext(v View, r Refused) waysOn      { return waysOn{v.showBoardButton(r.Match.Next)} }
func unblocks(v View, r Refused) waysOn       { return waysOn{v.unblockButton(r.Challenge.Opponent)} }

func listsGames(v View, _ Refused) waysOn {
	return waysOn{v.press(discord.StyleSecondary, "button.last_games", customid.LastGames)}
}

func takesBack(v View, r Refused) waysOn {
	yes := customid.ID{Action: customid.Cancel, Challenge: r.Challenge.ID}
	return waysOn{v.button(discord.StylePrimary, "button.take_back", yes)}
}

// showsPrivate leads to another match that the user plays here, where there is one.
func showsPrivate(v View, r Refused) waysOn {
	return waysOn{when(r.Private.ID != 0, v.about(r.Private, discord.StyleSecondary, "button.show_private", customid.ShowBoard))}
}

// notThem are the ways to a match with somebody else.
func notThem(v View, r Refused) waysOn {
	return append(playsUsual(v, r), when(!r.Direct, v.press(discord.StyleSecondary, "button.open_table", customid.OpenTable)))
}

func notYourGame(v View, r Refused) discord.Message {
	m, buttons := r.Match, playsUsual(v, r)
	key := either(match.AgainstProgram(m), "refused.not_your_game_bot", "refused.not_your_game")
	if winnerMayPlay(m) {
		buttons[0] = v.playWinnerButton(m)
	}
	return v.tell(key, args{"Player": v.player(match.FirstUser(m)), "X": v.player(m.X), "O": v.player(m.O)}, buttons...)
}

func matchOver(v View, r Refused) discord.Message {
	switch m := r.Match; {
	case m.Next != 0:
		return rematchMade(v, r)
	case m.Private():
		return v.tell("refused.over", nil, v.playPrivatelyButton(match.ChoiceOf(m)))
	default:
		return v.tell("refused.over", nil, v.playButtons(match.ChoiceOf(m), r.Direct)...)
	}
}

func rematchMade(v View, r Refused) discord.Message {
	key := either(r.Match.Private(), "refused.rematch_made_private", "refused.rematch_made") // no link leads to what is private
	return v.tell(key, args{"Link": r.Link}, v.showBoardButton(r.Match.Next))
}

func challengeClosed(v View, r Refused) discord.Message {
	c := r.Challenge
	again := c.State == store.Expired && (c.Challenger == r.User || c.Opponent == r.User)
	return v.tell("refused.challenge_closed", args{"Command": v.Command("challenge")}, when(again, v.challengeAgainButton(c)))
}

// challengePending has buttons of the challenge itself: its message may be gone.
func challengePending(v View, r Refused) discord.Message {
	c, buttons := r.Challenge, challengeButtons(r.Challenge, v.Words)
	withdraw := v.button(discord.StyleSecondary, "button.cancel_challenge", customid.ID{Action: customid.Cancel, Challenge: c.ID})
	switch {
	case c.Opponent == "":
		return v.tell("refused.table_pending", args{"Link": r.Link}, buttons[1])
	case c.Challenger == r.User:
		return v.tell("refused.challenge_pending", args{"Opponent": v.mention(c.Opponent), "Link": r.Link}, withdraw)
	default:
		return v.tell("refused.challenged_already", args{"Challenger": v.mention(c.Challenger), "Link": r.Link}, buttons...)
	}
}

func playsHere(v View, r Refused) discord.Message {
	buttons := []discord.Component{v.about(r.Match, discord.StylePrimary, "button.show_mine", customid.ShowBoard)}
	switch {
	case match.BetweenGames(r.Match): // there is nothing to resign
		buttons = append(buttons, v.about(r.Match, discord.StyleDanger, "button.end_series", customid.EndSeries))
	case r.Again != (customid.ID{}):
		buttons = append(buttons, v.button(discord.StyleDanger, "button.resign_accept", r.Again))
	case r.Choice != (match.Choice{}): // resigns the match and starts the one that was chosen
		instead := customid.ID{Action: customid.PlayInstead, Match: r.Match.ID, Choice: r.Choice}
		buttons = append(buttons, v.button(discord.StyleDanger, "button.play_instead", instead))
	}
	return v.tell("refused.plays_here", args{"Link": r.Link}, buttons...)
}

func allPlacesTaken(v View, r Refused) discord.Message {
	there := customid.ID{Action: customid.AcceptInThread, Challenge: r.Challenge.ID}
	buttons := []discord.Component{
		when(r.Threads && there.Challenge != 0, v.button(discord.StylePrimary, "button.play_in_thread", there)),
		v.playPrivatelyButton(cmp.Or(r.Choice, v.usual())),
	}
	switch {
	case len(r.Games) > 1: // by these the places are taken
		taken := stacked(each(r.Games[:min(len(r.Games), MostListed)], v.item)...)
		return withPeople(private(stacked(v.say("refused.all_places", nil), taken), buttons...), peopleIn(r.Games))
	case r.Match.ID == 0:
		return v.tell("refused.busy_unknown", nil, buttons...)
	default:
		return v.tell("refused.busy", args{"Link": r.Link}, append(buttons, v.showBoardButton(r.Match.ID))...)
	}
}
