package sqlstore

import (
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
var matches = newTable("matches", func(m *store.Match) []column {
	domain := m.Guild.Domain()
	return []column{
		{"id", key, numberAt(&m.ID)},
		{"guild", same, textAt(&m.Guild)},
		{"domain", derived, numberAt(&domain)},
		{"channel", same, textAt(&m.Channel)},
		{"thread", same, textAt(&m.Thread)},
		{"place", same, numberAt(&m.Place)},
		{"message", stays, textAt(&m.Message)},
		{"drawn", stays, numberAt(&m.Drawn)},
		{"notice", stays, textAt(&m.Notice)},
		{"m", same, numberAt(&m.Rules.M)},
		{"n", same, numberAt(&m.Rules.N)},
		{"k", same, numberAt(&m.Rules.K)},
		{"mark_limit", same, numberAt(&m.Rules.Limit)},
		{"x_user", same, textAt(&m.X.User)},
		{"x_opponent", same, textAt(&m.X.Opponent)},
		{"o_user", same, textAt(&m.O.User)},
		{"o_opponent", same, textAt(&m.O.Opponent)},
		{"moves", grows, moves{&m.Moves}},
		{"given", same, numberAt(&m.Given)},
		{"state", result, numberAt(&m.State)},
		{"end_reason", result, numberAt(&m.EndReason)},
		{"winner", result, numberAt(&m.Winner)},
		{"ended_by", result, textAt(&m.EndedBy)},
		{"verdict", once, numberAt(&m.Verdict.Kind)},
		{"verdict_ply", once, numberAt(&m.Verdict.Ply)},
		{"verdict_cell", once, numberAt(&m.Verdict.Cell)},
		{"gain_points", changes, numberAt(&m.Gain.Points)},
		{"gain_place", changes, numberAt(&m.Gain.Place)},
		{"gain_streak", changes, numberAt(&m.Gain.Streak)},
		{"gain_honours", changes, numberAt(&m.Gain.Honours)},
		{"gain_crown", changes, numberAt(&m.Gain.Crown)},
		{"gain_throne", changes, bit{&m.Gain.Throne}},
		{"clock", changes, numberAt(&m.Clock)},
		{"deadline", changes, numberAt(&m.Deadline)},
		{"remind", changes, numberAt(&m.Remind)},
		{"rematch_told", changes, truth{&m.RematchTold}},
		{"token_only", changes, truth{&m.TokenOnly}},
		{"hinted", changes, truth{&m.Hinted}},
		{"hint_ply", changes, numberAt(&m.HintPly)},
		{"grid_stands", changes, truth{&m.GridStands}},
		{"marks", changes, numberAt(&m.Marks)},
		{"locale", changes, textAt(&m.Locale)},
		{"series_x", changes, numberAt(&m.Series.X)},
		{"series_o", changes, numberAt(&m.Series.O)},
		{"series_d", changes, numberAt(&m.Series.Draws)},
		{"lost", changes, numberAt(&m.Lost)},
		{"rematch_x", changes, truth{&m.RematchX}},
		{"rematch_o", changes, truth{&m.RematchO}},
		{"rematch_declined", changes, numberAt(&m.RematchDeclined)},
		{"next", changes, numberAt(&m.Next)},
		{"best_of", changes, numberAt(&m.BestOf)},
		{"goes_on", changes, truth{&m.GoesOn}},
		{"version", version, numberAt(&m.Version)},
		{"created", stays, moment{&m.Created}},
		{"updated", changes, moment{&m.Updated}},
	}
})

// challenges is the table of challenges.
var challenges = newTable("challenges", func(c *store.Challenge) []column {
	domain := c.Guild.Domain()
	low, high := pair(c.Challenger, c.Opponent)
	return []column{
		{"id", key, numberAt(&c.ID)},
		{"guild", changes, textAt(&c.Guild)},
		{"domain", derived, numberAt(&domain)},
		{"channel", changes, textAt(&c.Channel)},
		{"message", stays, textAt(&c.Message)},
		{"drawn", stays, numberAt(&c.Drawn)},
		{"challenger", changes, textAt(&c.Challenger)},
		{"opponent", changes, textAt(&c.Opponent)},
		{"low_user", derived, textAt(&low)},
		{"high_user", derived, textAt(&high)},
		{"m", changes, numberAt(&c.Rules.M)},
		{"n", changes, numberAt(&c.Rules.N)},
		{"k", changes, numberAt(&c.Rules.K)},
		{"mark_limit", changes, numberAt(&c.Rules.Limit)},
		{"first", changes, numberAt(&c.First)},
		{"clock", changes, numberAt(&c.Clock)},
		{"best_of", changes, numberAt(&c.BestOf)},
		{"locale", changes, textAt(&c.Locale)},
		{"guild_locale", changes, textAt(&c.GuildLocale)},
		{"opponent_locale", changes, textAt(&c.OpponentLocale)},
		{"crown", changes, textAt(&c.Crown)},
		{"quiet", changes, truth{&c.Quiet}},
		{"state", changes, numberAt(&c.State)},
		{"match", changes, numberAt(&c.Match)},
		{"next", changes, numberAt(&c.Next)},
		{"deadline", changes, numberAt(&c.Deadline)},
		{"token_only", changes, truth{&c.TokenOnly}},
		{"in_group", changes, truth{&c.InGroup}},
		{"version", version, numberAt(&c.Version)},
		{"created", stays, moment{&c.Created}},
		{"updated", changes, moment{&c.Updated}},
	}
})

// pair returns the two in the order in which their pair is stored.
func pair(a, b store.UserID) (low, high string) {
	return string(min(a, b)), string(max(a, b))
}

// guilds is the table of what guilds have set.
var guilds = newTable("guilds", func(g *store.GuildSettings) []column {
	return []column{
		{"id", key, textAt(&g.Guild)},
		{"clock", changes, limit{&g.Clock}},
		{"locale", changes, textAt(&g.Locale)},
		{"places", changes, numberAt(&g.Places)},
		{"threads", changes, numberAt(&g.Threads)},
		{"reminders", changes, numberAt(&g.Reminders)},
		{"leaderboard", changes, numberAt(&g.Leaderboard)},
		{"crowns", changes, numberAt(&g.Crowns)},
		{"board", changes, textAt(&g.Board)},
		{"opponent", changes, textAt(&g.Opponent)},
		{"marks", changes, numberAt(&g.Marks)},
		{"no_hints_since", changes, since{&g.NoHintsSince, 1}},
		{"puzzle_channel", changes, textAt(&g.Puzzle.Channel)},
		{"puzzle_hour", changes, numberAt(&g.Puzzle.Hour)},
		{"puzzle_role", changes, textAt(&g.Puzzle.Role)},
		{"puzzle_due", changes, since{&g.Puzzle.Due, 1000}},
		{"puzzle_fault", changes, numberAt(&g.Puzzle.Fault)},
		{"puzzle_counted", changes, numberAt(&g.Puzzle.Counted)},
		{"puzzle_streak", changes, numberAt(&g.Puzzle.Streak)},
		{"puzzle_idle", changes, numberAt(&g.Puzzle.Idle)},
		{"stops_channel", changes, textAt(&g.Stops.Channel)},
		{"stops_fault", changes, numberAt(&g.Stops.Fault)},
		{"games_channel", changes, textAt(&g.Games)},
		{"version", version, numberAt(&g.Version)},
	}
})

// tries is the table of how people stand with the puzzles of days.
var tries = newTable("puzzle_tries", func(t *store.PuzzleTry) []column {
	return []column{
		{"user_id", key, textAt(&t.User)},
		{"day", key, numberAt(&t.Day)},
		{"guild", changes, textAt(&t.Guild)},
		{"state", changes, numberAt(&t.State)},
		{"wrong", changes, numberAt(&t.Wrong)},
		{"moves", changes, moves{&t.Moves}},
		{"lost", changes, truth{&t.Lost}},
		{"cell_names", changes, truth{&t.CellNames}},
		{"as_list", changes, truth{&t.AsList}},
		{"shared", changes, truth{&t.Shared}},
		{"version", version, numberAt(&t.Version)},
	}
})

// puzzlers is the table of how people solve puzzles.
var puzzlers = newTable("puzzlers", func(p *store.Puzzler) []column {
	return []column{
		{"user_id", key, textAt(&p.User)},
		{"solved", changes, numberAt(&p.Solved)},
		{"streak", changes, numberAt(&p.Streak)},
		{"tries", changes, numberAt(&p.Tries)},
		{"best", changes, numberAt(&p.Best)},
		{"last", changes, numberAt(&p.Last)},
		{"excused", changes, numberAt(&p.Excused)},
		{"version", version, numberAt(&p.Version)},
	}
})

// posts is the table of what people have posted.
var posts = newTable("posts", func(p *store.Post) []column {
	return []column{
		{"id", key, textAt(&p.Key)},
		{"made", changes, moment{&p.At}},
		{"message", changes, textAt(&p.Message)},
		{"version", version, numberAt(&p.Version)},
	}
})

// people is the table of what people have set.
var people = newTable("people", func(p *store.Person) []column {
	return []column{
		{"id", key, textAt(&p.User)},
		{"clock", changes, limit{&p.Clock}},
		{"locale", changes, textAt(&p.Locale)},
		{"reminders", changes, numberAt(&p.Reminders)},
		{"plays_by", changes, numberAt(&p.PlaysBy)},
		{"recap", changes, numberAt(&p.Recap)},
		{"crown_calls", changes, numberAt(&p.CrownCalls)},
		{"mark", changes, numberAt(&p.Mark)},
		{"version", version, numberAt(&p.Version)},
	}
})
