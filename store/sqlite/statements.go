package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"tictactoe/store/internal/sqlstore"
)

// Every statement that an open Store runs, except those that begin and end
// transactions, is a field of one of the two types below and prepared once, so
// that their number is bounded. Their texts are listed by method texts, so that a
// test can ask SQLite how it would carry out each of them.

// writeStatements belong to the writer's connection.
type writeStatements struct {
	prepared *prepared
	conn     *sql.Conn
	key      sqlstore.Key

	savepoint, rollbackTo, release *sql.Stmt

	claim                                              *sql.Stmt
	insertMatch, updateMatch, moveMatch, matchVersion  *sql.Stmt
	takeSeat, leaveSeats                               *sql.Stmt
	insertChallenge, updateChallenge, challengeVersion *sql.Stmt
	guild, person, try, puzzler, post                  settingStatements

	matchShown, deliverMatch, challengeShown, deliverChallenge *sql.Stmt

	block, unblock, blocked *sql.Stmt

	insertResult, backAgain, leave, pastTo, beginEpoch *sql.Stmt
	addResult                                          []*sql.Stmt // for each of sqlstore.Sums

	placeSolver, moveSolver *sql.Stmt
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
		{&s.insertMatch, sqlstore.Matches.Insert(sqlstore.SQLite)},
		{&s.updateMatch, sqlstore.Matches.Update(sqlstore.SQLite)},
		{&s.moveMatch, sqlstore.Matches.UpdateOnly(sqlstore.SQLite, sqlstore.ActiveMatch, "moves", "deadline", "remind", "updated")},
		{&s.matchVersion, sqlstore.MatchVersion},
		{&s.takeSeat, sqlstore.TakeSeat},
		{&s.leaveSeats, sqlstore.LeaveSeats},
		{&s.insertChallenge, sqlstore.Challenges.Insert(sqlstore.SQLite)},
		{&s.updateChallenge, sqlstore.Challenges.Update(sqlstore.SQLite)},
		{&s.challengeVersion, sqlstore.ChallengeVersion},
		{&s.guild.insert, sqlstore.Guilds.Insert(sqlstore.SQLite)},
		{&s.guild.update, sqlstore.Guilds.Update(sqlstore.SQLite)},
		{&s.guild.version, sqlstore.GuildVersion},
		{&s.person.insert, sqlstore.People.Insert(sqlstore.SQLite)},
		{&s.person.update, sqlstore.People.Update(sqlstore.SQLite)},
		{&s.person.version, sqlstore.PersonVersion},
		{&s.try.insert, sqlstore.Tries.Insert(sqlstore.SQLite)},
		{&s.try.update, sqlstore.Tries.Update(sqlstore.SQLite)},
		{&s.try.version, sqlstore.TryVersion},
		{&s.puzzler.insert, sqlstore.Puzzlers.Insert(sqlstore.SQLite)},
		{&s.puzzler.update, sqlstore.Puzzlers.Update(sqlstore.SQLite)},
		{&s.puzzler.version, sqlstore.PuzzlerVersion},
		{&s.post.insert, sqlstore.Posts.Insert(sqlstore.SQLite)},
		{&s.post.update, sqlstore.Posts.Update(sqlstore.SQLite)},
		{&s.post.version, sqlstore.PostVersion},
		{&s.placeSolver, sqlstore.PlaceSolver},
		{&s.moveSolver, sqlstore.MoveSolver},
		{&s.matchShown, sqlstore.MatchShown},
		{&s.deliverMatch, "UPDATE matches SET message = ?2, drawn = ?3, notice = ?4 WHERE id = ?1"},
		{&s.challengeShown, sqlstore.ChallengeShown},
		{&s.deliverChallenge, "UPDATE challenges SET message = ?2, drawn = ?3 WHERE id = ?1"},
		{&s.block, sqlstore.Block},
		{&s.unblock, sqlstore.Unblock},
		{&s.blocked, sqlstore.Blocked},
		{&s.insertResult, sqlstore.InsertResult},
		{&s.backAgain, sqlstore.Return},
		{&s.leave, sqlstore.Leave},
		{&s.pastTo, sqlstore.PastTo},
		{&s.beginEpoch, sqlstore.BeginEpoch},
	}
	if s.addResult == nil {
		s.addResult = make([]*sql.Stmt, len(sqlstore.Sums))
	}
	for i, sum := range sqlstore.Sums {
		all = append(all, statement{&s.addResult[i], sum.Add()})
	}
	return all
}

// preparer is a database or a connection.
type preparer interface {
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

func prepareWrites(ctx context.Context, conn *sql.Conn, key sqlstore.Key) (*writeStatements, error) {
	s := &writeStatements{prepared: newPrepared(conn), conn: conn, key: key}
	return s, prepare(ctx, conn, s.texts())
}

// prepared are queries that were prepared when they were first run.
type prepared struct {
	on  preparer
	mu  sync.Mutex
	all map[*sqlstore.Query]*sql.Stmt
}

func newPrepared(on preparer) *prepared {
	return &prepared{on: on, all: map[*sqlstore.Query]*sql.Stmt{}}
}

// get returns the statement of the query.
func (p *prepared) get(ctx context.Context, q *sqlstore.Query) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if stmt := p.all[q]; stmt != nil {
		return stmt, nil
	}
	stmt, err := p.on.PrepareContext(ctx, q.SQLite) //nolint:sqlclosecheck // kept
	if err != nil {
		return nil, fmt.Errorf("prepare %q: %w", q.SQLite, err)
	}
	p.all[q] = stmt
	return stmt, nil
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

func (s *writeStatements) close() {
	closeStatements(s.texts())
	for _, stmt := range s.prepared.all {
		_ = stmt.Close()
	}
}
