package sqlite

import (
	"context"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putChallenge creates the challenge or stores it over its version.
func (s *writeStatements) putChallenge(c store.Challenge) error {
	ctx := context.Background()
	stmt := s.updateChallenge
	if c.Version == 0 {
		stmt = s.insertChallenge
	}
	result, err := stmt.ExecContext(ctx, sqlstore.Challenges.Args(&c)...)
	switch {
	case isUniqueViolation(err):
		// Either the record exists or the pair has an open one; the table has no
		// other unique index.
		if _, err := storedVersion(ctx, s.challengeVersion, int64(c.ID)); c.Version == 0 && err == nil {
			return fmt.Errorf("%w: challenge %d exists", store.ErrConflict, c.ID)
		}
		return fmt.Errorf("%w: challenge %d", store.ErrPairTaken, c.ID)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := storedVersion(ctx, s.challengeVersion, int64(c.ID))
	if err != nil {
		return fmt.Errorf("challenge %d: %w", c.ID, err)
	}
	return fmt.Errorf("%w: challenge %d has version %d, not %d", store.ErrConflict, c.ID, stored, c.Version)
}
