package sqlstore

// Plan is what is stored together: statements one after the other.
type Plan struct {
	Steps []Step
	// Alone says that nothing else may be stored in the same transaction: it locks rows in an
	// order of its own.
	Alone bool
}

// Step is a statement of a plan.
type Step struct {
	Query *Query
	Args  []any
	// Rows gets how many rows it affects, where somebody wants to know. It is to be read only
	// when the outcome of the plan is known.
	Rows *int64
}

func (p *Plan) add(q *Query, args ...any) { p.Steps = append(p.Steps, Step{Query: q, Args: args}) }

// Texts that backends make statements of.
const (
	MatchShown       = "SELECT version, message, drawn, notice, length(moves) FROM matches WHERE id = ?1"
	ChallengeShown   = "SELECT version, message, drawn, '', 0 FROM challenges WHERE id = ?1"
	MatchVersion     = "SELECT version FROM matches WHERE id = ?1"
	ChallengeVersion = "SELECT version FROM challenges WHERE id = ?1"
	GuildVersion     = "SELECT version FROM guilds WHERE id = ?1"
	PersonVersion    = "SELECT version FROM people WHERE id = ?1"
	TryVersion       = "SELECT version FROM puzzle_tries WHERE user_id = ?1 AND day = ?2"
	PuzzlerVersion   = "SELECT version FROM puzzlers WHERE user_id = ?1"
	PostVersion      = "SELECT version FROM posts WHERE id = ?1"

	TakeSeat   = "INSERT INTO seats (channel, user_id, guild, match) VALUES (?1, ?2, ?3, ?4)"
	LeaveSeats = "DELETE FROM seats WHERE match = ?1"
)
