package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"tictactoe/store/internal/steps"
)

// migrations has the folder of the numbered steps.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema of the file up to date, once the file was copied.
func migrate(ctx context.Context, db *sql.DB, path string, o options) error {
	if err := keepBefore(ctx, db, path, o); err != nil {
		return err
	}
	return applySteps(ctx, db, o.steps)
}

// applySteps applies the steps that are pending.
func applySteps(ctx context.Context, db *sql.DB, all fs.FS) error {
	d := steps.Database{DB: db, Dialect: database.DialectSQLite3, Table: goose.DefaultTablename, Version: schemaVersion}
	return steps.Apply(ctx, d, all)
}
