package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/engine"
	"tictactoe/store"
)

// matchColumns are the columns of a match in the order of scanMatch.
const matchColumns = `id, guild, channel, place, message, drawn, notice, m, n, k,
	x_user, x_opponent, o_user, o_opponent, moves, state, end_reason, winner, ended_by,
	clock, deadline, cell_names, locale, series_x, series_o, series_d,
	rematch_x, rematch_o, next, version, created, updated`

const insertMatchText = `INSERT INTO matches (` + matchColumns + `) VALUES (
	:id, :guild, :channel, :place, :message, :drawn, :notice, :m, :n, :k,
	:x_user, :x_opponent, :o_user, :o_opponent, :moves, :state, :end_reason, :winner, :ended_by,
	:clock, :deadline, :cell_names, :locale, :series_x, :series_o, :series_d,
	:rematch_x, :rematch_o, :next, 1, :created, :updated)`

// updateMatchText changes a match only over the version that was read, only if it
// adds to the moves, leaves the game and its players what they are, and, after
// the end, leaves the moves and the result as well.
const updateMatchText = `UPDATE matches SET
	channel = :channel, place = :place, moves = :moves,
	state = :state, end_reason = :end_reason, winner = :winner, ended_by = :ended_by,
	clock = :clock, deadline = :deadline, cell_names = :cell_names, locale = :locale,
	series_x = :series_x, series_o = :series_o, series_d = :series_d,
	rematch_x = :rematch_x, rematch_o = :rematch_o, next = :next,
	version = version + 1, updated = :updated
	WHERE id = :id AND version = :version
	AND guild = :guild AND m = :m AND n = :n AND k = :k
	AND x_user = :x_user AND x_opponent = :x_opponent AND o_user = :o_user AND o_opponent = :o_opponent
	AND (moves = x'' OR substr(:moves, 1, length(moves)) = moves) -- substr makes nothing of nothing
	AND (state = 10 OR (moves = :moves AND state = :state AND end_reason = :end_reason
		AND winner = :winner AND ended_by = :ended_by))`

// matchArgs are the arguments of the two statements.
func matchArgs(m store.Match) []any {
	moves := make([]byte, len(m.Moves))
	for i, c := range m.Moves {
		moves[i] = byte(c)
	}
	return []any{
		sql.Named("id", int64(m.ID)), sql.Named("version", m.Version),
		sql.Named("guild", string(m.Guild)), sql.Named("channel", string(m.Channel)), sql.Named("place", m.Place),
		sql.Named("message", string(m.Message)), sql.Named("drawn", m.Drawn), sql.Named("notice", string(m.Notice)),
		sql.Named("m", m.Rules.M), sql.Named("n", m.Rules.N), sql.Named("k", m.Rules.K),
		sql.Named("x_user", string(m.X.User)), sql.Named("x_opponent", m.X.Opponent),
		sql.Named("o_user", string(m.O.User)), sql.Named("o_opponent", m.O.Opponent),
		sql.Named("moves", moves), sql.Named("state", uint8(m.State)), sql.Named("end_reason", uint8(m.EndReason)),
		sql.Named("winner", uint8(m.Winner)), sql.Named("ended_by", string(m.EndedBy)),
		sql.Named("clock", int64(m.Clock)), sql.Named("deadline", int64(m.Deadline)),
		sql.Named("cell_names", m.CellNames), sql.Named("locale", m.Locale),
		sql.Named("series_x", m.Series.X), sql.Named("series_o", m.Series.O), sql.Named("series_d", m.Series.Draws),
		sql.Named("rematch_x", m.RematchX), sql.Named("rematch_o", m.RematchO), sql.Named("next", int64(m.Next)),
		sql.Named("created", m.Created.UnixMilli()), sql.Named("updated", m.Updated.UnixMilli()),
	}
}

// putMatch creates the match or stores it over its version.
func (s *writeStatements) putMatch(m store.Match) error {
	ctx := context.Background()
	stmt := s.updateMatch
	if m.Version == 0 {
		stmt = s.insertMatch
	}
	result, err := stmt.ExecContext(ctx, matchArgs(m)...)
	switch {
	case isUniqueViolation(err):
		// Either the record exists or its place is taken; the table has no other
		// unique index.
		if _, err := version(ctx, s.matchVersion, int64(m.ID)); m.Version == 0 && err == nil {
			return fmt.Errorf("%w: match %d exists", store.ErrConflict, m.ID)
		}
		return fmt.Errorf("%w: match %d in channel %s, place %d", store.ErrPlaceTaken, m.ID, m.Channel, m.Place)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := version(ctx, s.matchVersion, int64(m.ID))
	switch {
	case err != nil:
		return fmt.Errorf("match %d: %w", m.ID, err)
	case stored != m.Version:
		return fmt.Errorf("%w: match %d has version %d, not %d", store.ErrConflict, m.ID, stored, m.Version)
	default:
		return fmt.Errorf("%w: match %d", store.ErrImmutable, m.ID)
	}
}

// version returns the stored version of the record, or an error that wraps
// [store.ErrNotFound].
func version(ctx context.Context, stmt *sql.Stmt, id int64) (v int, err error) {
	err = stmt.QueryRowContext(ctx, id).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, store.ErrNotFound
	}
	return v, err
}

// row is what can be scanned: a row, or rows at one of them.
type row interface{ Scan(dest ...any) error }

func scanMatch(r row) (store.Match, error) {
	var m store.Match
	var moves []byte
	var created, updated int64
	err := r.Scan(&m.ID, &m.Guild, &m.Channel, &m.Place, &m.Message, &m.Drawn, &m.Notice, &m.Rules.M, &m.Rules.N, &m.Rules.K,
		&m.X.User, &m.X.Opponent, &m.O.User, &m.O.Opponent, &moves, &m.State, &m.EndReason, &m.Winner, &m.EndedBy,
		&m.Clock, &m.Deadline, &m.CellNames, &m.Locale, &m.Series.X, &m.Series.O, &m.Series.Draws,
		&m.RematchX, &m.RematchO, &m.Next, &m.Version, &created, &updated)
	if len(moves) > 0 {
		m.Moves = make([]engine.Cell, len(moves))
	}
	for i, c := range moves {
		m.Moves[i] = engine.Cell(c)
	}
	m.Created, m.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	return m, err
}

// overMatch lays the pending notes over the match.
func (b *notebook) overMatch(m *store.Match) {
	v := b.over(noteKey{match: m.ID}, shown{m.Message, m.Drawn, m.Notice})
	m.Message, m.Drawn, m.Notice = v.message, v.drawn, v.notice
}

// Match returns the match, or [store.ErrNotFound].
func (s *Store) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	all, err := s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.match }, int64(id))
	switch {
	case err != nil:
		return store.Match{}, err
	case len(all) == 0:
		return store.Match{}, fmt.Errorf("match %d: %w", id, store.ErrNotFound)
	default:
		return all[0], nil
	}
}

// ActiveMatches returns the matches that take the places of the channel, by
// place.
func (s *Store) ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error) {
	return s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.activeMatches }, string(channel))
}

// PrivateMatches returns the user's active private matches in the channel, the
// newest first.
func (s *Store) PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID) ([]store.Match, error) {
	if user == "" {
		return nil, nil
	}
	return s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.privateMatches }, string(channel), string(user))
}

// GuildMatches returns the guild's active matches with greater ids than after, in
// the order of their ids, at most limit of them.
func (s *Store) GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.guildMatches }, string(guild), int64(after), max(limit, 0))
}

// DueMatches returns the matches, active and ended ones, whose deadline is not
// after the up-time, the oldest deadline first, at most limit of them.
func (s *Store) DueMatches(ctx context.Context, uptime time.Duration, limit int) ([]store.Match, error) {
	return s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.dueMatches }, int64(uptime), max(limit, 0))
}

// ClockedMatches returns the active matches between two people that have a clock
// and greater ids than after, in the order of their ids, at most limit of them.
func (s *Store) ClockedMatches(ctx context.Context, after store.MatchID, limit int) ([]store.Match, error) {
	return s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.clockedMatches }, int64(after), max(limit, 0))
}

// UndrawnMatches returns the matches that Discord is not known to show as they
// are, that were stored at since or later, with greater ids than after, in the
// order of their ids, at most limit of them. Fewer than limit does not mean that
// there are no more; none does. Pending notes are stored first.
func (s *Store) UndrawnMatches(ctx context.Context, after store.MatchID, limit int, since time.Time) ([]store.Match, error) {
	if err := s.flush(ctx); errors.Is(err, store.ErrClosed) || ctx.Err() != nil {
		return nil, err
	}
	// A flush that failed for other reasons leaves the notes to be laid over.
	for {
		page, err := s.queryMatches(ctx, func(r *readStatements) *sql.Stmt { return r.undrawnMatches }, int64(after), since.UnixMilli(), max(limit, 0))
		if err != nil || len(page) == 0 {
			return nil, err
		}
		after = page[len(page)-1].ID
		undrawn := page[:0]
		for _, m := range page {
			if m.Drawn < m.Version {
				undrawn = append(undrawn, m)
			}
		}
		if len(undrawn) > 0 {
			return undrawn, nil
		}
	}
}

// queryMatches runs the statement and lays the pending notes over the result.
func (s *Store) queryMatches(ctx context.Context, which func(*readStatements) *sql.Stmt, args ...any) ([]store.Match, error) {
	notes := &s.writer.notes
	return queryAll(ctx, s, which, scanMatch, notes.overMatch, args...)
}

// queryAll runs the statement, scans the rows, and lays the notes over them.
func queryAll[T any](ctx context.Context, s *Store, which func(*readStatements) *sql.Stmt,
	scan func(row) (T, error), over func(*T), args ...any,
) (all []T, err error) {
	err = s.read(ctx, func(st *readStatements) error {
		s.writer.notes.gate.RLock()
		defer s.writer.notes.gate.RUnlock()
		rows, err := which(st).QueryContext(ctx, args...) //nolint:sqlclosecheck // the statement is kept
		if err != nil {
			return err
		}
		defer rows.Close() //nolint:errcheck // rows.Err says it
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				return err
			}
			over(&v)
			all = append(all, v)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
