package sqlite

import (
	"context"
	"database/sql"
	"io/fs"
)

// WithVFS has SQLite use its file system of that name.
func WithVFS(name string) Option { return func(o *options) { o.vfs = name } }

// WithSynchronous weakens durability, to show that it is needed.
func WithSynchronous(mode string) Option { return func(o *options) { o.synchronous = mode } }

// WithMaxBatch limits how many changes are committed together.
func WithMaxBatch(n int) Option { return func(o *options) { o.maxBatch = n } }

// MigrateFile applies the steps to the database file.
func MigrateFile(ctx context.Context, path string, steps fs.FS) error {
	db, err := sql.Open("sqlite", dsn(path, options{busy: 5e9, synchronous: "FULL"},
		map[string]string{"_txlock": "immediate"}, "journal_mode(WAL)"))
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // a test
	db.SetMaxOpenConns(1)
	return migrateWith(ctx, db, steps)
}

// Statements returns the text of every statement that a store prepares.
func Statements() []string {
	var texts []string
	for _, st := range append(new(writeStatements).texts(), new(readStatements).texts()...) {
		texts = append(texts, st.text)
	}
	return texts
}

// Block keeps the writer busy until the function that it returns is called.
func (s *Store) Block(ctx context.Context) (release func(), done <-chan error) {
	taken, free, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		result <- s.writer.do(ctx, func(*writeStatements) error {
			close(taken)
			<-free
			return nil
		})
	}()
	<-taken
	return func() { close(free) }, result
}

// MaxWaiting is how many changes may wait.
const MaxWaiting = maxWaiting

// MaxNotes is how many records may have pending notes.
const MaxNotes = maxNotes

// Waiting returns how many changes wait; unlike Stats it does not read.
func (s *Store) Waiting() int { return s.writer.waitingCount() }
