package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

// Every statement that an open Store runs, except those that begin and end
// transactions, is a field of one of the two types below and prepared once, so
// that their number is bounded. Their texts are listed by method texts, so that a
// test can ask SQLite how it would carry out each of them.

// writeStatements belong to the writer's connection.
type writeStatements struct {
	conn *sql.Conn
	key  table.Key

	savepoint, rollbackTo, release *sql.Stmt

	claim                                              *sql.Stmt
	insertMatch, updateMatch, moveMatch, matchVersion  *sql.Stmt
	takeSeat, leaveSeats                               *sql.Stmt
	insertChallenge, updateChallenge, challengeVersion *sql.Stmt
	guild, person, try, puzzler, post                  settingStatements

	matchShown, deliverMatch, challengeShown, deliverChallenge *sql.Stmt

	block, unblock, blocked, erasing *sql.Stmt

	insertResult, backAgain, leave, pastTo, beginEpoch *sql.Stmt
	addResult                                          []*sql.Stmt // for each of table.Sums

	placeSolver, moveSolver *sql.Stmt

	see, miss, forget *sql.Stmt

	keepSession, takeSession                                      *sql.Stmt
	saveUptime, written, purgeClaims, purgePosts, purgeChallenges *sql.Stmt
}

// readStatements belong to the readers' pool.
type readStatements struct {
	match, matchShown, activeMatches, guildMatches *sql.Stmt
	messageMatch                                   *sql.Stmt
	seatedMatches                                  *sql.Stmt
	privateMatches, privateMatchesIn               *sql.Stmt
	dueMatches, undrawnMatches, dueReminders       *sql.Stmt

	challenge, challengeShown, openChallenge *sql.Stmt
	guildChallenges, dueChallenges           *sql.Stmt

	guild, person, post   *sql.Stmt
	try, puzzler, solvers *sql.Stmt
	duePuzzles            *sql.Stmt

	bestStreaks, betterStreaks, streakHere *sql.Stmt

	blocks, blocked, declined *sql.Stmt

	erasures, erasing, openMatches, challengesOf *sql.Stmt
	unused, departures                           *sql.Stmt
	kept                                         []*sql.Stmt // for each of store.KeptParts the first rows and the next

	result, pastMatches, lastResults           *sql.Stmt
	tallies, honours, streak, toughest, versus *sql.Stmt
	standings, standing, above                 *sql.Stmt

	nextDeadlines, uptime, claimed *sql.Stmt
}

// statement is the text of a statement and where it goes once prepared.
type statement struct {
	into **sql.Stmt
	text string
}

// texts lists the statements of s.
func (s *writeStatements) texts() []statement {
	all := []statement{
		{&s.savepoint, "SAVEPOINT change"},
		{&s.rollbackTo, "ROLLBACK TO change"},
		{&s.release, "RELEASE change"},
		{&s.claim, "INSERT INTO claims (interaction, claimed) VALUES (?, ?) ON CONFLICT DO NOTHING"},
		{&s.insertMatch, table.Matches.Insert(table.SQLite)},
		{&s.updateMatch, table.Matches.Update(table.SQLite)},
		{&s.moveMatch, table.Matches.UpdateOnly(table.SQLite, table.ActiveMatch, "moves", "deadline", "remind", "updated")},
		{&s.matchVersion, table.MatchVersion},
		{&s.takeSeat, table.TakeSeat},
		{&s.leaveSeats, table.LeaveSeats},
		{&s.insertChallenge, table.Challenges.Insert(table.SQLite)},
		{&s.updateChallenge, table.Challenges.Update(table.SQLite)},
		{&s.challengeVersion, table.ChallengeVersion},
		{&s.guild.insert, table.Guilds.Insert(table.SQLite)},
		{&s.guild.update, table.Guilds.Update(table.SQLite)},
		{&s.guild.version, table.GuildVersion},
		{&s.person.insert, table.People.Insert(table.SQLite)},
		{&s.person.update, table.People.Update(table.SQLite)},
		{&s.person.version, table.PersonVersion},
		{&s.try.insert, table.Tries.Insert(table.SQLite)},
		{&s.try.update, table.Tries.Update(table.SQLite)},
		{&s.try.version, table.TryVersion},
		{&s.puzzler.insert, table.Puzzlers.Insert(table.SQLite)},
		{&s.puzzler.update, table.Puzzlers.Update(table.SQLite)},
		{&s.puzzler.version, table.PuzzlerVersion},
		{&s.post.insert, table.Posts.Insert(table.SQLite)},
		{&s.post.update, table.Posts.Update(table.SQLite)},
		{&s.post.version, table.PostVersion},
		{&s.placeSolver, table.PlaceSolver},
		{&s.moveSolver, table.MoveSolver},
		{&s.matchShown, table.MatchShown},
		{&s.deliverMatch, "UPDATE matches SET message = ?2, drawn = ?3, notice = ?4 WHERE id = ?1"},
		{&s.challengeShown, table.ChallengeShown},
		{&s.deliverChallenge, "UPDATE challenges SET message = ?2, drawn = ?3 WHERE id = ?1"},
		{&s.keepSession, table.KeepSession},
		{&s.takeSession, table.TakeSession},
		{&s.saveUptime, "UPDATE uptime SET elapsed = ?2 WHERE domain = ?1 AND elapsed < ?2"},
		{&s.written, "UPDATE file SET written = ? WHERE only = 1"},
		{&s.purgeClaims, table.PurgeClaims},
		{&s.purgePosts, table.PurgePosts},
		{&s.purgeChallenges, table.PurgeChallenges},
		{&s.block, table.Block},
		{&s.unblock, table.Unblock},
		{&s.blocked, table.Blocked},
		{&s.erasing, table.Erasing},
		{&s.see, table.See},
		{&s.miss, table.Miss},
		{&s.forget, table.Forget},
		{&s.insertResult, table.InsertResult},
		{&s.backAgain, table.Return},
		{&s.leave, table.Leave},
		{&s.pastTo, table.PastTo},
		{&s.beginEpoch, table.BeginEpoch},
	}
	if s.addResult == nil {
		s.addResult = make([]*sql.Stmt, len(table.Sums))
	}
	for i, sum := range table.Sums {
		all = append(all, statement{&s.addResult[i], sum.Add()})
	}
	return all
}

// texts lists the statements of s.
func (s *readStatements) texts() []statement {
	all := []statement{
		{&s.match, table.Match},
		{&s.matchShown, table.MatchShown},
		{&s.messageMatch, table.MessageMatch},
		{&s.activeMatches, table.ActiveMatches},
		{&s.seatedMatches, table.SeatedMatches},
		{&s.privateMatches, table.PrivateMatches},
		{&s.privateMatchesIn, table.PrivateMatchesIn},
		{&s.guildMatches, table.GuildMatches},
		{&s.dueMatches, table.DueMatches},
		{&s.dueReminders, table.DueReminders},
		{&s.undrawnMatches, table.UndrawnMatches},

		{&s.challenge, table.Challenge},
		{&s.challengeShown, table.ChallengeShown},
		{&s.openChallenge, table.OpenChallengeOf},
		{&s.guildChallenges, table.GuildChallenges},
		{&s.dueChallenges, table.DueChallenges},

		{&s.guild, table.Guild},
		{&s.person, table.Person},
		{&s.post, table.PostOf},
		{&s.try, table.Try},
		{&s.puzzler, table.PuzzlerOf},
		{&s.solvers, table.Solvers},
		{&s.duePuzzles, table.DuePuzzles},
		{&s.bestStreaks, table.BestStreaks},
		{&s.betterStreaks, table.BetterStreaks},
		{&s.streakHere, table.StreakHere},

		{&s.blocks, table.Blocks},
		{&s.blocked, table.Blocked},
		{&s.declined, table.Declined},

		{&s.erasures, table.Erasures},
		{&s.erasing, table.Erasing},
		{&s.openMatches, table.OpenMatches},
		{&s.challengesOf, table.ChallengesOf},

		{&s.unused, table.Unused},
		{&s.departures, table.Departures},

		{&s.result, table.Result},
		{&s.pastMatches, table.PastMatches},
		{&s.lastResults, table.LastResults},
		{&s.tallies, table.Tallies},
		{&s.honours, table.Honours},
		{&s.streak, table.Streak},
		{&s.toughest, table.Toughest},
		{&s.versus, table.Versus},
		{&s.standings, table.Standings},
		{&s.standing, table.Standing},
		{&s.above, table.Above},

		{&s.nextDeadlines, table.NextDeadlines},
		{&s.uptime, table.Uptime},
		{&s.claimed, table.Claimed},
	}
	if s.kept == nil {
		s.kept = make([]*sql.Stmt, 2*len(store.KeptParts))
	}
	for i, k := range store.KeptParts {
		all = append(all, statement{&s.kept[2*i], table.KeptFirst(k)}, statement{&s.kept[2*i+1], table.KeptNext(k)})
	}
	return all
}

// preparer is a database or a connection.
type preparer interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

func prepareWrites(ctx context.Context, conn *sql.Conn, key table.Key) (*writeStatements, error) {
	s := &writeStatements{conn: conn, key: key}
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
