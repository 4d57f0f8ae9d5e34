// Package steps brings the schema of a database up to date by numbered steps. Numbers and
// names of the steps are the same for every backend.
package steps

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"

	"tictactoe/store"
)

// Database is what has a schema.
type Database struct {
	DB      *sql.DB
	Dialect database.Dialect
	Table   string // of the records of steps that were applied
	// Version returns the number of the last step that was applied, 0 for none.
	Version func(ctx context.Context, db *sql.DB) (int64, error)
}

// Latest returns the number of the last step.
func Latest(all fs.FS) (latest int64) {
	for _, s := range read(all) {
		latest = max(latest, s.Version)
	}
	return latest
}

// read returns the steps in the folder of migrations. Each is run as one text: goose's own reader of files
// takes a buffer of four megabytes for a line of one whenever its pool is empty.
func read(all fs.FS) (steps []*goose.Migration) {
	names, err := fs.Glob(all, "migrations/*.sql")
	for _, name := range names {
		number, badName := goose.NumericComponent(name)
		text, unread := fs.ReadFile(all, name)
		err = errors.Join(err, badName, unread)
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		steps = append(steps, goose.NewGoMigration(number, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, up)
			return err
		}}, nil))
	}
	if err != nil {
		panic(err) // they are the program's own
	}
	return steps
}

// Apply applies the steps that are pending, each in a transaction of its own together
// with the record that it was applied. A database with more steps than these is left as
// it is: [store.ErrNewerSchema].
//
// Another process may be doing the same. Nothing stops both from starting a step,
// but the record of it can be made only once, so that for one of the two the whole
// step is undone. That one looks again, and goes on as long as the schema has moved.
func Apply(ctx context.Context, d Database, all fs.FS) error {
	for {
		before, err := d.Version(ctx, d.DB)
		if err != nil {
			return err
		}
		if before >= Latest(all) { // newer since the database was looked at
			return Known(before, all)
		}
		upErr := d.up(ctx, all)
		if upErr == nil {
			return nil
		}
		after, err := d.Version(ctx, d.DB)
		if err != nil {
			return errors.Join(upErr, err)
		}
		if after <= before {
			return fmt.Errorf("bring the schema up to date: %w", upErr)
		}
	}
}

// Known returns [store.ErrNewerSchema] for a schema that is newer than the last step.
func Known(version int64, all fs.FS) error {
	known := Latest(all)
	if version <= known {
		return nil
	}
	return fmt.Errorf("%w: its schema has number %d and this program knows %d; run a newer version of the program",
		store.ErrNewerSchema, version, known)
}

// up applies the steps that are pending.
func (d Database) up(ctx context.Context, all fs.FS) error {
	records, err := database.NewStore(d.Dialect, d.Table)
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(database.DialectCustom, d.DB, nil, goose.WithStore(onceStore{records}),
		goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(read(all)...))
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
	_, err := db.ExecContext(ctx, "CREATE UNIQUE INDEX "+s.Tablename()+"_once ON "+s.Tablename()+" (version_id)")
	return err
}
