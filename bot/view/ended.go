package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// ended are the texts of a match that is over, above and below the field as long as that stands.
// Once there is a picture in its place, all are above, with who won in large smallPrint.
func (v Board) ended(m store.Match, g engine.Game, picture string) (above, below string) {
	first, how := v.result(m, g)
	// From the second match of a series on it is told how that stands, before that who played.
	played := either(m.Series.Played(), v.score(m, match.SeriesAfter(m)), v.say("small.players", v.players(m)))
	won, offer, smallPrint := v.won(m), v.offer(m), stacked(small(played), small(v.uncounted(m)))
	if m.GridStands {
		return stacked(sentences(first, how), picture, smallPrint), stacked(won, offer)
	}
	decided := m.Winner != engine.None || m.EndReason.Draw()
	return stacked(when(decided, "# ")+first, how, picture, won, smallPrint, offer), ""
}

// won are the lines that say what the match has given: points, a place, wins in a row, an
// honour; and that nobody has made a mistake. Behind the last game of a series the first says
// who has won that.
func (v Board) won(m store.Match) string {
	both := m.Winner == engine.None && !match.AgainstProgram(m)
	points := v.count(when(m.Gain.Points > 0, either(both, "gain.points_each", "gain.points")), m.Gain.Points)
	if m.Gain.Place > 0 { // beside it the points need no word
		points = fmt.Sprintf("+%d", m.Gain.Points)
	}
	place := v.say(when(m.Gain.Place > 0, "gain.place"), args{"Place": m.Gain.Place})
	alone := m.Gain.Streak > 0 && m.Gain.Crown == 0 // beside the crown stands another number
	gain := lines(points, place, v.say(when(alone, "gain.streak"), args{"Wins": m.Gain.Streak}))
	if len(gain) > 0 {
		gain[0] = "**" + gain[0] + "**" // all of it in bold would be two lines on a phone
	}
	all := []string{v.seriesResult(m), dotted(gain...)}
	for _, h := range match.HonoursIn(m.Gain.Honours) {
		all = append(all, v.say("gain.honour", args{"Honour": v.honour(h)}))
	}
	if m.Gain.Crown > 0 {
		all = append(all, v.crown(v.player(m.Player(m.Winner)), m.Channel, m.Gain.Crown))
	}
	return stacked(append(all, v.say(when(m.Verdict.Kind == store.Flawless, "review.flawless"), nil))...)
}

// crown says who is king of a channel, and of how many wins in a row, where these are enough to
// be one.
func (v View) crown(king string, channel store.ChannelID, wins int) string {
	line := v.say("crown.rules", args{"Player": king, "Channel": channelMention(channel)})
	return dotted(line, v.say(when(wins >= match.CrownWins, "gain.streak"), args{"Wins": wins}))
}

// seriesResult says how a series has ended, and nothing of one that goes on.
func (v Board) seriesResult(m store.Match) string {
	switch leader := match.SeriesOf(m).Leader(); {
	case !match.SeriesOver(m):
		return ""
	case leader == engine.None:
		return v.say("series.level", nil)
	default:
		return v.say("series.won", args{"Winner": v.player(m.Player(leader))})
	}
}

// endedControls returns the row of a match that is over. After every match it is the same, in
// the same order, so that a thumb finds what it found before: Rematch, Review, More, with the
// next game of a series in Rematch's place; while somebody wishes for a rematch Yes, No, More.
// A match without moves has no review. Once a rematch has taken the board's place, or one of the
// two is erased, only the review is left, and nothing where nobody can come any more. Behind them all
// comes the way to the king, where the match has made or kept one.
func (v Board) endedControls(m store.Match) []discord.Component {
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: m.ID} }
	switch {
	case m.EndReason == store.Unreachable:
		return nil
	case match.Paused(m):
		return rowOf(v.goOnButton(m))
	}
	review := when(len(m.Moves) > 0, v.button(discord.StyleSecondary, "button.review", id(customid.Review)))
	king := when(m.Gain.Throne, v.button(discord.StyleSuccess, "button.challenge_king", id(customid.ChallengeKing)))
	if m.Next != 0 || m.X.User.Erased() || m.O.User.Erased() {
		return rowOf(review, king)
	}
	label, again, beside := v.ofSeries(m, "button.rematch", "button.rematch_series", nil), customid.Rematch, review
	switch {
	case match.BetweenGames(m):
		label, again = v.say("button.next_game", args{"Game": match.SeriesOf(m).Played() + 1}), customid.NextGame
	case match.WaitedFor(m) != "":
		label = v.ofSeries(m, "button.rematch_yes", "button.rematch_yes_series", nil)
		beside = v.button(discord.StyleSecondary, "button.rematch_no", id(customid.DeclineRematch))
	}
	more := v.button(discord.StyleSecondary, "button.more", id(customid.More))
	return rowOf(button(discord.StylePrimary, label, id(again)), beside, more, king)
}

// ofSeries says one text about a rematch, and another where that is a series once more.
func (w Words) ofSeries(m store.Match, one, series string, a args) string {
	all := args{"Games": m.BestOf}
	maps.Copy(all, a)
	return w.say(either(m.BestOf > 0, series, one), all)
}

func (w Words) goOnButton(m store.Match) discord.Component {
	return w.button(discord.StylePrimary, "button.go_on", customid.ID{Action: customid.GoOn, Match: m.ID})
}

// WinnerPlays reports whether bystanders can challenge the winner of a match.
func WinnerPlays(m store.Match) bool {
	winner := m.Player(m.Winner)
	return winner.IsUser() && !winner.User.Erased() && !m.Private() && m.Guild != ""
}

// options are the choices of these values, each with the key that it makes behind the prefix; one
// of them counts.
func options[T ~string](w Words, prefix string, values []T, counts T) []discord.Option {
	return each(values, func(value T) discord.Option {
		return discord.Option{Label: w.say(prefix+string(value), nil), Value: string(value), Default: value == counts}
	})
}

// More are the ways on from a match that its message has no room for, as one person has
// them: who played chooses what comes next, and who watched plays the winner. The choice is in
// the IDs of all that can be pressed.
func (v Board) More(m store.Match, user store.UserID, c match.Choice) discord.Message {
	if m.Seat(user) == engine.None {
		return v.tell("more.question", nil, v.button(discord.StylePrimary, "button.play_winner", customid.ID{Action: customid.PlayWinner, Match: m.ID}))
	}
	id := func(a customid.Action) customid.ID { return customid.ID{Action: a, Match: m.ID, Choice: c} }
	bot, series := match.AgainstProgram(m), options(v.Words, "series.", match.SeriesValues(), strconv.Itoa(max(c.BestOf, 1)))
	return panel(
		discord.TextDisplay(v.say("more.question", nil)),
		when(bot, selectRow(id(customid.MoreLevel), v.levelOptions(c))),
		selectRow(id(customid.MoreBoard), v.boardOptions(c)),
		selectRow(id(customid.MoreFirst), options(v.Words, "more.first.", match.Firsts(m), c.First)),
		when(!bot, selectRow(id(customid.MoreSeries), series)),
		discord.Row(v.button(discord.StylePrimary, "button.play", id(customid.MorePlay))),
	)
}

// result is the first line of a match that is over, which says who won, and how that came
// about, where there is more to say.
func (v Board) result(m store.Match, g engine.Game) (first, how string) {
	switch {
	case m.Winner != engine.None:
		first = v.say("end.line", args{"Winner": v.player(m.Player(m.Winner))})
	case match.HeldPerfect(m):
		return v.say("end.held", args{"Player": v.player(m.Player(match.ProgramMark(m).Other())), "Opponent": v.opponent(match.Perfect)}), v.say("end.held_best", nil)
	case m.EndReason.Draw():
		first = v.say("end.draw", nil)
	default:
		return v.stopped(m), ""
	}
	if m.EndReason == store.ByLine && v.list { // who hears the board is told where the line is
		return first, m.Rules.FormatMoves(slices.Collect(m.Rules.CellsOf(g.WinningCells())))
	}
	return first, v.say(howKeys[m.EndReason], args{"Loser": v.player(m.Player(m.Winner.Other()))})
}

// howKeys are the words for how a result came about, where the board does not show it.
var howKeys = map[store.EndReason]string{
	store.Repetition: "end.repeated", store.MoveLimit: "end.too_many_moves",
	store.Resignation: "end.resigned", store.Clock: "end.out_of_time",
}

// stopped says why a match has no result.
func (v Board) stopped(m store.Match) string {
	key, after := cmp.Or(stoppedKeys[m.EndReason], "end.abandoned"), match.AbandonAfter
	switch {
	case m.EndReason == store.Idle && m.BestOf > 0:
		key = "end.not_begun"
	case m.EndReason == store.Idle:
		after = match.TimeLimit(m)
	case match.Paused(m):
		key = "end.paused"
	case m.EndReason == store.PutAside:
		after = match.PausedFor
	}
	other := v.player(store.Player{User: m.EndedBy})
	return v.say(key, args{"Duration": v.duration(after), "Moderator": v.mention(m.EndedBy), "Opponent": other})
}

// stoppedKeys are the words for why a match has no result, where that is not for how long
// nobody has played.
var stoppedKeys = map[store.EndReason]string{
	store.Idle: "end.idle", store.Stopped: "end.stopped", store.Unreachable: "end.unreachable",
	store.ThreadLocked: "end.locked", store.PlayerErased: "end.player_erased",
}

// offer says that somebody wishes for a rematch, or has declined one.
func (v Board) offer(m store.Match) string {
	switch {
	case m.RematchX || m.RematchO:
		return v.ofSeries(m, "rematch.offered", "rematch.offered_series", args{"Player": v.player(either(m.RematchX, m.X, m.O))})
	case m.RematchDeclined != engine.None:
		return v.say("rematch.declined", args{"Player": v.player(m.Player(m.RematchDeclined))})
	default:
		return ""
	}
}
