package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
)

// applicationID marks a database file as ours: "tict". The first migration
// writes it.
const applicationID = 0x74696374

// look returns an error unless the file is empty, or a database of this program
// that it understands, and the version of its schema, 0 for none. It changes
// nothing. With strayLog the log beside the file is not its own.
func look(ctx context.Context, path string, o options, strayLog bool) (version int64, err error) {
	params := map[string]string{"mode": "ro"}
	if log, err := os.Stat(path + logSuffix); err != nil || log.Size() == 0 || strayLog {
		// Without a log the file is all there is, and reading it as one that nobody
		// changes leaves no trace beside it.
		params["immutable"] = "1"
	}
	db, err := sql.Open("sqlite", dsn(path, o, params))
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	switch version, err = recognise(ctx, db); {
	case err == nil:
		return version, nil
	case primary(err) == sqlite3.SQLITE_NOTADB:
		return 0, notSQLite(path)
	default:
		return 0, fmt.Errorf("%s: %w", path, sentinel(err))
	}
}

// recognise returns an error unless the database is empty, or ours and not newer
// than this program, and the version of its schema.
func recognise(ctx context.Context, db *sql.DB) (version int64, err error) {
	var id, tables int
	// One statement, since another process may be making the database at this moment:
	// the mark and the tables come together.
	err = db.QueryRowContext(ctx, `SELECT application_id, (SELECT count(*) FROM sqlite_schema
		WHERE type = 'table' AND name NOT IN ('goose_db_version', 'sqlite_sequence')) FROM pragma_application_id`).Scan(&id, &tables)
	if err != nil {
		return 0, err
	}
	switch {
	case id == applicationID:
		version, err := schemaVersion(ctx, db)
		if err != nil {
			return 0, err
		}
		if known := latestVersion(); version > known {
			return 0, newerSchema(version, known)
		}
		return version, nil
	case id == 0 && tables == 0:
		return 0, nil // empty, or its making was interrupted
	default:
		return 0, fmt.Errorf("%w: it is an SQLite database of another program", store.ErrNotDatabase)
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
	var version sql.NullInt64
	err = db.QueryRowContext(ctx, "SELECT max(version_id) FROM goose_db_version").Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return version.Int64, err
}

// newerSchema says that the schema is newer than what this program knows.
func newerSchema(version, known int64) error {
	return fmt.Errorf("%w: its schema has number %d and this program knows %d; run a newer version of the program",
		store.ErrNewerSchema, version, known)
}

// notSQLite says that the file holds something else.
func notSQLite(path string) error {
	return fmt.Errorf("%w: %s is not an SQLite file", store.ErrNotDatabase, path)
}
