package sqlstore

import (
	"time"

	"tictactoe/store"
)

// The texts of the statements that every backend runs, apart from those that are made
// of the lists of columns. Arguments are written as SQLite does.

// Statements that read parts of records, and what belongs to a clock domain.
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
	Claimed          = "SELECT count(*) > 0 FROM claims WHERE interaction = ?1"
	Uptime           = "SELECT domain, elapsed FROM uptime"

	KeepSession = `INSERT INTO sessions (application, shard, count, token, id, url, sequence, kept) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
		ON CONFLICT (application, shard, count) DO UPDATE SET token = excluded.token, id = excluded.id, url = excluded.url,
		sequence = excluded.sequence, kept = excluded.kept`
	TakeSession = "DELETE FROM sessions WHERE application = ?1 AND shard = ?2 AND count = ?3 AND token = ?4 AND kept >= ?5 RETURNING id, url, sequence"
)

// NextDeadlines reads three minima for each domain. Each is the first entry of an index.
var NextDeadlines = `SELECT domain, (SELECT min(deadline) FROM matches WHERE domain = d.domain AND deadline > 0) FROM uptime AS d
	UNION ALL SELECT domain, (SELECT min(remind) FROM matches WHERE domain = d.domain AND remind > 0) FROM uptime AS d
	UNION ALL SELECT domain, (SELECT min(deadline) FROM challenges
	WHERE domain = d.domain AND ` + OpenChallenge + ` AND deadline > 0) FROM uptime AS d`

// Statements about the seats that people have in channels. A match takes seats when it is
// created, and leaves them when it ends.
const (
	TakeSeat   = "INSERT INTO seats (channel, user_id, guild, match) VALUES (?1, ?2, ?3, ?4)"
	LeaveSeats = "DELETE FROM seats WHERE match = ?1"
)

// Statements that delete up to so many of what is older.
var (
	PurgeClaims = `DELETE FROM claims WHERE interaction IN
		(SELECT interaction FROM claims WHERE claimed < ?1 ORDER BY claimed LIMIT ?2)`
	PurgePosts = `DELETE FROM posts WHERE id IN
		(SELECT id FROM posts WHERE made < ?1 ORDER BY made LIMIT ?2)`
	PurgeChallenges = `DELETE FROM challenges WHERE id IN
		(SELECT id FROM challenges WHERE ` + ClosedChallenge + ` AND updated < ?1 ORDER BY updated LIMIT ?2)`
)

// KeptSession returns the arguments of KeepSession.
func KeptSession(s store.Session, now time.Time) []any {
	return []any{string(s.Application), int64(s.Shard), int64(s.Count), s.Token, s.ID, s.URL, int64(s.Sequence), now.UnixMilli()}
}

// SessionOf returns the arguments of TakeSession.
func SessionOf(s store.Session, now time.Time) []any {
	return []any{string(s.Application), int64(s.Shard), int64(s.Count), s.Token, now.Add(-store.SessionStays).UnixMilli()}
}
