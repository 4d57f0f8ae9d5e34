package sqlstore

import (
	"database/sql/driver"
	"fmt"

	"tictactoe/store"
)

// Conditions that statements share, and that the partial indexes name.
var (
	activeMatch = fmt.Sprintf("state = %d", store.Active)
	notJudged   = fmt.Sprintf("verdict = %d", store.NotJudged)
	pending     = fmt.Sprintf("state = %d", store.Open)

	closedChallenge = fmt.Sprintf("state <> %d", store.Open)

	solvedPuzzle = fmt.Sprintf("state = %d", store.PuzzleSolved)
)

const (
	undrawn = "drawn < version AND message <> ''" // shown in an older version
)

// matches is the table of matches. Guild, channel, place, rules, players and given moves say what the moves
// mean, so that they are the same for ever.
var matches = newTable("matches",
	column[store.Match]{"id", key, func(m *store.Match) any { return numberAt(&m.ID) }},
	column[store.Match]{"guild", same, func(m *store.Match) any { return textAt(&m.Guild) }},
	column[store.Match]{"domain", derived, func(m *store.Match) any { return domainOf(m.Guild) }},
	column[store.Match]{"channel", same, func(m *store.Match) any { return textAt(&m.Channel) }},
	column[store.Match]{"thread", same, func(m *store.Match) any { return textAt(&m.Thread) }},
	column[store.Match]{"place", same, func(m *store.Match) any { return numberAt(&m.Place) }},
	column[store.Match]{"message", stays, func(m *store.Match) any { return textAt(&m.Message) }},
	column[store.Match]{"drawn", stays, func(m *store.Match) any { return numberAt(&m.Drawn) }},
	column[store.Match]{"notice", stays, func(m *store.Match) any { return textAt(&m.Notice) }},
	column[store.Match]{"m", same, func(m *store.Match) any { return numberAt(&m.Rules.M) }},
	column[store.Match]{"n", same, func(m *store.Match) any { return numberAt(&m.Rules.N) }},
	column[store.Match]{"k", same, func(m *store.Match) any { return numberAt(&m.Rules.K) }},
	column[store.Match]{"mark_limit", same, func(m *store.Match) any { return numberAt(&m.Rules.Limit) }},
	column[store.Match]{"x_user", same, func(m *store.Match) any { return textAt(&m.X.User) }},
	column[store.Match]{"x_opponent", same, func(m *store.Match) any { return textAt(&m.X.Opponent) }},
	column[store.Match]{"o_user", same, func(m *store.Match) any { return textAt(&m.O.User) }},
	column[store.Match]{"o_opponent", same, func(m *store.Match) any { return textAt(&m.O.Opponent) }},
	column[store.Match]{"moves", grows, func(m *store.Match) any { return moves{&m.Moves} }},
	column[store.Match]{"given", same, func(m *store.Match) any { return numberAt(&m.Given) }},
	column[store.Match]{"state", result, func(m *store.Match) any { return numberAt(&m.State) }},
	column[store.Match]{"end_reason", result, func(m *store.Match) any { return numberAt(&m.EndReason) }},
	column[store.Match]{"winner", result, func(m *store.Match) any { return numberAt(&m.Winner) }},
	column[store.Match]{"ended_by", result, func(m *store.Match) any { return textAt(&m.EndedBy) }},
	column[store.Match]{"verdict", once, func(m *store.Match) any { return numberAt(&m.Verdict.Kind) }},
	column[store.Match]{"verdict_ply", once, func(m *store.Match) any { return numberAt(&m.Verdict.Ply) }},
	column[store.Match]{"verdict_cell", once, func(m *store.Match) any { return numberAt(&m.Verdict.Cell) }},
	column[store.Match]{"gain_points", changes, func(m *store.Match) any { return numberAt(&m.Gain.Points) }},
	column[store.Match]{"gain_place", changes, func(m *store.Match) any { return numberAt(&m.Gain.Place) }},
	column[store.Match]{"gain_streak", changes, func(m *store.Match) any { return numberAt(&m.Gain.Streak) }},
	column[store.Match]{"gain_honours", changes, func(m *store.Match) any { return numberAt(&m.Gain.Honours) }},
	column[store.Match]{"gain_crown", changes, func(m *store.Match) any { return numberAt(&m.Gain.Crown) }},
	column[store.Match]{"gain_throne", changes, func(m *store.Match) any { return bit{&m.Gain.Throne} }},
	column[store.Match]{"clock", changes, func(m *store.Match) any { return numberAt(&m.Clock) }},
	column[store.Match]{"deadline", changes, func(m *store.Match) any { return numberAt(&m.Deadline) }},
	column[store.Match]{"remind", changes, func(m *store.Match) any { return numberAt(&m.Remind) }},
	column[store.Match]{"rematch_told", changes, func(m *store.Match) any { return truth{&m.RematchTold} }},
	column[store.Match]{"token_only", changes, func(m *store.Match) any { return truth{&m.TokenOnly} }},
	column[store.Match]{"hinted", changes, func(m *store.Match) any { return truth{&m.Hinted} }},
	column[store.Match]{"hint_ply", changes, func(m *store.Match) any { return numberAt(&m.HintPly) }},
	column[store.Match]{"grid_stands", changes, func(m *store.Match) any { return truth{&m.GridStands} }},
	column[store.Match]{"marks", changes, func(m *store.Match) any { return numberAt(&m.Marks) }},
	column[store.Match]{"locale", changes, func(m *store.Match) any { return textAt(&m.Locale) }},
	column[store.Match]{"series_x", changes, func(m *store.Match) any { return numberAt(&m.Series.X) }},
	column[store.Match]{"series_o", changes, func(m *store.Match) any { return numberAt(&m.Series.O) }},
	column[store.Match]{"series_d", changes, func(m *store.Match) any { return numberAt(&m.Series.Draws) }},
	column[store.Match]{"lost", changes, func(m *store.Match) any { return numberAt(&m.Lost) }},
	column[store.Match]{"rematch_x", changes, func(m *store.Match) any { return truth{&m.RematchX} }},
	column[store.Match]{"rematch_o", changes, func(m *store.Match) any { return truth{&m.RematchO} }},
	column[store.Match]{"rematch_declined", changes, func(m *store.Match) any { return numberAt(&m.RematchDeclined) }},
	column[store.Match]{"next", changes, func(m *store.Match) any { return numberAt(&m.Next) }},
	column[store.Match]{"best_of", changes, func(m *store.Match) any { return numberAt(&m.BestOf) }},
	column[store.Match]{"goes_on", changes, func(m *store.Match) any { return truth{&m.GoesOn} }},
	column[store.Match]{"version", version, func(m *store.Match) any { return numberAt(&m.Version) }},
	column[store.Match]{"created", stays, func(m *store.Match) any { return moment{&m.Created} }},
	column[store.Match]{"updated", changes, func(m *store.Match) any { return moment{&m.Updated} }},
)

// domainOf is the clock domain of the guild.
func domainOf(guild store.GuildID) from {
	return func() driver.Value { return int64(guild.Domain()) }
}

// challenges is the table of challenges.
var challenges = newTable("challenges",
	column[store.Challenge]{"id", key, func(c *store.Challenge) any { return numberAt(&c.ID) }},
	column[store.Challenge]{"guild", changes, func(c *store.Challenge) any { return textAt(&c.Guild) }},
	column[store.Challenge]{"domain", derived, func(c *store.Challenge) any { return domainOf(c.Guild) }},
	column[store.Challenge]{"channel", changes, func(c *store.Challenge) any { return textAt(&c.Channel) }},
	column[store.Challenge]{"message", stays, func(c *store.Challenge) any { return textAt(&c.Message) }},
	column[store.Challenge]{"drawn", stays, func(c *store.Challenge) any { return numberAt(&c.Drawn) }},
	column[store.Challenge]{"challenger", changes, func(c *store.Challenge) any { return textAt(&c.Challenger) }},
	column[store.Challenge]{"opponent", changes, func(c *store.Challenge) any { return textAt(&c.Opponent) }},
	column[store.Challenge]{"low_user", derived, func(c *store.Challenge) any {
		return from(func() driver.Value { low, _ := pair(c.Challenger, c.Opponent); return low })
	}},
	column[store.Challenge]{"high_user", derived, func(c *store.Challenge) any {
		return from(func() driver.Value { _, high := pair(c.Challenger, c.Opponent); return high })
	}},
	column[store.Challenge]{"m", changes, func(c *store.Challenge) any { return numberAt(&c.Rules.M) }},
	column[store.Challenge]{"n", changes, func(c *store.Challenge) any { return numberAt(&c.Rules.N) }},
	column[store.Challenge]{"k", changes, func(c *store.Challenge) any { return numberAt(&c.Rules.K) }},
	column[store.Challenge]{"mark_limit", changes, func(c *store.Challenge) any { return numberAt(&c.Rules.Limit) }},
	column[store.Challenge]{"first", changes, func(c *store.Challenge) any { return numberAt(&c.First) }},
	column[store.Challenge]{"clock", changes, func(c *store.Challenge) any { return numberAt(&c.Clock) }},
	column[store.Challenge]{"best_of", changes, func(c *store.Challenge) any { return numberAt(&c.BestOf) }},
	column[store.Challenge]{"locale", changes, func(c *store.Challenge) any { return textAt(&c.Locale) }},
	column[store.Challenge]{"guild_locale", changes, func(c *store.Challenge) any { return textAt(&c.GuildLocale) }},
	column[store.Challenge]{"opponent_locale", changes, func(c *store.Challenge) any { return textAt(&c.OpponentLocale) }},
	column[store.Challenge]{"crown", changes, func(c *store.Challenge) any { return textAt(&c.Crown) }},
	column[store.Challenge]{"quiet", changes, func(c *store.Challenge) any { return truth{&c.Quiet} }},
	column[store.Challenge]{"state", changes, func(c *store.Challenge) any { return numberAt(&c.State) }},
	column[store.Challenge]{"match", changes, func(c *store.Challenge) any { return numberAt(&c.Match) }},
	column[store.Challenge]{"next", changes, func(c *store.Challenge) any { return numberAt(&c.Next) }},
	column[store.Challenge]{"deadline", changes, func(c *store.Challenge) any { return numberAt(&c.Deadline) }},
	column[store.Challenge]{"token_only", changes, func(c *store.Challenge) any { return truth{&c.TokenOnly} }},
	column[store.Challenge]{"in_group", changes, func(c *store.Challenge) any { return truth{&c.InGroup} }},
	column[store.Challenge]{"version", version, func(c *store.Challenge) any { return numberAt(&c.Version) }},
	column[store.Challenge]{"created", stays, func(c *store.Challenge) any { return moment{&c.Created} }},
	column[store.Challenge]{"updated", changes, func(c *store.Challenge) any { return moment{&c.Updated} }},
)

// pair returns the two in the order in which their pair is stored.
func pair(a, b store.UserID) (low, high string) {
	return string(min(a, b)), string(max(a, b))
}

// guilds is the table of what guilds have set.
var guilds = newTable("guilds",
	column[store.GuildSettings]{"id", key, func(g *store.GuildSettings) any { return textAt(&g.Guild) }},
	column[store.GuildSettings]{"clock", changes, func(g *store.GuildSettings) any { return limit{&g.Clock} }},
	column[store.GuildSettings]{"locale", changes, func(g *store.GuildSettings) any { return textAt(&g.Locale) }},
	column[store.GuildSettings]{"places", changes, func(g *store.GuildSettings) any { return numberAt(&g.Places) }},
	column[store.GuildSettings]{"threads", changes, func(g *store.GuildSettings) any { return numberAt(&g.Threads) }},
	column[store.GuildSettings]{"reminders", changes, func(g *store.GuildSettings) any { return numberAt(&g.Reminders) }},
	column[store.GuildSettings]{"leaderboard", changes, func(g *store.GuildSettings) any { return numberAt(&g.Leaderboard) }},
	column[store.GuildSettings]{"crowns", changes, func(g *store.GuildSettings) any { return numberAt(&g.Crowns) }},
	column[store.GuildSettings]{"board", changes, func(g *store.GuildSettings) any { return textAt(&g.Board) }},
	column[store.GuildSettings]{"opponent", changes, func(g *store.GuildSettings) any { return textAt(&g.Opponent) }},
	column[store.GuildSettings]{"marks", changes, func(g *store.GuildSettings) any { return numberAt(&g.Marks) }},
	column[store.GuildSettings]{"no_hints_since", changes, func(g *store.GuildSettings) any { return since{&g.NoHintsSince, 1} }},
	column[store.GuildSettings]{"puzzle_channel", changes, func(g *store.GuildSettings) any { return textAt(&g.Puzzle.Channel) }},
	column[store.GuildSettings]{"puzzle_hour", changes, func(g *store.GuildSettings) any { return numberAt(&g.Puzzle.Hour) }},
	column[store.GuildSettings]{"puzzle_role", changes, func(g *store.GuildSettings) any { return textAt(&g.Puzzle.Role) }},
	column[store.GuildSettings]{"puzzle_due", changes, func(g *store.GuildSettings) any { return since{&g.Puzzle.Due, 1000} }},
	column[store.GuildSettings]{"puzzle_fault", changes, func(g *store.GuildSettings) any { return numberAt(&g.Puzzle.Fault) }},
	column[store.GuildSettings]{"puzzle_counted", changes, func(g *store.GuildSettings) any { return numberAt(&g.Puzzle.Counted) }},
	column[store.GuildSettings]{"puzzle_streak", changes, func(g *store.GuildSettings) any { return numberAt(&g.Puzzle.Streak) }},
	column[store.GuildSettings]{"puzzle_idle", changes, func(g *store.GuildSettings) any { return numberAt(&g.Puzzle.Idle) }},
	column[store.GuildSettings]{"stops_channel", changes, func(g *store.GuildSettings) any { return textAt(&g.Stops.Channel) }},
	column[store.GuildSettings]{"stops_fault", changes, func(g *store.GuildSettings) any { return numberAt(&g.Stops.Fault) }},
	column[store.GuildSettings]{"games_channel", changes, func(g *store.GuildSettings) any { return textAt(&g.Games) }},
	column[store.GuildSettings]{"version", version, func(g *store.GuildSettings) any { return numberAt(&g.Version) }},
)

// tries is the table of how people stand with the puzzles of days.
var tries = newTable("puzzle_tries",
	column[store.PuzzleTry]{"user_id", key, func(t *store.PuzzleTry) any { return textAt(&t.User) }},
	column[store.PuzzleTry]{"day", key, func(t *store.PuzzleTry) any { return numberAt(&t.Day) }},
	column[store.PuzzleTry]{"guild", changes, func(t *store.PuzzleTry) any { return textAt(&t.Guild) }},
	column[store.PuzzleTry]{"state", changes, func(t *store.PuzzleTry) any { return numberAt(&t.State) }},
	column[store.PuzzleTry]{"wrong", changes, func(t *store.PuzzleTry) any { return numberAt(&t.Wrong) }},
	column[store.PuzzleTry]{"moves", changes, func(t *store.PuzzleTry) any { return moves{&t.Moves} }},
	column[store.PuzzleTry]{"lost", changes, func(t *store.PuzzleTry) any { return truth{&t.Lost} }},
	column[store.PuzzleTry]{"cell_names", changes, func(t *store.PuzzleTry) any { return truth{&t.CellNames} }},
	column[store.PuzzleTry]{"as_list", changes, func(t *store.PuzzleTry) any { return truth{&t.AsList} }},
	column[store.PuzzleTry]{"shared", changes, func(t *store.PuzzleTry) any { return truth{&t.Shared} }},
	column[store.PuzzleTry]{"version", version, func(t *store.PuzzleTry) any { return numberAt(&t.Version) }},
)

// puzzlers is the table of how people solve puzzles.
var puzzlers = newTable("puzzlers",
	column[store.Puzzler]{"user_id", key, func(p *store.Puzzler) any { return textAt(&p.User) }},
	column[store.Puzzler]{"solved", changes, func(p *store.Puzzler) any { return numberAt(&p.Solved) }},
	column[store.Puzzler]{"streak", changes, func(p *store.Puzzler) any { return numberAt(&p.Streak) }},
	column[store.Puzzler]{"tries", changes, func(p *store.Puzzler) any { return numberAt(&p.Tries) }},
	column[store.Puzzler]{"best", changes, func(p *store.Puzzler) any { return numberAt(&p.Best) }},
	column[store.Puzzler]{"last", changes, func(p *store.Puzzler) any { return numberAt(&p.Last) }},
	column[store.Puzzler]{"excused", changes, func(p *store.Puzzler) any { return numberAt(&p.Excused) }},
	column[store.Puzzler]{"version", version, func(p *store.Puzzler) any { return numberAt(&p.Version) }},
)

// posts is the table of what people have posted.
var posts = newTable("posts",
	column[store.Post]{"id", key, func(p *store.Post) any { return textAt(&p.Key) }},
	column[store.Post]{"made", changes, func(p *store.Post) any { return moment{&p.At} }},
	column[store.Post]{"message", changes, func(p *store.Post) any { return textAt(&p.Message) }},
	column[store.Post]{"version", version, func(p *store.Post) any { return numberAt(&p.Version) }},
)

// people is the table of what people have set.
var people = newTable("people",
	column[store.Person]{"id", key, func(p *store.Person) any { return textAt(&p.User) }},
	column[store.Person]{"clock", changes, func(p *store.Person) any { return limit{&p.Clock} }},
	column[store.Person]{"locale", changes, func(p *store.Person) any { return textAt(&p.Locale) }},
	column[store.Person]{"reminders", changes, func(p *store.Person) any { return numberAt(&p.Reminders) }},
	column[store.Person]{"plays_by", changes, func(p *store.Person) any { return numberAt(&p.PlaysBy) }},
	column[store.Person]{"recap", changes, func(p *store.Person) any { return numberAt(&p.Recap) }},
	column[store.Person]{"crown_calls", changes, func(p *store.Person) any { return numberAt(&p.CrownCalls) }},
	column[store.Person]{"mark", changes, func(p *store.Person) any { return numberAt(&p.Mark) }},
	column[store.Person]{"version", version, func(p *store.Person) any { return numberAt(&p.Version) }},
)
