package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// Scores shows statistics and standings.
type Scores struct{ View }

// Stats are how somebody plays, for somebody who looks.
type Stats struct {
	User, Viewer store.UserID
	Profile      store.Profile
	Puzzler      store.Puzzler
	Shown        bool // to everybody in the channel: who looks is no part of it
	// The names of the user and of the toughest opponent, for a message that is shown:
	// who is mentioned there would be notified. Empty where they are not known.
	Name, Toughest string
}

// Stats tells how somebody plays. It mentions people and notifies nobody.
func (v Scores) Stats(s Stats) discord.Message {
	parts := []string{v.say("stats.title", args{"Player": v.shownAs(s.User, s.Name)})}
	if len(s.Profile.Tallies) > 0 { // before the first figures
		parts = append(parts, "-# "+v.say("stats.legend", nil))
	}
	people := tallies(s.Profile.Tallies, func(t store.Tally) bool { return t.Opponent == "" })
	if len(s.Profile.Tallies) == 0 {
		parts = append(parts, v.say("stats.nothing", nil))
		if s.Viewer == "" && !s.Shown { // their own
			parts = append(parts, v.say("help.play", args{"Command": v.Command("play")}))
		}
	}
	if people.games() > 0 {
		parts = append(parts, "", v.peopleStats(people, s.Profile))
	}
	if bots := v.botStats(s.Profile.Tallies); bots != "" {
		parts = append(parts, "", bots)
	}
	var more []string
	if e := s.Profile.Versus; e.Other != "" && !s.Shown {
		more = append(more, v.say("stats.versus", args{"Player": v.mention(s.User), "Score": score(e.Lost, e.Drawn, e.Won)}))
	}
	if e := s.Profile.Toughest; e.Other != "" {
		more = append(more, v.say("stats.toughest", args{"Player": v.shownAs(e.Other, s.Toughest), "Score": score(e.Won, e.Drawn, e.Lost)}))
	}
	if len(more) > 0 {
		parts = append(parts, "", strings.Join(more, "\n"))
	}
	if s.Puzzler.Solved > 0 {
		parts = append(parts, "", v.puzzleStats(s))
	}
	if honours := v.honours(s.Profile, s.Puzzler); honours != "" {
		parts = append(parts, "", honours)
	}
	msg := discord.Message{
		V2: true, Ephemeral: !s.Shown, Quiet: s.Shown,
		Components: []discord.Component{discord.Container(accentOver, discord.TextDisplay(strings.Join(parts, "\n")))},
	}
	if !s.Shown { // where others see it nobody may be notified
		msg.People = each(s.User, s.Profile.Toughest.Other)
	}
	if !s.Shown && (len(s.Profile.Tallies) > 0 || s.Puzzler.Solved > 0) {
		show := v.button(discord.StyleSecondary, "button.show_here", customid.ID{Action: customid.ShowStats, User: s.User})
		buttons := []discord.Component{show}
		if s.Viewer == "" { // their own
			buttons = append(buttons, v.button(discord.StyleSecondary, "button.last_games", customid.ID{Action: customid.LastGames}))
		}
		msg.Components = append(msg.Components, discord.Row(buttons...))
	}
	return msg
}

// each returns the ids, each once, without empty ones.
func each(users ...store.UserID) []string {
	var ids []string
	for _, u := range users {
		if u != "" {
			ids = append(ids, string(u))
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// tally is a sum of tallies.
type tally struct{ won, drawn, lost int }

func (t tally) games() int { return t.won + t.drawn + t.lost }

// joiner keeps a line from being broken where it stands.
const joiner = "\u2060"

// score writes wins, draws and losses, which stay on one line.
func score(won, drawn, lost int) string {
	return fmt.Sprintf("%d"+joiner+"–"+joiner+"%d"+joiner+"–"+joiner+"%d", won, drawn, lost)
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

// peopleStats tells of games with people: in all, by board where there are several, and
// how many were won one after the other.
func (v Scores) peopleStats(in tally, p store.Profile) string {
	lines := []string{"**" + v.say("stats.people", nil) + "**  " + score(in.won, in.drawn, in.lost)}
	var boards []string
	for _, r := range match.Boards {
		if t := tallies(p.Tallies, func(t store.Tally) bool { return t.Opponent == "" && t.Rules == r }); t.games() > 0 {
			boards = append(boards, v.shortBoard(r)+"\u00a0"+score(t.won, t.drawn, t.lost))
		}
	}
	if len(boards) > 1 {
		lines = append(lines, strings.Join(boards, " · "))
	}
	if p.Best > 1 {
		lines = append(lines, v.say("stats.streak", args{"Now": p.Streak, "Best": p.Best}))
	}
	return strings.Join(lines, "\n")
}

// shortBoard names a board in few characters.
func (w Words) shortBoard(r engine.Rules) string {
	switch {
	case r == engine.Vanishing:
		return w.say("board.vanishing.name", nil)
	case r.Square() && r.K == r.M:
		return boardSize(r)
	default:
		return fmt.Sprintf("%s-%d", boardSize(r), r.K)
	}
}

// botStats tells of games with each opponent of the program.
func (v Scores) botStats(all []store.Tally) string {
	var each []string
	for _, o := range opponentsOffered() {
		if t := tallies(all, func(t store.Tally) bool { return t.Opponent == o.Name }); t.games() > 0 {
			name := strings.ReplaceAll(v.opponent(o.Name), " ", "\u00a0")
			each = append(each, name+"\u00a0"+score(t.won, t.drawn, t.lost))
		}
	}
	if len(each) == 0 {
		return ""
	}
	return "**" + v.say("stats.bot", nil) + "**\n" + strings.Join(each, " · ")
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

// puzzleStats tells of the puzzles of days.
func (v Scores) puzzleStats(s Stats) string {
	p := s.Puzzler
	return v.countWith("stats.puzzles", p.Solved, args{"Now": match.PuzzleStreak(p, store.DayOf(v.Now)), "Best": p.Best})
}

func (v Scores) honours(p store.Profile, puzzler store.Puzzler) string {
	var all []string
	for _, h := range match.Honours(p, puzzler) {
		all = append(all, v.say(honourKeys[h], nil))
	}
	return strings.Join(all, "\n")
}

// Standings are a page of a leaderboard.
type Standings struct {
	Period      store.Period
	Page, Pages int  // from 0, and how many there are
	More        bool // rows behind the last page
	Rows        []Ranked
	Mine        *store.Standing // of the viewer; nil without one
	Above       *Ranked         // who stands next before the viewer; nil for who leads
	Viewer      store.UserID
	Before      []Ranked // the first three of the month before
	Shown       bool     // to everybody in the channel: who looks is no part of it
}

// Ranked is a row. Name is empty where it is not known: the row then mentions.
type Ranked struct {
	store.Standing
	Name string
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
		if !slices.ContainsFunc(s.Rows, func(r Ranked) bool { return r.User == s.Viewer }) {
			lines = append(lines, "…", v.rank(Ranked{Standing: *s.Mine}, s, false))
		}
		if s.Above != nil {
			mentioned = append(mentioned, *s.Above)
		}
	}
	if len(s.Before) > 0 {
		var three []string
		for _, r := range s.Before {
			three = append(three, place(r.Rank)+" "+v.shownAs(r.User, r.Name))
		}
		lines = append(lines, v.say("standings.before", args{"People": strings.Join(three, " ")}))
	}
	table := discord.Container(accentOver, discord.TextDisplay(strings.Join(lines, "\n")))
	if s.Shown {
		return v.standingsShown(s.Period, table)
	}
	var people []store.UserID
	for _, r := range mentioned {
		if r.Name == "" && r.User != s.Viewer {
			people = append(people, r.User)
		}
	}
	row := turns(s.Period, s.Page, s.Pages, s.More)
	if len(s.Rows) > 0 {
		row = append(row, v.showStandings(s.Period))
	}
	row = append(row, v.button(discord.StyleSecondary, "button.how_points", customid.ID{Action: customid.HowPoints}))
	return discord.Message{V2: true, Ephemeral: true, People: each(people...), Components: []discord.Component{
		table, v.kinds(s.Period), discord.Row(row...),
	}}
}

// standingsTitle names the leaderboard. What everybody sees stands for longer than a month.
func (v Scores) standingsTitle(s Standings) string {
	switch {
	case s.Period == store.AllTime:
		return v.say("standings.all", nil)
	case s.Period == store.BotWins:
		return v.say("standings.bots", nil)
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

// showStandings is the button that posts a leaderboard.
func (v Scores) showStandings(p store.Period) discord.Component {
	return v.button(discord.StyleSecondary, "button.show_here", customid.ID{Action: customid.ShowStandings, Period: p})
}

// standingsShown is a leaderboard for everybody in the channel, with the way to one's own
// place. It notifies nobody.
func (v Scores) standingsShown(p store.Period, table discord.Component) discord.Message {
	look := v.button(discord.StylePrimary, "button.leaderboard", customid.ID{Action: customid.Leaderboard, Period: p})
	return discord.Message{V2: true, Quiet: true, Components: []discord.Component{table, discord.Row(look)}}
}

// ownRank writes the viewer's rank: behind the last place that is counted, that one and a plus.
func ownRank(rank int) string { return orMore(min(rank, store.MostRanked), rank > store.MostRanked) }

func orMore(n int, more bool) string {
	if more {
		return fmt.Sprintf("%d+", n)
	}
	return strconv.Itoa(n)
}

// standingsKinds are all leaderboards, in the order in which people choose from them.
var standingsKinds = []struct {
	value, word string
	period      func(now time.Time) store.Period
}{
	{"month", "button.month", store.MonthOf},
	{"all", "button.all_time", func(time.Time) store.Period { return store.AllTime }},
	{"streaks", "button.puzzle_streaks", func(time.Time) store.Period { return store.StreakTab }},
	{"bots", "button.bot_wins", func(time.Time) store.Period { return store.BotWins }},
}

// StandingsChosen returns the standings that a value of the list of all leaderboards stands
// for at the time. ok is false for a value that is not offered: it comes from outside.
func StandingsChosen(value string, now time.Time) (_ store.Period, ok bool) {
	for _, k := range standingsKinds {
		if k.value == value {
			return k.period(now), true
		}
	}
	return 0, false
}

// kinds is the list of all leaderboards: as buttons they would take three lines on a phone,
// and which one is shown would be told by a colour.
func (v Scores) kinds(shown store.Period) discord.Component {
	var options []discord.Option
	for _, k := range standingsKinds {
		options = append(options, discord.Option{Label: v.say(k.word, nil), Value: k.value, Default: k.period(v.Now) == shown})
	}
	return discord.Row(discord.Select(customid.ID{Action: customid.StandingsKind}.String(), v.say("button.leaderboard", nil), options...))
}

// turns are the buttons that lead to the pages beside the one that is shown. Between them
// stands which that is, and of how many, with a plus where there is more than can be turned to.
func turns(p store.Period, page, pages int, more bool) []discord.Component {
	turn := func(label string, to int) discord.Component {
		b := button(discord.StyleSecondary, label, customid.ID{Action: customid.Leaderboard, Period: p, Page: to})
		b.Disabled = to == page
		return b
	}
	if pages < 2 {
		return nil
	}
	buttons := []discord.Component{turn(fmt.Sprintf("%d/%s", page+1, orMore(pages, more)), page)}
	if page > 0 {
		buttons = slices.Insert(buttons, 0, turn(toPrevious, page-1))
	}
	if page+1 < pages {
		buttons = append(buttons, turn(toNext, page+1))
	}
	return buttons
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
func (v Scores) rank(r Ranked, s Standings, inWords bool) string {
	name, mine := v.plainly(r.User, r.Name), r.User == s.Viewer && !s.Shown
	if mine {
		name = "**" + v.say("standings.you", nil) + "**"
	}
	line := fmt.Sprintf("%s **%d** %s", place(r.Rank), r.Points, name)
	switch {
	case s.Period == store.BotWins:
	case inWords:
		line += " · " + v.inWords(tally{r.Won, r.Drawn, r.Lost}, true)
	default:
		line += " · " + score(r.Won, r.Drawn, r.Lost)
	}
	if !mine {
		return line
	}
	switch up := s.Above; {
	case up == nil:
	case up.Points == r.Points:
		line += " · " + v.say("standings.level", args{"Player": v.shownAs(up.User, up.Name)})
	default:
		behind := args{"Points": v.points(up.Points-r.Points, s.Period), "Player": v.shownAs(up.User, up.Name)}
		line += " · " + v.say("standings.behind", behind)
	}
	return "▶ " + line
}

// inWords tells how many games were won, drawn and lost; noughts only on wish.
func (v Scores) inWords(t tally, noughts bool) string {
	var parts []string
	for _, of := range [...]struct {
		key string
		n   int
	}{{"stats.won", t.won}, {"stats.drawn", t.drawn}, {"stats.lost", t.lost}} {
		if of.n > 0 || noughts {
			parts = append(parts, v.count(of.key, of.n))
		}
	}
	return strings.Join(parts, " · ")
}

func (v Scores) points(n int, p store.Period) string {
	if p == store.BotWins {
		return v.count("standings.wins", n)
	}
	return v.count("standings.points", n)
}

// shownAs is a name as it was written, or a mention where none is known.
func (v View) shownAs(user store.UserID, name string) string {
	if name == "" {
		return v.mention(user)
	}
	return "**" + v.plainly(user, name) + "**"
}

// plainly is shownAs beside what counts for more.
func (v View) plainly(user store.UserID, name string) string {
	if name == "" {
		return v.mention(user)
	}
	return isolated(Plain(name))
}

// HowPoints tells what gives points.
func (v Scores) HowPoints() discord.Message {
	a := args{
		"Win": match.PointsWin, "Draw": match.PointsDraw, "Hard": match.PointsBeatHard, "Perfect": match.PointsDrawPerfect,
		"Pair": match.CountedPair, "Person": match.CountedPerson,
	}
	return private(strings.Join([]string{
		v.say("points.people", a), v.say("points.bot", a), v.say("points.nothing", a), "-# " + v.say("points.day", a),
	}, "\n"))
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
		case r < ' ' || r == 0x7f || isDirection(r):
			r = ' '
		case strings.ContainsRune(markup, r):
			b.WriteRune('\\')
		}
		b.WriteRune(r)
	}
	return cmp.Or(strings.TrimSpace(b.String()), "?")
}

// isDirection reports whether the character changes the direction of what follows, or
// ends a line.
func isDirection(r rune) bool {
	return slices.Contains([]rune{0x85, 0x200e, 0x200f, 0x2028, 0x2029, 0x061c}, r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
