package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/erasing"
	"tictactoe/store/internal/sqlstore"
)

// What is deleted is overwritten (secure_delete), in the file and in the log. Copies of
// rows that SQLite left in unused parts of pages are overwritten by scrub. What the log
// still holds of before goes at the end of an erasure: all of it is moved into the file,
// and the log made empty.

// readKey returns the key of the database, which is made when it is first opened.
func readKey(ctx context.Context, conn *sql.Conn) (key sqlstore.Key, err error) {
	if _, err := conn.ExecContext(ctx, sqlstore.PutKey, string(sqlstore.NewKey())); err != nil {
		return "", err
	}
	return key, conn.QueryRowContext(ctx, sqlstore.ReadKey).Scan(&key)
}

// wantPresent returns [store.ErrErasing] for somebody who is being erased.
func (s *writeStatements) wantPresent(user store.UserID) error {
	var begun int64
	err := s.erasing.QueryRowContext(context.Background(), string(user)).Scan(&begun)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: %s", store.ErrErasing, user)
}

// Exec implements [erasing.DB] within the transaction.
func (s *writeStatements) Exec(text string, args ...any) (int64, error) {
	result, err := s.conn.ExecContext(context.Background(), text, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// Row implements [erasing.DB].
func (s *writeStatements) Row(text string, args []any, into ...any) (bool, error) {
	err := s.conn.QueryRowContext(context.Background(), text, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Erase implements [store.Store].
func (s *Store) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	if err := dropCopies(s.db.path, time.Time{}); err != nil {
		return 0, err
	}
	var step store.ErasureStep // read only when the outcome is known
	err := s.writer.do(ctx, func(st *writeStatements) (err error) {
		step, err = erasing.Step(st, st.key, e, limit, func(user string) (bool, error) { return s.writer.scrubs.step(st, e, user) })
		if step == erasing.Cleans {
			s.writer.cleans, s.writer.clean = true, false
		}
		return err
	})
	if err != nil || step != erasing.Cleans {
		return step, err
	}
	step = store.ErasureGoesOn
	err = s.writer.do(ctx, func(st *writeStatements) error {
		if !s.writer.clean {
			return nil // somebody was reading
		}
		step = store.ErasureDone
		return erasing.End(st, e)
	})
	return step, err
}

// cleanPatience is how long writes wait for reads that are in the way of an empty log, in
// milliseconds.
const cleanPatience = 100

// cleanUp moves the log into the file and makes it empty. It reports whether it could.
func (w *writer) cleanUp() bool {
	ctx, conn := context.Background(), w.db.conn.only
	_ = w.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", cleanPatience))
	defer func() { _ = w.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", w.db.opts.busy.Milliseconds())) }()
	var busy, inLog, moved int
	for _, mode := range [...]string{"PASSIVE", "TRUNCATE"} {
		if err := conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &inLog, &moved); err != nil {
			return false
		}
	}
	return busy == 0
}

// Erasures implements [store.Store].
func (s *Store) Erasures(ctx context.Context, limit int) (all []store.Erasure, err error) {
	err = s.readRows(ctx, func(r *readStatements) *sql.Stmt { return r.erasures }, []any{max(limit, 0)}, func(r sqlstore.Row) error {
		e, err := sqlstore.ScanErasure(r)
		all = append(all, e)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Erasing implements [store.Store].
func (s *Store) Erasing(ctx context.Context, user store.UserID) (bool, error) {
	var begun int64
	err := s.readRow(ctx, func(r *readStatements) *sql.Stmt { return r.erasing }, []any{string(user)}, &begun)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// OpenMatches implements [store.Store].
func (s *Store) OpenMatches(ctx context.Context, user store.UserID, limit int) ([]store.Match, error) {
	return readAll(ctx, s, sqlstore.Matches, func(r *readStatements) *sql.Stmt { return r.openMatches }, string(user), max(limit, 0))
}

// ChallengesOf implements [store.Store].
func (s *Store) ChallengesOf(ctx context.Context, user store.UserID, limit int) ([]store.Challenge, error) {
	return readAll(ctx, s, sqlstore.Challenges, func(r *readStatements) *sql.Stmt { return r.challengesOf }, string(user), max(limit, 0))
}
