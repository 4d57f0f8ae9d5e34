package sqlite

import (
	"context"
	"fmt"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// What is deleted is overwritten (secure_delete), in the file and in the log. Copies of
// rows that SQLite left in unused parts of pages are overwritten by scrub. What the log
// still holds of before goes at the end of an erasure: all of it is moved into the file,
// and the log made empty.

// Erase implements [store.Store].
func (s *Store) Erase(ctx context.Context, e store.Erasure, limit int) (store.ErasureStep, error) {
	if err := dropCopies(s.path, time.Time{}); err != nil {
		return 0, err
	}
	step, err := sqlstore.StepOf(ctx, db{s}, func(tx sqlstore.Tx) (store.ErasureStep, error) {
		step, err := sqlstore.EraseStep(tx, s.conn.key, e, limit, func(user string) (bool, error) {
			return s.writer.scrubs.step(s.conn.writes, e, user)
		})
		if step == sqlstore.Cleans {
			s.writer.cleans, s.writer.clean = true, false
		}
		return step, err
	})
	if step != sqlstore.Cleans {
		return step, err
	}
	return sqlstore.StepOf(ctx, db{s}, func(tx sqlstore.Tx) (store.ErasureStep, error) {
		if !s.writer.clean {
			return store.ErasureGoesOn, nil // somebody was reading
		}
		return store.ErasureDone, sqlstore.EndErasure(tx, e)
	})
}

// EraseGuild implements [store.Store].
func (s *Store) EraseGuild(ctx context.Context, d store.Departure, limit int) (store.ErasureStep, error) {
	if err := dropCopies(s.path, time.Time{}); err != nil {
		return 0, err
	}
	return s.shared.EraseGuild(ctx, d, limit)
}

// cleanPatience is how long writes wait for reads that are in the way of an empty log, in
// milliseconds.
const cleanPatience = 100

// cleanUp moves the log into the file and makes it empty. It reports whether it could.
func (w *writer) cleanUp() bool {
	_ = w.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", cleanPatience))
	defer func() { _ = w.exec(fmt.Sprintf("PRAGMA busy_timeout = %d", w.store.opts.busy.Milliseconds())) }()
	var busy, inLog, moved int
	err := w.store.conn.writes.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &inLog, &moved)
	return err == nil && busy == 0
}
