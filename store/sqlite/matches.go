package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
