package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putMatch creates the match or stores it over its version.
func (s *writeStatements) putMatch(m store.Match) error {
	ctx, args := context.Background(), sqlstore.Matches.Args(&m)
	if m.Version > 0 && m.State == store.Active {
		// A move and no more, as most changes are. What is more falls through, and so
		// does what is refused.
		result, err := s.moveMatch.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n > 0 {
			return err
		}
	}
	stmt := s.updateMatch
	if m.Version == 0 {
		stmt = s.insertMatch
	}
	result, err := stmt.ExecContext(ctx, args...)
	switch {
	case isUniqueViolation(err):
		// Either the record exists or its place is taken; the table has no other
		// unique index.
		if _, err := storedVersion(ctx, s.matchVersion, int64(m.ID)); m.Version == 0 && err == nil {
			return fmt.Errorf("%w: match %d exists", store.ErrConflict, m.ID)
		}
		return fmt.Errorf("%w: match %d in channel %s, place %d", store.ErrPlaceTaken, m.ID, m.Channel, m.Place)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil {
		return err
	} else if n > 0 {
		return s.seat(m)
	}
	stored, err := storedVersion(ctx, s.matchVersion, int64(m.ID))
	switch {
	case err != nil:
		return fmt.Errorf("match %d: %w", m.ID, err)
	case stored != m.Version:
		return fmt.Errorf("%w: match %d has version %d, not %d", store.ErrConflict, m.ID, stored, m.Version)
	default:
		return fmt.Errorf("%w: match %d", store.ErrImmutable, m.ID)
	}
}

// seat gives the people of a new public match their seats in the channel, and takes them
// from those of a match that has ended.
func (s *writeStatements) seat(m store.Match) error {
	ctx := context.Background()
	if m.State == store.Ended && m.Version > 0 {
		_, err := s.leaveSeats.ExecContext(ctx, int64(m.ID))
		return err
	}
	for _, user := range sqlstore.TakesSeats(m) {
		_, err := s.takeSeat.ExecContext(ctx, string(m.Channel), string(user), string(m.Guild), int64(m.ID))
		if isUniqueViolation(err) {
			return fmt.Errorf("%w: match %d in channel %s", store.ErrSeatTaken, m.ID, m.Channel)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// storedVersion returns the stored version of the record, or an error that wraps
// [store.ErrNotFound].
func storedVersion(ctx context.Context, stmt *sql.Stmt, key ...any) (v int, err error) {
	err = stmt.QueryRowContext(ctx, key...).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, store.ErrNotFound
	}
	return v, err
}

// Match implements [store.Store].
func (s *Store) Match(ctx context.Context, id store.MatchID) (store.Match, error) {
	return readOne(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.match }, int64(id))
}

// MatchVersion implements [store.Store].
func (s *Store) MatchVersion(ctx context.Context, id store.MatchID) (store.Shown, error) {
	return s.shown(ctx, func(r *readStatements) *sql.Stmt { return r.matchShown }, int64(id))
}

// MessageMatch implements [store.Store].
func (s *Store) MessageMatch(ctx context.Context, message store.MessageID) (store.Match, error) {
	return readOne(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.messageMatch }, string(message))
}

// ActiveMatches implements [store.Store].
func (s *Store) ActiveMatches(ctx context.Context, channel store.ChannelID) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.activeMatches }, string(channel))
}

// SeatedMatches implements [store.Store].
func (s *Store) SeatedMatches(ctx context.Context, guild store.GuildID, user store.UserID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.seatedMatches },
		string(guild), string(user), max(limit, 0))
}

// PrivateMatches implements [store.Store].
func (s *Store) PrivateMatches(ctx context.Context, channel store.ChannelID, user store.UserID, limit int) ([]store.Match, error) {
	if user == "" {
		return nil, nil
	}
	if channel == "" {
		return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.privateMatches }, string(user), max(limit, 0))
	}
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.privateMatchesIn },
		string(user), max(limit, 0), string(channel))
}

// GuildMatches implements [store.Store].
func (s *Store) GuildMatches(ctx context.Context, guild store.GuildID, after store.MatchID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.guildMatches }, string(guild), int64(after), max(limit, 0))
}

// DueMatches implements [store.Store].
func (s *Store) DueMatches(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.dueMatches }, int64(d), int64(uptime), max(limit, 0))
}

// DueReminders implements [store.Store].
func (s *Store) DueReminders(ctx context.Context, d store.Domain, uptime time.Duration, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.dueReminders }, int64(d), int64(uptime), max(limit, 0))
}

// UndrawnMatches implements [store.Store].
func (s *Store) UndrawnMatches(ctx context.Context, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	return s.behind(ctx, func(r *readStatements) *sql.Stmt { return r.undrawnMatches }, since, after, limit)
}

// behind returns the matches behind the cursor.
func (s *Store) behind(ctx context.Context, which func(*readStatements) *sql.Stmt, since time.Time, after store.Cursor, limit int) ([]store.Match, error) {
	updated, id := int64(math.MaxInt64), int64(math.MaxInt64)
	if after != (store.Cursor{}) {
		updated, id = after.Updated.UnixMilli(), int64(after.ID)
	}
	return readAll(ctx, s, sqlstore.Matches, which, since.UnixMilli(), updated, id, max(limit, 0))
}

// Running returns how many matches are being played. It reads an entry of an index for
// each: it is for figures, and not for the way of a click.
func (s *Store) Running(ctx context.Context) (n int, err error) {
	err = s.read(ctx, func(ctx context.Context, _ *readStatements) error {
		return s.db.conn.reader.QueryRowContext(ctx, "SELECT count(*) FROM matches INDEXED BY matches_guild WHERE state = 10").Scan(&n)
	})
	return n, err
}
