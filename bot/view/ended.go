package view

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// ended returns what stands in the container of a match that is over, and below it: the
// buttons as long as they stand, and where these have gone who won in large print, and the
// ways on.
func (v Board) ended(m store.Match, g engine.Game, asText bool, controls []discord.Component) (inside, outside []discord.Component) {
	first, how := v.result(m, g)
	won, offer, small := v.won(m), v.offer(m), []string{"-# " + v.smallAfter(m)}
	if why := v.uncounted(m); why != "" {
		small = append(small, "-# "+why)
	}
	if !m.GridStands {
		if result(m) {
			first = "# " + first
		}
		head := slices.Concat(lines(first, how, v.textBoard(m, g)), won, small, lines(offer))
		inside = append(inside, discord.TextDisplay(strings.Join(head, "\n")))
		return append(inside, controls...), nil
	}
	head := []string{sentences(first, how)}
	if asText {
		head = append(head, v.textBoard(m, g))
	}
	inside = append(inside, discord.TextDisplay(strings.Join(append(head, small...), "\n")))
	var after []discord.Component // what comes at the end moves nothing above it
	if text := strings.Join(append(won, lines(offer)...), "\n"); text != "" {
		after = append(after, discord.TextDisplay(text))
	}
	if m.Rules.M >= wideBoard && !v.list {
		return inside, slices.Concat(v.field(m, g), controls, after)
	}
	inside = append(inside, v.field(m, g)...)
	if len(controls) > 0 {
		inside = append(inside, discord.Separator())
	}
	return slices.Concat(inside, controls, after), nil
}

// lines are those that have something in them.
func lines(all ...string) []string {
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

// result reports whether the match was won or drawn.
func result(m store.Match) bool { return m.Winner != engine.None || m.EndReason.Draw() }

// won are the lines that say what the match has given: points, a place, wins in a row, an
// honour; and that nobody has made a mistake. Behind the last game of a series the first says
// who has won that.
func (v Board) won(m store.Match) (all []string) {
	if match.SeriesOver(m) {
		all = append(all, v.seriesResult(m))
	}
	var gain []string
	switch both := m.Winner == engine.None && !match.AgainstProgram(m); {
	case m.Gain.Place > 0: // beside it the points need no word
		gain = append(gain, "+"+strconv.Itoa(m.Gain.Points), v.say("gain.place", args{"Place": m.Gain.Place}))
	case m.Gain.Points > 0 && both:
		gain = append(gain, v.count("gain.points_each", m.Gain.Points))
	case m.Gain.Points > 0:
		gain = append(gain, v.count("gain.points", m.Gain.Points))
	}
	if m.Gain.Streak > 0 && m.Gain.Crown == 0 { // beside the crown stands another number
		gain = append(gain, v.say("gain.streak", args{"Wins": m.Gain.Streak}))
	}
	if len(gain) > 0 {
		gain[0] = "**" + gain[0] + "**" // all of it in bold would be two lines on a phone
		all = append(all, strings.Join(gain, " · "))
	}
	for _, h := range match.HonoursIn(m.Gain.Honours) {
		all = append(all, v.say("gain.honour", args{"Honour": v.honour(h)}))
	}
	if m.Gain.Crown > 0 {
		all = append(all, v.crown(v.player(m.Player(m.Winner)), m.Channel, m.Gain.Crown))
	}
	if m.Verdict.Kind == store.Flawless {
		all = append(all, v.say("review.flawless", nil))
	}
	return all
}

// crown says who is king of a channel, and of how many wins in a row, where these are enough to
// be one.
func (v View) crown(king string, channel store.ChannelID, wins int) string {
	line := v.say("crown.rules", args{"Player": king, "Channel": channelMention(channel)})
	if wins >= match.CrownWins {
		line += " · " + v.say("gain.streak", args{"Wins": wins})
	}
	return line
}

// seriesResult says how a series has ended.
func (v Board) seriesResult(m store.Match) string {
	leader := match.SeriesOf(m).Leader()
	if leader == engine.None {
		return v.say("series.level", nil)
	}
	return v.say("series.won", args{"Winner": v.player(m.Player(leader))})
}

// smallAfter is the line in small print of a match that is over: how the series stands from
// its second match on, before that who played.
func (v Board) smallAfter(m store.Match) string {
	if m.Series.Played() {
		return v.score(m, match.SeriesAfter(m))
	}
	return v.say("small.players", v.players(m))
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
	var review, king []discord.Component
	if len(m.Moves) > 0 {
		review = append(review, v.button(discord.StyleSecondary, "button.review", id(customid.Review)))
	}
	if m.Gain.Throne {
		king = append(king, v.button(discord.StyleSuccess, "button.challenge_king", id(customid.ChallengeKing)))
	}
	if m.Next != 0 || m.X.User.Erased() || m.O.User.Erased() {
		return rowOf(append(review, king...)...)
	}
	label, again, beside := v.ofSeries(m, "button.rematch", "button.rematch_series", nil), customid.Rematch, review
	switch {
	case match.BetweenGames(m):
		label, again = v.say("button.next_game", args{"Game": match.SeriesOf(m).Played() + 1}), customid.NextGame
	case match.WaitedFor(m) != "":
		label = v.ofSeries(m, "button.rematch_yes", "button.rematch_yes_series", nil)
		beside = []discord.Component{v.button(discord.StyleSecondary, "button.rematch_no", id(customid.DeclineRematch))}
	}
	first, more := button(discord.StylePrimary, label, id(again)), v.button(discord.StyleSecondary, "button.more", id(customid.More))
	return rowOf(slices.Concat([]discord.Component{first}, beside, []discord.Component{more}, king)...)
}

// ofSeries says one text about a rematch, and another where that is a series once more.
func (w Words) ofSeries(m store.Match, one, series string, a args) string {
	if m.BestOf == 0 {
		return w.say(one, a)
	}
	all := args{"Games": m.BestOf}
	maps.Copy(all, a)
	return w.say(series, all)
}

func (w Words) goOnButton(m store.Match) discord.Component {
	return w.button(discord.StylePrimary, "button.go_on", customid.ID{Action: customid.GoOn, Match: m.ID})
}

// WinnerPlays reports whether bystanders can challenge the winner of a match.
func WinnerPlays(m store.Match) bool {
	winner := m.Player(m.Winner)
	return winner.IsUser() && !winner.User.Erased() && !m.Private() && m.Guild != ""
}

// firstKeys are the words for who begins.
var firstKeys = map[string]string{
	match.FirstMe: "more.first.me", match.FirstBot: "more.first.bot",
	match.FirstThem: "more.first.them", match.FirstRandom: "more.first.random",
}

// seriesKeys are the words for how many games are played, by their value.
var seriesKeys = map[string]string{"1": "series.one", "3": "series.best_of_3", "5": "series.best_of_5"}

// options are the choices of these values, with the keys of their words; one of them counts.
func options[T ~string](w Words, values []T, keys map[T]string, counts T) []discord.Option {
	return each(values, func(value T) discord.Option {
		return discord.Option{Label: w.say(keys[value], nil), Value: string(value), Default: value == counts}
	})
}

// More are the ways on from a match that its message has no room for, as one person has
// them: who played chooses what comes next, and who watched plays the winner. The choice is in
// the IDs of all that can be pressed.
func (v Board) More(m store.Match, user store.UserID, c match.Choice) discord.Message {
	if m.Seat(user) == engine.None {
		return v.tell("more.question", nil, v.button(discord.StylePrimary, "button.play_winner", customid.ID{Action: customid.PlayWinner, Match: m.ID}))
	}
	parts := []discord.Component{discord.TextDisplay(v.say("more.question", nil))}
	choose := func(a customid.Action, options []discord.Option) {
		parts = append(parts, discord.Row(discord.Select(customid.ID{Action: a, Match: m.ID, Choice: c}.String(), "", options...)))
	}
	if match.AgainstProgram(m) {
		choose(customid.MoreLevel, v.levelOptions(c))
	}
	choose(customid.MoreBoard, v.boardOptions(c))
	choose(customid.MoreFirst, options(v.Words, match.Firsts(m), firstKeys, c.First))
	if !match.AgainstProgram(m) {
		choose(customid.MoreSeries, options(v.Words, match.SeriesValues(), seriesKeys, strconv.Itoa(max(c.BestOf, 1))))
	}
	play := v.button(discord.StylePrimary, "button.play", customid.ID{Action: customid.MorePlay, Match: m.ID, Choice: c})
	return discord.Message{V2: true, Ephemeral: true, Components: append(parts, discord.Row(play))}
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
	if key, ok := howKeys[m.EndReason]; ok {
		how = v.say(key, args{"Loser": v.player(m.Player(m.Winner.Other()))})
	} else if m.EndReason == store.ByLine && v.list { // who hears the board is told where the line is
		how = m.Rules.FormatMoves(slices.Collect(m.Rules.CellsOf(g.WinningCells())))
	}
	return first, how
}

// howKeys are the words for how a result came about, where the board does not show it.
var howKeys = map[store.EndReason]string{
	store.Repetition: "end.repeated", store.MoveLimit: "end.too_many_moves",
	store.Resignation: "end.resigned", store.Clock: "end.out_of_time",
}

// stopped says why a match has no result.
func (v Board) stopped(m store.Match) string {
	switch m.EndReason {
	case store.Idle:
		if m.BestOf > 0 {
			return v.say("end.not_begun", nil)
		}
		return v.say("end.idle", args{"Duration": v.duration(match.TimeLimit(m))})
	case store.PutAside:
		if match.Paused(m) {
			return v.say("end.paused", args{"Opponent": v.player(store.Player{User: m.EndedBy})})
		}
		return v.say("end.abandoned", args{"Duration": v.duration(match.PausedFor)})
	case store.Stopped:
		return v.say("end.stopped", args{"Moderator": v.mention(m.EndedBy)})
	case store.Unreachable:
		return v.say("end.unreachable", nil)
	case store.ThreadLocked:
		return v.say("end.locked", nil)
	case store.PlayerErased:
		return v.say("end.player_erased", nil)
	default:
		return v.say("end.abandoned", args{"Duration": v.duration(match.AbandonAfter)})
	}
}

// offer says that somebody wishes for a rematch, or has declined one.
func (v Board) offer(m store.Match) string {
	switch {
	case m.RematchX:
		return v.ofSeries(m, "rematch.offered", "rematch.offered_series", args{"Player": v.player(m.X)})
	case m.RematchO:
		return v.ofSeries(m, "rematch.offered", "rematch.offered_series", args{"Player": v.player(m.O)})
	case m.RematchDeclined != engine.None:
		return v.say("rematch.declined", args{"Player": v.player(m.Player(m.RematchDeclined))})
	default:
		return ""
	}
}
