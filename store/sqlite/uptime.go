package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tictactoe/store"
)

// Uptime returns how long the bot has been up in all, as last saved.
func (s *Store) Uptime(ctx context.Context) (time.Duration, error) {
	var elapsed time.Duration
	err := s.queryRow(ctx, func(r *readStatements) *sql.Stmt { return r.uptime }, &elapsed)
	return elapsed, err
}

// SaveUptime stores how long the bot has been up in all. A smaller value than the
// stored one changes nothing. Pending notes are stored as well.
func (s *Store) SaveUptime(ctx context.Context, uptime time.Duration) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.saveUptime.ExecContext(context.Background(), int64(uptime))
		return err
	})
}

// NextDeadline returns the earliest deadline of all matches and open challenges,
// and whether there is one.
func (s *Store) NextDeadline(ctx context.Context) (at time.Duration, ok bool, err error) {
	var deadline sql.NullInt64
	err = s.queryRow(ctx, func(r *readStatements) *sql.Stmt { return r.nextDeadline }, &deadline)
	return time.Duration(deadline.Int64), deadline.Valid, err
}

// Check reports as an error why nothing can be stored now, by storing something
// for good: among the reasons is that the file has been deleted or replaced since
// it was opened.
func (s *Store) Check(ctx context.Context) error {
	return s.writer.do(ctx, func(st *writeStatements) error {
		_, err := st.check.ExecContext(context.Background())
		return err
	})
}

// Stats returns figures for health checks and metrics.
func (s *Store) Stats(ctx context.Context) (store.Stats, error) {
	w := s.writer
	st := store.Stats{
		Waiting:       w.waitingCount(),
		PendingNotes:  w.notes.count(),
		DroppedNotes:  w.notes.droppedCount(),
		Commits:       w.commits.Load(),
		Changes:       w.changes.Load(),
		FailedCommits: w.failed.Load(),
	}
	err := s.queryRow(ctx, func(r *readStatements) *sql.Stmt { return r.counts }, &st.ActiveMatches, &st.OpenChallenges)
	return st, err
}

// queryRow runs a statement that has one row.
func (s *Store) queryRow(ctx context.Context, which func(*readStatements) *sql.Stmt, dest ...any) error {
	return s.read(ctx, func(st *readStatements) error {
		return which(st).QueryRowContext(ctx).Scan(dest...) //nolint:sqlclosecheck // the statement is kept
	})
}
