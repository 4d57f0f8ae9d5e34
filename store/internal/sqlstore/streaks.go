package sqlstore

import "tictactoe/store"

// Who has solved puzzles in a guild stands in a row for each guild, with a copy of how their
// streak stands: the table of puzzlers has no guilds, and the index of this one the order of
// the leaderboard.
const (
	// PlaceSolver notes that a puzzle of the day was solved in the guild. A day that lies more
	// than one behind it was stored by a clock that was wrong.
	PlaceSolver = `INSERT INTO puzzle_standings (guild, user_id, day, last, excused, streak, tries)
		SELECT CAST(?1 AS text), CAST(?2 AS text), CAST(?3 AS bigint), coalesce(max(last), 0), coalesce(max(excused), 0), coalesce(max(streak), 0), coalesce(max(tries), 0)
		FROM puzzlers WHERE user_id = ?2
		ON CONFLICT (guild, user_id) DO UPDATE SET day = excluded.day WHERE puzzle_standings.day NOT BETWEEN excluded.day AND excluded.day + 1`
	// MoveSolver brings the rows of somebody up to date.
	MoveSolver = "UPDATE puzzle_standings SET last = ?2, excused = ?3, streak = ?4, tries = ?5 WHERE user_id = ?1"

	// Those of whom the last puzzle in the guild is of the day, with streaks that go on, and
	// who are still members.
	solvers = "guild = ?1 AND day = ?2 AND last BETWEEN ?3 AND ?4 AND excused <= ?5" + members
	members = " AND user_id NOT IN (SELECT user_id FROM absences WHERE guild = ?1)"
)

// MoveSolverArgs returns the arguments of MoveSolver.
func MoveSolverArgs(p store.Puzzler) []any {
	return []any{string(p.User), p.Last, p.Excused, int64(p.Streak), int64(p.Tries)}
}

// SolvedIn returns the arguments of PlaceSolver; ok is false for a try that places nobody.
func SolvedIn(t store.PuzzleTry) (args []any, ok bool) {
	return []any{string(t.Guild), string(t.User), t.Day}, t.State == store.PuzzleSolved && t.Guild != ""
}
