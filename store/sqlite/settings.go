package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/store"
)

// settingStatements store a record that has a version and nothing else to be guarded:
// what a guild or person has set, how somebody stands with puzzles, and what was posted.
type settingStatements struct{ insert, update, version *sql.Stmt }

// put runs the statement that creates the record, or the one that stores it over
// its version.
func (s settingStatements) put(name string, version int, args []any, key ...any) error {
	ctx := context.Background()
	stmt := s.update
	if version == 0 {
		stmt = s.insert
	}
	result, err := stmt.ExecContext(ctx, args...)
	switch {
	case isUniqueViolation(err):
		return fmt.Errorf("%w: %s exists", store.ErrConflict, name)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := storedVersion(ctx, s.version, key...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%w: %s has version %d, not %d", store.ErrConflict, name, stored, version)
}
