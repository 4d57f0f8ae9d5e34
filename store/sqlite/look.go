package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
	"tictactoe/store/internal/steps"
)

// applicationID marks a database file as ours: "tict". The first migration
// writes it.
const applicationID = 0x74696374

// look returns an error unless the file is empty, or a database of this program
// that it understands. It changes nothing.
func look(ctx context.Context, path string, o options) error {
	db, err := sql.Open("sqlite", dsn(path, o, unchanged(path)))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	switch err := recognise(ctx, db, o.steps); {
	case err == nil:
		return nil
	case primary(err) == sqlite3.SQLITE_NOTADB:
		return notSQLite(path)
	default:
		return fmt.Errorf("%s: %w", path, sentinel(err))
	}
}

// unchanged are the parameters with which a file is read that is not to be changed.
func unchanged(path string) map[string]string {
	params := map[string]string{"mode": "ro"}
	if log, err := os.Stat(path + logSuffix); err != nil || log.Size() == 0 {
		// Without a log the file is all there is, and reading it as one that nobody
		// changes leaves no trace beside it.
		params["immutable"] = "1"
	}
	return params
}

// recognise returns an error unless the database is empty, or ours and not newer
// than these steps.
func recognise(ctx context.Context, db *sql.DB, all fs.FS) error {
	var id, tables int
	// One statement, since another process may be making the database at this moment:
	// the mark and the tables come together.
	err := db.QueryRowContext(ctx, `SELECT application_id, (SELECT count(*) FROM sqlite_schema
		WHERE type = 'table' AND name NOT IN ('goose_db_version', 'sqlite_sequence')) FROM pragma_application_id`).Scan(&id, &tables)
	if err != nil {
		return err
	}
	switch {
	case id == applicationID:
		version, err := schemaVersion(ctx, db)
		if err != nil {
			return err
		}
		return steps.Known(version, all)
	case id == 0 && tables == 0:
		return nil // empty, or its making was interrupted
	default:
		return fmt.Errorf("%w: it is an SQLite database of another program", store.ErrNotDatabase)
	}
}

// schemaVersion returns the number of the last migration that was applied, 0 for
// none.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var exists bool
	err := db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&exists)
	if err != nil || !exists {
		return 0, err
	}
	var version int64
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version").Scan(&version)
	return version, err
}

// notSQLite says that the file holds something else.
func notSQLite(path string) error {
	return fmt.Errorf("%w: %s is not an SQLite file", store.ErrNotDatabase, path)
}
