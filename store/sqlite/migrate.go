package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"tictactoe/store"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migrations is the folder of the numbered steps.
func migrations() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}

// latestVersion is the number of the last migration that this program knows.
func latestVersion() int64 { return latestIn(migrations()) }

func latestIn(steps fs.FS) int64 {
	var latest int64
	files, err := fs.Glob(steps, "*.sql")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range files {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.ParseInt(number, 10, 64); err == nil {
			latest = max(latest, n)
		}
	}
	return latest
}

// migrate brings the schema up to date.
func migrate(ctx context.Context, db *sql.DB) error { return migrateWith(ctx, db, migrations()) }

// migrateOurs does so for a database that must not be a new one.
func migrateOurs(ctx context.Context, db *sql.DB) error {
	version, err := recognise(ctx, db)
	switch {
	case err != nil:
		return err
	case version == 0:
		return fmt.Errorf("%w: it is empty now", store.ErrDamaged)
	}
	return migrate(ctx, db)
}

// migrateWith applies the steps that are pending, each in a transaction of its
// own together with the record that it was applied.
//
// Another process may be doing the same. Nothing stops both from starting a step,
// but the record of it can be made only once, so that for one of the two the whole
// step is undone. That one looks again, and goes on as long as the schema has moved.
func migrateWith(ctx context.Context, db *sql.DB, steps fs.FS) error {
	for {
		before, err := schemaVersion(ctx, db)
		if err != nil {
			return err
		}
		switch known := latestIn(steps); {
		case before > known: // since the file was looked at
			return newerSchema(before, known)
		case before == known:
			return nil
		}
		upErr := up(ctx, db, steps)
		if upErr == nil {
			return nil
		}
		after, err := schemaVersion(ctx, db)
		if err != nil {
			return errors.Join(upErr, err)
		}
		if after <= before {
			return fmt.Errorf("bring the schema up to date: %w", upErr)
		}
	}
}

// up applies the steps that are pending.
func up(ctx context.Context, db *sql.DB, steps fs.FS) error {
	records, err := database.NewStore(database.DialectSQLite3, goose.DefaultTablename)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(database.DialectCustom, db, steps,
		goose.WithStore(onceStore{records}), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// onceStore keeps goose's records of applied steps so that a step can be recorded
// only once.
type onceStore struct{ database.Store }

// CreateVersionTable makes the table of records.
func (s onceStore) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	if err := s.Store.CreateVersionTable(ctx, db); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "CREATE UNIQUE INDEX goose_db_version_once ON "+s.Tablename()+" (version_id)")
	return err
}
