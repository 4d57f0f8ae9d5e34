package sqlite

import (
	"context"
	"database/sql"
	"io/fs"
	"testing/fstest"
	"time"

	"tictactoe/store/internal/sqlstore"
)

// FileURI returns the name under which SQLite is asked for a file.
func FileURI(goos, path string) string { return fileURI(goos, path) }

// WithVFS has SQLite use its file system of that name.
func WithVFS(name string) Option { return func(o *options) { o.vfs = name } }

// WithSynchronous weakens durability, to show that it is needed.
func WithSynchronous(mode string) Option { return func(o *options) { o.synchronous = mode } }

// WithMaxBatch limits how many changes are committed together.
func WithMaxBatch(n int) Option { return func(o *options) { o.maxBatch = n } }

// MigrateFile applies the steps to the database file.
func MigrateFile(ctx context.Context, path string, steps fs.FS) error {
	o := options{busy: 5e9, synchronous: "FULL", onMigration: func(string) {}, steps: steps}
	db, err := sql.Open("sqlite", dsn(path, o,
		map[string]string{"_txlock": "immediate"}, "journal_mode(WAL)"))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // a test
	db.SetMaxOpenConns(1)
	return migrate(ctx, db, path, o)
}

// MigrateFileTo applies the program's own steps up to the number.
func MigrateFileTo(ctx context.Context, path string, last int64) error {
	return MigrateFile(ctx, path, stepsUpTo{migrations, last})
}

// stepsUpTo shows the steps up to the last.
type stepsUpTo struct {
	fs.FS
	last int64
}

func (s stepsUpTo) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(s.FS, name)
	return all[:s.last], err
}

// Back is the command that goes back.
func Back(goos, path, copied string) string { return back(goos, path, copied) }

// WithLast has what is opened be of the version whose last step has the number.
func WithLast(last int64) Option {
	return func(o *options) { o.steps = stepsUpTo{o.steps, last} }
}

// WithStep has what is opened be of a newer version with one more step, while newer holds.
func WithStep(newer *bool, statements string) Option {
	return func(o *options) {
		if !*newer {
			return
		}
		all := fstest.MapFS{"migrations/09999_step.sql": {Data: []byte("-- +goose Up\n" + statements)}}
		for _, name := range must(fs.Glob(o.steps, "migrations/*.sql")) {
			all[name] = &fstest.MapFile{Data: must(fs.ReadFile(o.steps, name))}
		}
		o.steps = all
	}
}

// must returns the value, which there is.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Statements returns the texts of the statements that may not cost more where more is stored.
func Statements() []string {
	var texts []string
	for _, q := range sqlstore.Queries {
		if !q.Whole && !q.Batch && q.SQLite != "" {
			texts = append(texts, q.SQLite)
		}
	}
	return texts
}

// Block keeps the writer busy until the function that it returns is called.
func (s *Store) Block(ctx context.Context) (release func(), done <-chan error) {
	taken, free, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		result <- s.writer.queue.Do(ctx, func(*transaction) error {
			close(taken)
			<-free
			return nil
		})
	}()
	<-taken
	return func() { close(free) }, result
}

// Fail has the writer meet an error that is no request's own fault.
func (s *Store) Fail(ctx context.Context, err error) error {
	return s.writer.queue.Do(ctx, func(*transaction) error { return err })
}

// MaxWaiting is how many changes may wait.
const MaxWaiting = sqlstore.MostQueued

// MaxDeliveries is how many deliveries may wait.
const MaxDeliveries = sqlstore.MostWaiting

// Waiting returns how many changes wait, those included that were withdrawn.
func (s *Store) Waiting() int { return s.writer.queue.Len() }

// Deliveries returns how many deliveries wait.
func (s *Store) Deliveries() int { return s.writer.deliveries.Count() }

// WithOnCommit has every commit told, with the number of changes in it.
func WithOnCommit(f func(changes int)) Option {
	return WithCommits(func(changes int, _ time.Duration) { f(changes) })
}
