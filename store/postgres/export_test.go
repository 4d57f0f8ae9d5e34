package postgres

import (
	"context"
	"io/fs"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// WithMaxBatch limits how many changes are committed together.
func WithMaxBatch(n int) Option { return func(o *options) { o.maxBatch = n } }

// Write writes the changes as one batch and returns what became of them. Nothing else may be
// written meanwhile.
func (s *Store) Write(changes ...store.Change) []error {
	q, errs, done := sqlstore.NewQueue[request](), make([]error, len(changes)), make(chan struct{})
	for i, c := range changes {
		go func() {
			errs[i] = q.Do(context.Background(), request{plan: sqlstore.PlanOf(c, s.key, time.Now())})
			done <- struct{}{}
		}()
		for q.Len() <= i {
			runtime.Gosched()
		}
	}
	go q.Serve(len(changes), s.writer.write, func() error { return nil })
	for range changes {
		<-done
	}
	_ = q.Close()
	return errs
}

// WithOnCommit has every commit told, with the number of changes in it.
func WithOnCommit(f func(changes int)) Option {
	return WithCommits(func(changes int, _ time.Duration) { f(changes) })
}

// Deliveries returns how many deliveries wait.
func (s *Store) Deliveries() int { return s.writer.deliveries.Count() }

// Again returns how many transactions were tried again because they met others.
func (s *Store) Again() int64 { return s.again.Load() }

// Owner returns as whom the store takes leases.
func (s *Store) Owner() string { return ownerOf(s.writer.id) }

// Reads returns the texts of the statements that read and may not cost more where more is
// stored.
func Reads() (texts []string) {
	for _, q := range sqlstore.Queries {
		text, _ := q.Postgres(make([]any, 100)) // more than any has
		if verb, _, _ := strings.Cut(text, " "); verb == "SELECT" && !q.Whole {
			texts = append(texts, text)
		}
	}
	return texts
}

// LockPeople is the text of the statement that locks people.
const LockPeople = lockPeopleText

// WithCommitTime sets how long the answer to a commit is waited for.
func WithCommitTime(d time.Duration) Option { return func(o *options) { o.commitTime = d } }

// MigrateTo applies the program's own steps up to the number.
func MigrateTo(ctx context.Context, address string, last int64) error {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return err
	}
	return migrate(ctx, config, stepsUpTo{migrations, last})
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
