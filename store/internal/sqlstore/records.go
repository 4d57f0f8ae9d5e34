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
var matches = newTable("matches", func(m *store.Match, column columns) {
	domain := m.Guild.Domain()
	column("id", key, numberAt(&m.ID))
	column("guild", same, textAt(&m.Guild))
	column("domain", changes, numberAt(&domain))
	column("channel", same, textAt(&m.Channel))
	column("thread", same, textAt(&m.Thread))
	column("place", same, numberAt(&m.Place))
	column("message", stays, textAt(&m.Message))
	column("drawn", stays, numberAt(&m.Drawn))
	column("notice", stays, textAt(&m.Notice))
	column("m", same, numberAt(&m.Rules.M))
	column("n", same, numberAt(&m.Rules.N))
	column("k", same, numberAt(&m.Rules.K))
	column("mark_limit", same, numberAt(&m.Rules.Limit))
	column("x_user", same, textAt(&m.X.User))
	column("x_opponent", same, textAt(&m.X.Opponent))
	column("o_user", same, textAt(&m.O.User))
	column("o_opponent", same, textAt(&m.O.Opponent))
	column("moves", grows, moves{&m.Moves})
	column("given", same, numberAt(&m.Given))
	column("state", result, numberAt(&m.State))
	column("end_reason", result, numberAt(&m.EndReason))
	column("winner", result, numberAt(&m.Winner))
	column("ended_by", result, textAt(&m.EndedBy))
	column("verdict", once, numberAt(&m.Verdict.Kind))
	column("verdict_ply", once, numberAt(&m.Verdict.Ply))
	column("verdict_cell", once, numberAt(&m.Verdict.Cell))
	column("gain_points", changes, numberAt(&m.Gain.Points))
	column("gain_place", changes, numberAt(&m.Gain.Place))
	column("gain_streak", changes, numberAt(&m.Gain.Streak))
	column("gain_honours", changes, numberAt(&m.Gain.Honours))
	column("gain_crown", changes, numberAt(&m.Gain.Crown))
	column("gain_throne", changes, bit{&m.Gain.Throne})
	column("clock", changes, numberAt(&m.Clock))
	column("deadline", changes, numberAt(&m.Deadline))
	column("remind", changes, numberAt(&m.Remind))
	column("rematch_told", changes, truth{&m.RematchTold})
	column("token_only", changes, truth{&m.TokenOnly})
	column("hinted", changes, truth{&m.Hinted})
	column("hint_ply", changes, numberAt(&m.HintPly))
	column("grid_stands", changes, truth{&m.GridStands})
	column("marks", changes, numberAt(&m.Marks))
	column("locale", changes, textAt(&m.Locale))
	column("series_x", changes, numberAt(&m.Series.X))
	column("series_o", changes, numberAt(&m.Series.O))
	column("series_d", changes, numberAt(&m.Series.Draws))
	column("lost", changes, numberAt(&m.Lost))
	column("rematch_x", changes, truth{&m.RematchX})
	column("rematch_o", changes, truth{&m.RematchO})
	column("rematch_declined", changes, numberAt(&m.RematchDeclined))
	column("next", changes, numberAt(&m.Next))
	column("best_of", changes, numberAt(&m.BestOf))
	column("goes_on", changes, truth{&m.GoesOn})
	column("version", version, numberAt(&m.Version))
	column("created", stays, moment{&m.Created})
	column("updated", changes, moment{&m.Updated})
})

// challenges is the table of challenges.
var challenges = newTable("challenges", func(c *store.Challenge, column columns) {
	domain := c.Guild.Domain()
	low, high := pair(c.Challenger, c.Opponent)
	column("id", key, numberAt(&c.ID))
	column("guild", changes, textAt(&c.Guild))
	column("domain", changes, numberAt(&domain))
	column("channel", changes, textAt(&c.Channel))
	column("message", stays, textAt(&c.Message))
	column("drawn", stays, numberAt(&c.Drawn))
	column("challenger", changes, textAt(&c.Challenger))
	column("opponent", changes, textAt(&c.Opponent))
	column("low_user", changes, textAt(&low))
	column("high_user", changes, textAt(&high))
	column("m", changes, numberAt(&c.Rules.M))
	column("n", changes, numberAt(&c.Rules.N))
	column("k", changes, numberAt(&c.Rules.K))
	column("mark_limit", changes, numberAt(&c.Rules.Limit))
	column("first", changes, numberAt(&c.First))
	column("clock", changes, numberAt(&c.Clock))
	column("best_of", changes, numberAt(&c.BestOf))
	column("locale", changes, textAt(&c.Locale))
	column("guild_locale", changes, textAt(&c.GuildLocale))
	column("opponent_locale", changes, textAt(&c.OpponentLocale))
	column("crown", changes, textAt(&c.Crown))
	column("quiet", changes, truth{&c.Quiet})
	column("state", changes, numberAt(&c.State))
	column("match", changes, numberAt(&c.Match))
	column("next", changes, numberAt(&c.Next))
	column("deadline", changes, numberAt(&c.Deadline))
	column("token_only", changes, truth{&c.TokenOnly})
	column("in_group", changes, truth{&c.InGroup})
	column("version", version, numberAt(&c.Version))
	column("created", stays, moment{&c.Created})
	column("updated", changes, moment{&c.Updated})
})

// pair returns the two in the order in which their pair is stored.
func pair(a, b store.UserID) (low, high string) {
	return string(min(a, b)), string(max(a, b))
}

// guilds is the table of what guilds have set.
var guilds = newTable("guilds", func(g *store.GuildSettings, column columns) {
	column("id", key, textAt(&g.Guild))
	column("clock", changes, limit{&g.Clock})
	column("locale", changes, textAt(&g.Locale))
	column("places", changes, numberAt(&g.Places))
	column("threads", changes, numberAt(&g.Threads))
	column("reminders", changes, numberAt(&g.Reminders))
	column("leaderboard", changes, numberAt(&g.Leaderboard))
	column("crowns", changes, numberAt(&g.Crowns))
	column("board", changes, textAt(&g.Board))
	column("opponent", changes, textAt(&g.Opponent))
	column("marks", changes, numberAt(&g.Marks))
	column("no_hints_since", changes, since{&g.NoHintsSince, 1})
	column("puzzle_channel", changes, textAt(&g.Puzzle.Channel))
	column("puzzle_hour", changes, numberAt(&g.Puzzle.Hour))
	column("puzzle_role", changes, textAt(&g.Puzzle.Role))
	column("puzzle_due", changes, since{&g.Puzzle.Due, 1000})
	column("puzzle_fault", changes, numberAt(&g.Puzzle.Fault))
	column("puzzle_counted", changes, numberAt(&g.Puzzle.Counted))
	column("puzzle_streak", changes, numberAt(&g.Puzzle.Streak))
	column("puzzle_idle", changes, numberAt(&g.Puzzle.Idle))
	column("stops_channel", changes, textAt(&g.Stops.Channel))
	column("stops_fault", changes, numberAt(&g.Stops.Fault))
	column("games_channel", changes, textAt(&g.Games))
	column("version", version, numberAt(&g.Version))
})

// tries is the table of how people stand with the puzzles of days.
var tries = newTable("puzzle_tries", func(t *store.PuzzleTry, column columns) {
	column("user_id", key, textAt(&t.User))
	column("day", key, numberAt(&t.Day))
	column("guild", changes, textAt(&t.Guild))
	column("state", changes, numberAt(&t.State))
	column("wrong", changes, numberAt(&t.Wrong))
	column("moves", changes, moves{&t.Moves})
	column("lost", changes, truth{&t.Lost})
	column("cell_names", changes, truth{&t.CellNames})
	column("as_list", changes, truth{&t.AsList})
	column("shared", changes, truth{&t.Shared})
	column("version", version, numberAt(&t.Version))
})

// puzzlers is the table of how people solve puzzles.
var puzzlers = newTable("puzzlers", func(p *store.Puzzler, column columns) {
	column("user_id", key, textAt(&p.User))
	column("solved", changes, numberAt(&p.Solved))
	column("streak", changes, numberAt(&p.Streak))
	column("tries", changes, numberAt(&p.Tries))
	column("best", changes, numberAt(&p.Best))
	column("last", changes, numberAt(&p.Last))
	column("excused", changes, numberAt(&p.Excused))
	column("version", version, numberAt(&p.Version))
})

// posts is the table of what people have posted.
var posts = newTable("posts", func(p *store.Post, column columns) {
	column("id", key, textAt(&p.Key))
	column("made", changes, moment{&p.At})
	column("message", changes, textAt(&p.Message))
	column("version", version, numberAt(&p.Version))
})

// people is the table of what people have set.
var people = newTable("people", func(p *store.Person, column columns) {
	column("id", key, textAt(&p.User))
	column("clock", changes, limit{&p.Clock})
	column("locale", changes, textAt(&p.Locale))
	column("reminders", changes, numberAt(&p.Reminders))
	column("plays_by", changes, numberAt(&p.PlaysBy))
	column("recap", changes, numberAt(&p.Recap))
	column("crown_calls", changes, numberAt(&p.CrownCalls))
	column("mark", changes, numberAt(&p.Mark))
	column("version", version, numberAt(&p.Version))
})
