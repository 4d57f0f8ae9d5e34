package postgres

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3/database"

	"tictactoe/store/internal/steps"
)

// migrations has the folder of the numbered steps.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versionTable records the steps that were applied. Its name marks a schema as ours.
const versionTable = "tictactoe_schema"

// migratePatience is for how long a process tries again whose steps others that start at
// the same time are in the way of.
const migratePatience = 15 * time.Second

// migrate brings the schema up to date. Several processes may do so at once.
func migrate(ctx context.Context, config *pgx.ConnConfig, all fs.FS) error {
	db := stdlib.OpenDB(*config)
	defer db.Close() //nolint:errcheck // nothing is left in it
	db.SetMaxOpenConns(1)
	d := steps.Database{DB: db, Dialect: database.DialectPostgres, Table: versionTable, Version: schemaVersion}
	for started := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := steps.Apply(ctx, d, all)
		if err == nil || !isContended(err) || time.Since(started) > migratePatience {
			return err
		}
	}
}

// isContended reports whether a step failed because another process was making the same
// table.
func isContended(err error) bool {
	return slices.Contains([]string{uniqueViolation, duplicateTable, serializationFailure, deadlockDetected, undefinedTable}, code(err))
}

// schemaVersion returns the number of the last migration that was applied, 0 for none.
func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var version sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+versionTable).Scan(&version)
	if code(err) == undefinedTable {
		return 0, nil
	}
	return version.Int64, err
}
