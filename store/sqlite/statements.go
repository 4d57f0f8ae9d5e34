package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// Every statement that an open Store runs, except those that begin and end
// transactions, is a field of one of the two types below and prepared once, so
// that their number is bounded. Their texts are listed by method texts, so that a
// test can ask SQLite how it would carry out each of them.

// writeStatements belong to the writer's connection.
type writeStatements struct {
	savepoint, rollbackTo, release *sql.Stmt

	claim                                              *sql.Stmt
	insertMatch, updateMatch, matchVersion             *sql.Stmt
	insertChallenge, updateChallenge, challengeVersion *sql.Stmt

	matchShown, noteMatch, challengeShown, noteChallenge *sql.Stmt

	saveUptime, check, purgeClaims, purgeChallenges *sql.Stmt
}

// readStatements belong to the readers' pool.
type readStatements struct {
	match, activeMatches, privateMatches, guildMatches *sql.Stmt
	dueMatches, undrawnMatches, clockedMatches         *sql.Stmt

	challenge, openChallenge, openChallenges, guildChallenges, dueChallenges *sql.Stmt

	nextDeadline, uptime, counts *sql.Stmt
}

// statement is the text of a statement and where it goes once prepared.
type statement struct {
	into **sql.Stmt
	text string
}

// texts lists the statements of s.
func (s *writeStatements) texts() []statement {
	return []statement{
		{&s.savepoint, "SAVEPOINT change"},
		{&s.rollbackTo, "ROLLBACK TO change"},
		{&s.release, "RELEASE change"},
		{&s.claim, "INSERT INTO claims (interaction, claimed) VALUES (?, ?) ON CONFLICT DO NOTHING"},
		{&s.insertMatch, insertMatchText},
		{&s.updateMatch, updateMatchText},
		{&s.matchVersion, "SELECT version FROM matches WHERE id = ?"},
		{&s.insertChallenge, insertChallengeText},
		{&s.updateChallenge, updateChallengeText},
		{&s.challengeVersion, "SELECT version FROM challenges WHERE id = ?"},
		{&s.matchShown, "SELECT message, drawn, notice FROM matches WHERE id = ?"},
		{&s.noteMatch, "UPDATE matches SET message = ?2, drawn = ?3, notice = ?4 WHERE id = ?1"},
		{&s.challengeShown, "SELECT message FROM challenges WHERE id = ?"},
		{&s.noteChallenge, "UPDATE challenges SET message = ?2 WHERE id = ?1"},
		{&s.saveUptime, "UPDATE uptime SET elapsed = ?1 WHERE only = 1 AND elapsed < ?1"},
		{&s.check, "UPDATE uptime SET checks = checks + 1 WHERE only = 1"},
		{&s.purgeClaims, `DELETE FROM claims WHERE interaction IN
			(SELECT interaction FROM claims WHERE claimed < ?1 ORDER BY claimed LIMIT ?2)`},
		{&s.purgeChallenges, `DELETE FROM challenges WHERE id IN
			(SELECT id FROM challenges WHERE state <> 10 AND updated < ?1 ORDER BY updated LIMIT ?2)`},
	}
}

// texts lists the statements of s.
func (s *readStatements) texts() []statement {
	match := func(where string) string { return "SELECT " + matchColumns + " FROM matches WHERE " + where }
	challenge := func(where string) string { return "SELECT " + challengeColumns + " FROM challenges WHERE " + where }
	return []statement{
		{&s.match, match("id = ?")},
		{&s.activeMatches, match("state = 10 AND place > 0 AND channel = ? ORDER BY place")},
		{&s.privateMatches, "SELECT * FROM (" +
			match("state = 10 AND place = 0 AND channel = ?1 AND x_user = ?2") + " UNION ALL " +
			match("state = 10 AND place = 0 AND channel = ?1 AND o_user = ?2") + ") ORDER BY created DESC, id DESC"},
		{&s.guildMatches, match("state = 10 AND guild = ? AND id > ? ORDER BY id LIMIT ?")},
		{&s.dueMatches, match("deadline > 0 AND deadline <= ? ORDER BY deadline LIMIT ?")},
		{&s.undrawnMatches, match("drawn < version AND id > ? AND updated >= ? ORDER BY id LIMIT ?")},
		{&s.clockedMatches, match("state = 10 AND clock > 0 AND x_user <> '' AND o_user <> '' AND id > ? ORDER BY id LIMIT ?")},

		{&s.challenge, challenge("id = ?")},
		{&s.openChallenge, challenge("state = 10 AND guild = ? AND low_user = ? AND high_user = ?")},
		{&s.openChallenges, challenge("state = 10 AND id > ? ORDER BY id LIMIT ?")},
		{&s.guildChallenges, challenge("state = 10 AND guild = ? AND id > ? ORDER BY id LIMIT ?")},
		{&s.dueChallenges, challenge("state = 10 AND deadline > 0 AND deadline <= ? ORDER BY deadline LIMIT ?")},

		{&s.nextDeadline, `SELECT min(at) FROM (
			SELECT min(deadline) AS at FROM matches WHERE deadline > 0
			UNION ALL SELECT min(deadline) FROM challenges WHERE state = 10 AND deadline > 0)`},
		{&s.uptime, "SELECT elapsed FROM uptime WHERE only = 1"},
		{&s.counts, `SELECT (SELECT count(*) FROM matches WHERE state = 10),
			(SELECT count(*) FROM challenges WHERE state = 10)`},
	}
}

// preparer is a database or a connection.
type preparer interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

func prepareWrites(ctx context.Context, conn *sql.Conn) (*writeStatements, error) {
	s := new(writeStatements)
	return s, prepare(ctx, conn, s.texts())
}

func prepareReads(ctx context.Context, db *sql.DB) (*readStatements, error) {
	s := new(readStatements)
	return s, prepare(ctx, db, s.texts())
}

// prepare prepares all of the statements, or none and returns why.
func prepare(ctx context.Context, on preparer, all []statement) error {
	for i, st := range all {
		stmt, err := on.PrepareContext(ctx, st.text) //nolint:sqlclosecheck // kept; closed by close
		if err != nil {
			closeStatements(all[:i])
			return fmt.Errorf("prepare %q: %w", st.text, err)
		}
		*st.into = stmt
	}
	return nil
}

func closeStatements(all []statement) {
	for _, st := range all {
		_ = (*st.into).Close() // frees memory, cannot fail in a way that matters
	}
}

func (s *writeStatements) close() { closeStatements(s.texts()) }
