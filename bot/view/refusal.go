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
	Lacks           uint64 // permissions without which no thread can be begun
}

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
	{match.ErrNotYourTurn, ofMatch(func(v View, m store.Match) discord.Message {
		return v.tell("refused.not_your_turn", args{"Player": v.player(m.Player(match.SideToMove(m)))})
	})},
	{match.ErrNotYourGame, notYourGame},
	{match.ErrTaken, func(v View, r Refused) discord.Message {
		return v.tell("refused.taken", args{"Cell": r.Match.Rules.CellName(r.Cell)})
	}},
	{match.ErrStale, words("refused.stale")},
	{match.ErrPuzzleStale, words("refused.stale")},
	{store.ErrConflict, words("refused.stale")},
	{store.ErrBlocked, words("refused.stale")},
	{match.ErrPaused, ofMatch(func(v View, m store.Match) discord.Message {
		return withPeople(private(v.Board().stopped(m), v.goOnButton(m)), peopleShown(m))
	})},
	{match.ErrGoneOn, linked(func(v View, m store.Match, link string) discord.Message {
		return v.tell("board.moved", args{"Link": link}, v.showBoardButton(m.Next))
	})},
	{match.ErrMatchOver, matchOver},
	{match.ErrResignTooLate, words("refused.resign_late")},
	{match.ErrAlreadyOffered, ofOpponent("refused.rematch_waiting")},
	{match.ErrRematchNo, ofOpponent("refused.rematch_declined")},
	{match.ErrNoWish, words("refused.no_wish")},
	{match.ErrNoRematch, linked(rematchMade)},
	{match.ErrSeriesOver, words("refused.series_over")},
	{match.ErrNotOver, ofMatch(notOver)},
	{match.ErrNoWinnerYet, ofMatch(func(v View, m store.Match) discord.Message {
		if winnerMayPlay(m) {
			return v.tell("refused.no_winner_yet", nil, v.playWinnerButton(m))
		}
		return notOver(v, m)
	})},
	{match.ErrNobodyWon, naming("challenge", "refused.nobody_won")},
	{match.ErrUseRematch, words("refused.use_rematch")},
	{match.ErrChallengeClosed, challengeClosed},
	{match.ErrNotChallenged, func(v View, r Refused) discord.Message {
		key := "refused.not_challenged"
		if r.Challenge.Challenger == r.User {
			key = "refused.own_challenge"
		}
		return v.tell(key, args{"Opponent": v.mention(r.Challenge.Opponent)})
	}},
	{match.ErrTakeBack, ofChallenge(func(v View, c store.Challenge) discord.Message {
		yes := v.button(discord.StylePrimary, "button.take_back", customid.ID{Action: customid.Cancel, Challenge: c.ID})
		return v.tell("challenge.take_back", nil, yes)
	})},
	{match.ErrNotChallenger, ofChallenge(func(v View, c store.Challenge) discord.Message {
		return v.tell("refused.not_challenger", args{"Challenger": v.mention(c.Challenger)})
	})},
	{match.ErrOtherErased, func(v View, r Refused) discord.Message {
		return v.tell("refused.other_erased", nil, v.notThem(r.Direct)...)
	}},
	{store.ErrErasing, words("refused.erasing")},
	{match.ErrTakesNone, func(v View, r Refused) discord.Message {
		return v.tell("refused.takes_none", args{"Opponent": v.mention(r.Challenge.Opponent)}, v.notThem(r.Direct)...)
	}},
	{match.ErrKingNotNow, func(v View, r Refused) discord.Message { // the same whatever keeps the king from it
		return v.tell("challenge.declined", args{"Opponent": v.mention(r.Challenge.Opponent)})
	}},
	{match.ErrCrownPending, linked(func(v View, _ store.Match, link string) discord.Message {
		return v.tell("refused.crown_pending", args{"Link": link})
	})},
	{match.ErrCrownFree, func(v View, r Refused) discord.Message {
		return v.tell("refused.crown_free", args{"Channel": channelMention(r.Crown.Channel)}, v.playButtons(v.usual(), r.Direct)...)
	}},
	{match.ErrCrownMoved, func(v View, r Refused) discord.Message {
		msg := v.tell("refused.crown_moved", args{"Player": v.mention(r.Crown.User), "Link": r.Link})
		return withPeople(msg, []string{string(r.Crown.User)})
	}},
	{match.ErrCrownToday, func(v View, r Refused) discord.Message {
		msg := v.tell("refused.crown_today", args{"Player": v.mention(r.Crown.User), "Time": timestamp(r.Until, 'R')})
		return withPeople(msg, []string{string(r.Crown.User)})
	}},
	{match.ErrCrownsOff, words("refused.crowns_off")},
	{match.ErrHasBlocked, ofChallenge(func(v View, c store.Challenge) discord.Message {
		return v.tell("refused.has_blocked", args{"Opponent": v.mention(c.Opponent)}, v.unblockButton(c.Opponent))
	})},
	{match.ErrDeclined, func(v View, r Refused) discord.Message {
		msg := v.tell("challenge.declined", args{"Opponent": v.mention(r.Challenge.Opponent)}, v.notThem(r.Direct)...) // as everybody reads it
		msg.Content += " " + v.say("refused.ask_again", args{"Time": v.clockTime(r.Until)})
		return msg
	}},
	{match.ErrNothingToStop, ofChallenge(func(v View, c store.Challenge) discord.Message {
		return v.tell("refused.nothing_to_stop", args{"User": v.mention(c.Challenger)})
	})},
	{match.ErrStatsOld, naming("challenge", "refused.stats_old")},
	{match.ErrOwnChallenge, words("refused.own_table")},
	{match.ErrChallengeSelf, playing("refused.challenge_self_or_bot")},
	{match.ErrSeriesBot, func(v View, r Refused) discord.Message {
		return v.tell("refused.series_bot", nil, v.playButtons(r.Choice, r.Direct)...)
	}},
	{match.ErrChallengeBot, playing("refused.challenge_self_or_bot")},
	{match.ErrCannotSee, func(v View, r Refused) discord.Message {
		return v.tell("refused.cannot_see", args{"Opponent": v.mention(r.Challenge.Opponent)}, v.playButtons(v.usual(), r.Direct)...)
	}},
	{match.ErrChallengePending, challengePending},
	{match.ErrPlaysHere, playsHere},
	{match.ErrOpponentPlays, func(v View, r Refused) discord.Message {
		return v.tell("refused.opponent_plays", args{"Opponent": v.player(r.Opponent), "Link": r.Link}, v.showBoardButton(r.Match.ID))
	}},
	{match.ErrBusy, allPlacesTaken},
	{store.ErrPlaceTaken, allPlacesTaken},
	{store.ErrSeatTaken, allPlacesTaken},
	{match.ErrNotOffered, func(v View, r Refused) discord.Message {
		a := args{"Opponent": v.opponent(r.Choice.Opponent), "Board": v.boardName(r.Choice.Rules)}
		return v.tell("refused.not_offered", a, v.instead(r.Choice, r.Hidden)...)
	}},
	{match.ErrBadOption, naming("help", "refused.bad_option")},
	{match.ErrDirectMessage, playing("refused.direct_message")},
	{match.ErrNoBoard, playing("refused.no_board")},
	{match.ErrNotInGame, func(v View, r Refused) discord.Message {
		if r.Match.ID != 0 {
			return v.tell("refused.not_in_game", nil, v.showBoardButton(r.Match.ID))
		}
		return v.tell("refused.not_in_game", nil, v.playButtons(v.usual(), r.Direct)...)
	}},
	{match.ErrJustPosted, func(v View, r Refused) discord.Message {
		buttons := []discord.Component{v.showBoardButton(r.Match.ID)}
		if r.Private.ID != 0 {
			buttons = append(buttons, v.showPrivateButton(r.Private.ID))
		}
		return v.tell("refused.just_posted", args{"Link": r.Link, "Time": timestamp(r.Until, 'R')}, buttons...)
	}},
	{match.ErrShared, func(v View, r Refused) discord.Message {
		msg := v.tell("refused.shared", nil)
		if r.Link != "" { // it is not on its way any more
			msg.Content += "\n" + r.Link
		}
		return msg
	}},
	{match.ErrMayNotSend, words("refused.may_not_send")},
	{match.ErrTooManyPrivate, func(v View, r Refused) discord.Message {
		return v.tell("refused.too_many_private", nil, v.showPrivateButton(r.Private.ID))
	}},
	{match.ErrTooMany, until("refused.too_many")},
	{match.ErrExportedNow, until("refused.exported")},
	{match.ErrNoGameThere, func(v View, _ Refused) discord.Message {
		return v.tell("refused.no_game_there", nil, v.button(discord.StyleSecondary, "button.last_games", customid.ID{Action: customid.LastGames}))
	}},
	{match.ErrNoHints, words("refused.no_hints")},
	{match.ErrHintsOff, naming("review", "refused.hints_off")},
	{match.ErrHinted, words("refused.hinted")},
	{match.ErrStillJudging, func(v View, r Refused) discord.Message {
		again := cmp.Or(r.Again, customid.ID{Action: customid.ReviewAgain, Match: r.Match.ID})
		return v.tell("refused.still_judging", nil, v.button(discord.StylePrimary, "button.try_again", again))
	}},
	{match.ErrTooBusy, words("refused.too_busy")},
	{match.ErrNotModerator, words("refused.not_moderator")},
	{match.ErrGamesElsewhere, func(v View, r Refused) discord.Message {
		return v.tell("refused.games_elsewhere", args{"Channel": channelMention(r.GamesIn)})
	}},
	{match.ErrNoThread, func(v View, _ Refused) discord.Message {
		return v.tell("refused.no_thread", nil, v.playPrivatelyButton(v.usual()))
	}},
	{match.ErrMayNotThread, func(v View, r Refused) discord.Message {
		key := "refused.may_not_thread"
		if r.Lacks&discord.PermissionViewChannel != 0 {
			key = "refused.no_thread" // it is more than what that one names
		}
		msg := v.tell(key, nil, v.playPrivatelyButton(v.usual()))
		msg.Content += "\n" + v.lacking(r.Lacks)
		return msg
	}},
	{match.ErrPuzzleClosed, func(v View, _ Refused) discord.Message {
		return v.tell("refused.puzzle_closed", nil, v.todaysPuzzleButton())
	}},
	{match.ErrPuzzleOver, words("refused.puzzle_over")},
	{match.ErrPuzzleLost, words("refused.puzzle_lost")},
	{match.ErrPuzzleNotYet, func(v View, r Refused) discord.Message {
		finish := v.button(discord.StylePrimary, "button.finish_yesterday", customid.ID{Action: customid.PuzzleSolve, Day: r.Day})
		return v.tell("refused.puzzle_not_yet", args{"Time": timestamp(r.Until, 't')}, finish)
	}},
	{match.ErrNoPuzzlePosts, words("refused.no_puzzle_posts")},
	{match.ErrNotManager, words("refused.not_manager")},
	{match.ErrNoLeaderboard, naming("stats", "refused.no_leaderboard")},
	{match.ErrAbsent, linked(func(v View, _ store.Match, link string) discord.Message {
		return v.tell("refused.absent", args{"Link": link})
	})},
	{customid.ErrUnknown, naming("board", "refused.old_button")},
	{match.ErrUnknownRecord, naming("board", "refused.old_button")},
	{engine.ErrOffBoard, naming("board", "refused.old_button")},
	{match.ErrUnknownCommand, naming("help", "refused.unknown_command")},
}

func words(key string) explain {
	return func(v View, _ Refused) discord.Message { return v.tell(key, nil) }
}

// naming says a text that names a command.
func naming(command, key string) explain {
	return func(v View, _ Refused) discord.Message { return v.tell(key, args{"Command": v.Command(command)}) }
}

// playing says a text that names the command to play, with the buttons that do the same.
func playing(key string) explain {
	return func(v View, r Refused) discord.Message {
		return v.tell(key, args{"Command": v.Command("play")}, v.playButtons(v.usual(), r.Direct)...)
	}
}

// until says a text that names a time.
func until(key string) explain {
	return func(v View, r Refused) discord.Message { return v.tell(key, args{"Time": timestamp(r.Until, 'R')}) }
}

// ofOpponent says a text that names whom the user plays against.
func ofOpponent(key string) explain {
	return func(v View, r Refused) discord.Message {
		return v.tell(key, args{"Opponent": v.player(r.Match.Player(r.Match.Seat(r.User).Other()))})
	}
}

func ofMatch(f func(View, store.Match) discord.Message) explain {
	return func(v View, r Refused) discord.Message { return f(v, r.Match) }
}

func linked(f func(v View, m store.Match, link string) discord.Message) explain {
	return func(v View, r Refused) discord.Message { return f(v, r.Match, r.Link) }
}

func ofChallenge(f func(View, store.Challenge) discord.Message) explain {
	return func(v View, r Refused) discord.Message { return f(v, r.Challenge) }
}

func notOver(v View, m store.Match) discord.Message {
	return v.tell("refused.not_over", nil, v.showBoardButton(m.ID))
}

func notYourGame(v View, r Refused) discord.Message {
	m, key := r.Match, "refused.not_your_game"
	if match.AgainstProgram(m) {
		key = "refused.not_your_game_bot"
	}
	buttons := v.playButtons(v.usual(), r.Direct)
	if winnerMayPlay(m) {
		buttons[0] = v.playWinnerButton(m)
	}
	return v.tell(key, args{"Player": v.player(match.FirstUser(m)), "X": v.player(m.X), "O": v.player(m.O)}, buttons...)
}

func matchOver(v View, r Refused) discord.Message {
	switch m := r.Match; {
	case m.Next != 0:
		return rematchMade(v, m, r.Link)
	case m.Private():
		return v.tell("refused.over", nil, v.playPrivatelyButton(match.ChoiceOf(m)))
	default:
		return v.tell("refused.over", nil, v.playButtons(match.ChoiceOf(m), r.Direct)...)
	}
}

func rematchMade(v View, m store.Match, link string) discord.Message {
	if m.Private() { // no link leads to what is private
		return v.tell("refused.rematch_made_private", nil, v.showBoardButton(m.Next))
	}
	return v.tell("refused.rematch_made", args{"Link": link}, v.showBoardButton(m.Next))
}

func challengeClosed(v View, r Refused) discord.Message {
	c, a := r.Challenge, args{"Command": v.Command("challenge")}
	if c.State == store.Expired && (c.Challenger == r.User || c.Opponent == r.User) {
		return v.tell("refused.challenge_closed", a, v.challengeAgainButton(c))
	}
	return v.tell("refused.challenge_closed", a)
}

// challengePending has buttons of the challenge itself: its message may be gone.
func challengePending(v View, r Refused) discord.Message {
	c, buttons := r.Challenge, v.challengeButtons(r.Challenge)
	switch {
	case c.Opponent == "":
		return v.tell("refused.table_pending", args{"Link": r.Link}, buttons[1])
	case c.Challenger == r.User:
		return v.tell("refused.challenge_pending", args{"Opponent": v.mention(c.Opponent), "Link": r.Link}, v.withdrawButton(c))
	default:
		return v.tell("refused.challenged_already", args{"Challenger": v.mention(c.Challenger), "Link": r.Link}, buttons...)
	}
}

func playsHere(v View, r Refused) discord.Message {
	buttons := []discord.Component{v.showMineButton(r.Match.ID)}
	switch {
	case match.BetweenGames(r.Match): // there is nothing to resign
	case r.Again != (customid.ID{}):
		buttons = append(buttons, v.resignInsteadButton(r.Again))
	case r.Choice != (match.Choice{}):
		buttons = append(buttons, v.playInsteadButton(r.Match.ID, r.Choice))
	}
	return v.tell("refused.plays_here", args{"Link": r.Link}, buttons...)
}

func allPlacesTaken(v View, r Refused) discord.Message {
	buttons := v.busyButtons(r, cmp.Or(r.Choice, v.usual()))
	switch {
	case len(r.Games) > 1:
		return withPeople(private(v.busy(r.Games), buttons...), peopleIn(r.Games))
	case r.Match.ID == 0:
		return v.tell("refused.busy_unknown", nil, buttons...)
	default:
		return v.tell("refused.busy", args{"Link": r.Link}, append(buttons, v.showBoardButton(r.Match.ID))...)
	}
}
