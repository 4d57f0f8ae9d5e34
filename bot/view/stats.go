package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/store"
)

// Scores shows statistics and standings.
type Scores struct{ View }

// Stats are how somebody plays, for somebody who looks.
type Stats struct {
	User, Viewer store.UserID // Viewer is empty for who looks at their own
	Profile      store.Profile
	Puzzler      store.Puzzler
	Last         []store.Result // the user's, the newest first
	Shown        bool           // to everybody in the channel: who looks is no part of it
}

// Stats tells how somebody plays, and nothing that is nought. It notifies nobody.
func (v Scores) Stats(s Stats) discord.Message {
	told := discord.Container(accentOver, discord.TextDisplay(v.statsText(s)))
	msg := discord.Message{
		V2: true, Ephemeral: !s.Shown, Quiet: s.Shown,
		Components: append([]discord.Component{told}, v.statsButtons(s)...),
	}
	if !s.Shown { // where others see it nobody may be notified
		named := v.Names[s.User] != "" && s.Profile.Versus.Other == ""
		msg.People = ids(when(!named, s.User), when(v.Names[s.Profile.Toughest.Other] == "", s.Profile.Toughest.Other))
	}
	return msg
}

// statsText is what there is to tell of somebody.
func (v Scores) statsText(s Stats) string {
	all, p, versus, rival := s.Profile.Tallies, s.Puzzler, s.Profile.Versus, s.Profile.Toughest
	title := v.say("stats.title", args{"Player": v.shownAs(s.User)})
	if len(all) > 0 {
		title = dotted(title, v.count("stats.games", tallies(all, func(store.Tally) bool { return true }).games()))
	} else {
		own := s.Viewer == "" && !s.Shown
		title = stacked(title, v.say("stats.nothing", nil), v.say(when(own, "help.play"), args{"Command": v.Command("play")}))
	}
	people := tallies(all, func(t store.Tally) bool { return t.Opponent == "" })
	between := v.inWords(tally{versus.Lost, versus.Drawn, versus.Won}, false)
	lead := args{"Player": v.shownAs(rival.Other), "Score": score(rival.Lost, rival.Won)}
	streak := v.inARow(match.PuzzleStreak(p, store.DayOf(v.Now)), p.Best)
	return stacked(
		title,
		when(people.games() > 0, "**"+v.say("stats.people", nil)+"** "+v.inWords(people, false)),
		dotted(form(s.User, s.Last), v.inARow(s.Profile.Streak, s.Profile.Best)),
		v.botStats(all),
		v.say(when(versus.Other != "" && !s.Shown, "stats.versus"), args{"Player": v.mention(s.User), "Score": between}),
		v.say(when(rival.Other != "", "stats.rival"), lead),
		when(p.Solved > 0, dotted(v.count("stats.puzzles", p.Solved), streak)),
		small(dotted(each(match.Honours(s.Profile, p), v.honour)...)))
}

// statsButtons are the ways on: to post them, to one's own games and rival, and for everybody
// to a game with whose they are.
func (v Scores) statsButtons(s Stats) []discord.Component {
	if s.Shown {
		return rowOf(v.button(discord.StylePrimary, "button.challenge", v.challengeID(s.User)))
	}
	told := len(s.Profile.Tallies) > 0 || s.Puzzler.Solved > 0
	own := told && s.Viewer == ""
	name := v.Names[s.Profile.Toughest.Other]
	rival := v.say("button.challenge_rival", args{"Player": isolated(name)})
	return rowOf(
		when(told, v.button(discord.StyleSecondary, "button.show_here", customid.ID{Action: customid.ShowStats, User: s.User})),
		when(own, v.press(discord.StyleSecondary, "button.last_games", customid.LastGames)),
		when(own && name != "", button(discord.StyleSecondary, rival, v.challengeID(s.Profile.Toughest.Other))))
}

// challengeFor is how long statistics lead to a challenge.
const challengeFor = 24 * time.Hour

func (v Scores) challengeID(user store.UserID) customid.ID {
	return customid.ID{Action: customid.ChallengeUser, User: user, Until: v.Now.Add(challengeFor).Unix()}
}

// formOf is how many games the form is of.
const formOf = 5

// form draws how the user's last games with people went, the newest last.
func form(user store.UserID, last []store.Result) string {
	var signs []string
	for _, r := range last {
		seat := store.Match{X: r.X, O: r.O}.Seat(user)
		switch {
		case !r.X.IsUser() || !r.O.IsUser() || len(signs) == formOf:
		case r.Winner == seat:
			signs = append(signs, "✅")
		case r.Winner == seat.Other():
			signs = append(signs, "❌")
		case r.EndReason.Draw():
			signs = append(signs, "➖")
		}
	}
	slices.Reverse(signs)
	return strings.Join(signs, "")
}

// inARow tells how many were won or solved one after the other, at best and up to now: one is
// none.
func (v Scores) inARow(now, best int) string {
	return dotted(
		v.say(when(best > 1, "stats.best"), args{"Best": best}),
		v.say(when(best > 1 && now > 1, "stats.now"), args{"Now": now}))
}

// tally is a sum of tallies.
type tally struct{ won, drawn, lost int }

func (t tally) games() int { return t.won + t.drawn + t.lost }

// score writes numbers of games, which stay on one line.
func score(numbers ...int) string {
	const joiner = "\u2060" // keeps a line from being broken where it stands
	return strings.Join(each(numbers, strconv.Itoa), joiner+"–"+joiner)
}

// tallies sums up those that are chosen.
func tallies(all []store.Tally, choose func(store.Tally) bool) (sum tally) {
	for _, t := range all {
		if choose(t) {
			sum = tally{sum.won + t.Won, sum.drawn + t.Drawn, sum.lost + t.Lost}
		}
	}
	return sum
}

// botStats tells of each opponent of the program the best that came of games with it.
func (v Scores) botStats(all []store.Tally) string {
	var each []string
	for _, o := range opponentsOffered() {
		t := tallies(all, func(t store.Tally) bool { return t.Opponent == o.Name })
		switch {
		case t.won > 0:
			t = tally{won: t.won}
		case t.drawn > 0:
			t = tally{drawn: t.drawn}
		}
		if t.games() > 0 {
			each = append(each, strings.ReplaceAll(v.opponent(o.Name)+" "+v.inWords(t, false), " ", "\u00a0"))
		}
	}
	return when(len(each) > 0, "**"+v.say("stats.bot", nil)+"** "+dotted(each...))
}

// honourKeys are the words of the marks of honour.
var honourKeys = map[store.Honours]string{
	match.HonourFork:      "honour.fork",
	match.HonourPerfect:   "honour.perfect",
	match.HonourHardAsO:   "honour.hard_as_o",
	match.HonourVanishing: "honour.vanishing",
	match.HonourBothSides: "honour.both_sides",
	match.HonourTenInARow: "honour.ten_in_a_row",

	match.HonourPuzzleWeek: "honour.puzzle_week",
}

func (w Words) honour(h store.Honours) string { return w.say(honourKeys[h], nil) }

// Leaf says which page of which leaderboard it is.
type Leaf struct {
	Period      store.Period
	Page, Pages int  // from 0, and how many there are: none where nobody has a place
	More        bool // rows behind the last page
	Shown       bool // to everybody in the channel: who looks is no part of it
}

// Standings are a page of a leaderboard.
type Standings struct {
	Leaf
	Rows   []store.Standing
	Mine   *store.Standing // of the viewer; nil without one
	Above  *store.Standing // who stands next before the viewer; nil for who leads, and among streaks
	Viewer store.UserID
	Before []store.Standing // the first three of the month before
}

// PageRows is how many rows a page has.
const PageRows = 10

// Standings tells who stands where. It notifies nobody.
func (v Scores) Standings(s Standings) discord.Message {
	lines := []string{v.standingsTitle(s), ""}
	for i, r := range s.Rows {
		lines = append(lines, v.rank(r, s, i == 0))
	}
	if len(s.Rows) == 0 {
		lines = append(lines, v.say("standings.nobody", nil))
	}
	mentioned := slices.Concat(s.Rows, s.Before)
	if s.Mine != nil && !s.Shown {
		if !slices.ContainsFunc(s.Rows, func(r store.Standing) bool { return r.User == s.Viewer }) {
			lines = append(lines, "…", v.rank(*s.Mine, s, false))
		}
		if s.Above != nil {
			mentioned = append(mentioned, *s.Above)
		}
	}
	if len(s.Before) > 0 {
		three := each(s.Before, func(r store.Standing) string { return place(r.Rank) + " " + v.shownAs(r.User) })
		lines = append(lines, v.say("standings.before", args{"People": strings.Join(three, " ")}))
	}
	mentioned = slices.DeleteFunc(mentioned, func(r store.Standing) bool { return r.User == s.Viewer })
	return v.leaderboard(s.Leaf, lines, mentioned, v.press(discord.StyleSecondary, "button.how_points", customid.HowPoints))
}

// leaderboard is a page with these lines, and mentions those whose names are not known: for who
// looks with ways on, and more of them, or for everybody in the channel with the way to one's own
// place. It notifies nobody.
func (v Scores) leaderboard(l Leaf, lines []string, mentioned []store.Standing, more ...discord.Component) discord.Message {
	table := discord.Container(accentOver, discord.TextDisplay(strings.Join(lines, "\n")))
	if l.Shown {
		look := v.button(discord.StylePrimary, "button.leaderboard", customid.ID{Action: customid.Leaderboard, Period: l.Period})
		return discord.Message{V2: true, Quiet: true, Components: []discord.Component{table, discord.Row(look)}}
	}
	show := v.button(discord.StyleSecondary, "button.show_here", customid.ID{Action: customid.ShowStandings, Period: l.Period})
	ways := rowOf(slices.Concat(turns(l), []discord.Component{when(l.Pages > 0, show)}, more)...)
	people := each(mentioned, func(r store.Standing) store.UserID { return when(v.Names[r.User] == "", r.User) })
	return withPeople(panel(append([]discord.Component{table, v.kinds(l.Period)}, ways...)...), ids(people...))
}

// standingsTitle names the leaderboard. What everybody sees stands for longer than a month.
func (v Scores) standingsTitle(s Standings) string {
	switch {
	case s.Period == store.AllTime:
		return v.say("standings.all", nil)
	case s.Period == store.BotWins:
		return "🤖 **" + v.say("standings.bots", nil) + "**"
	case s.Period == store.MonthOf(v.Now) && !s.Shown:
		return v.say("standings.month", args{"End": timestamp(s.Period.End(), 'R')})
	default:
		return v.say("standings.past_month", args{"Month": v.month(s.Period), "Year": s.Period.Begin().Year()})
	}
}

// month is the name of a month.
func (w Words) month(p store.Period) string {
	return w.say(fmt.Sprintf("month.%d", p.Begin().Month()), nil)
}

// ownRank writes the viewer's rank: behind the last place that is counted, that one and a plus.
func ownRank(rank int) string { return orMore(min(rank, store.MostRanked), rank > store.MostRanked) }

func orMore(n int, more bool) string { return strconv.Itoa(n) + when(more, "+") }

// standingsKinds are all leaderboards, in the order in which people choose from them.
func standingsKinds(now time.Time) []choice[store.Period] {
	return []choice[store.Period]{
		{"month", "button.month", store.MonthOf(now)},
		{"all", "button.all_time", store.AllTime},
		{"streaks", "button.puzzle_streaks", store.StreakTab},
		{"bots", "standings.bots", store.BotWins},
	}
}

// StandingsChosen returns the standings that were chosen from the list of all leaderboards at
// the time. ok is false for any other value.
func StandingsChosen(value string, now time.Time) (_ store.Period, ok bool) {
	return chosenOf(standingsKinds(now), value)
}

// kinds is the list of all leaderboards: as buttons they would take three lines on a phone,
// and which one is shown would be told by a colour.
func (v Scores) kinds(shown store.Period) discord.Component {
	options := optionsOf(v.Words, standingsKinds(v.Now), shown)
	return discord.Row(discord.Select(customid.ID{Action: customid.StandingsKind}.String(), v.say("button.leaderboard", nil), options...))
}

// turns are the buttons that lead to the pages beside the one that is shown. Between them
// stands which that is, and of how many, with a plus where there is more than can be turned to.
func turns(l Leaf) []discord.Component {
	turn := func(label string, to int) discord.Component {
		b := button(discord.StyleSecondary, label, customid.ID{Action: customid.Leaderboard, Period: l.Period, Page: to})
		b.Disabled = to == l.Page
		return b
	}
	if l.Pages < 2 {
		return nil
	}
	return present(
		when(l.Page > 0, turn(toPrevious, l.Page-1)),
		turn(fmt.Sprintf("%d/%s", l.Page+1, orMore(l.Pages, l.More)), l.Page),
		when(l.Page+1 < l.Pages, turn(toNext, l.Page+1)))
}

// The labels of buttons that turn pages.
const toPrevious, toNext = "◀", "▶"

// place is a medal, or the number of the rank.
func place(rank int) string {
	if rank <= 3 {
		return [...]string{"🥇", "🥈", "🥉"}[rank-1]
	}
	return fmt.Sprintf("`%2s`", ownRank(rank))
}

// rank is a row of the standings: the numbers stand in a column, before names of any length.
// The viewer's own says who is to be caught up with. One row has its record in words.
func (v Scores) rank(r store.Standing, s Standings, inWords bool) string {
	mine := r.User == s.Viewer && !s.Shown
	name := either(mine, "**"+v.say("standings.you", nil)+"**", v.plainly(r.User))
	record := either(inWords, v.inWords(tally{r.Won, r.Drawn, r.Lost}, true), score(r.Won, r.Drawn, r.Lost))
	behind := ""
	if up := s.Above; up != nil {
		points := v.count(either(s.Period == store.BotWins, "standings.wins", "standings.points"), up.Points-r.Points)
		a := args{"Points": points, "Player": v.shownAs(up.User)}
		behind = v.say(either(up.Points == r.Points, "standings.level", "standings.behind"), a)
	}
	line := fmt.Sprintf("%s **%d** %s", place(r.Rank), r.Points, name)
	return when(mine, "▶ ") + dotted(line, when(s.Period != store.BotWins, record), when(mine, behind))
}

// inWords tells how many games were won, drawn and lost; noughts only on wish.
func (v Scores) inWords(t tally, noughts bool) string {
	part := func(key string, n int) string { return v.count(when(n > 0 || noughts, key), n) }
	return dotted(part("stats.won", t.won), part("stats.drawn", t.drawn), part("stats.lost", t.lost))
}

// shownAs is a name as it was written, or a mention where none is known.
func (v View) shownAs(user store.UserID) string {
	if v.Names[user] == "" {
		return v.mention(user)
	}
	return "**" + v.plainly(user) + "**"
}

// plainly is shownAs beside what counts for more.
func (v View) plainly(user store.UserID) string {
	if v.Names[user] == "" {
		return v.mention(user)
	}
	return isolated(Plain(v.Names[user]))
}

// HowPoints tells what gives points, and, where the guild has them, crowns.
func (v Scores) HowPoints(crowns bool) discord.Message {
	a := args{
		"Win": match.PointsWin, "Draw": match.PointsDraw, "Hard": match.PointsBeatHard, "Perfect": match.PointsDrawPerfect,
		"Pair": match.CountedPair, "Person": match.CountedPerson,
	}
	return private(stacked(v.say("points.people", a), v.say("points.bot", a), v.say("points.nothing", a),
		when(crowns, "👑 "+v.say("settings.crowns", nil)), small(v.say("points.day", a))))
}

// StandingsInDirectMessage says that there is no leaderboard in direct messages.
func (v Scores) StandingsInDirectMessage() discord.Message {
	return v.tell("standings.direct", args{"Command": v.Command("stats")})
}

// markup are the characters that Discord reads as markup.
const markup = "\\*_~`|>#-[]()<:@"

// longestName is how many characters of a name are shown.
const longestName = 32

// Plain returns a text of a user as they wrote it, so that nothing in it is markup, a
// mention, a link or a new line.
func Plain(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > longestName {
			b.WriteRune('…')
			break
		}
		switch {
		case r < ' ' || r == 0x7f || r == 0x85 || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control):
			r = ' ' // it would end a line, or change the direction of what follows
		case strings.ContainsRune(markup, r):
			b.WriteRune('\\')
		}
		b.WriteRune(r)
	}
	return cmp.Or(strings.TrimSpace(b.String()), "?")
}
