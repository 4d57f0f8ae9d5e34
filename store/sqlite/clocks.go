package sqlite

import (
	"context"
	"time"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

var (
	saveUptime = sqlstore.ForSQLite("UPDATE uptime SET elapsed = ?2 WHERE domain = ?1 AND elapsed < ?2")
	written    = sqlstore.ForSQLite("UPDATE file SET written = ?1 WHERE only = 1")
)

// Lease implements [store.Store]. A file is one process's: it owns every domain.
func (s *Store) Lease(ctx context.Context, _ store.Wanted, u store.Uptimes) (l store.Leases, err error) {
	err = s.writer.queue.Do(ctx, func(st *transaction) error {
		for d, at := range u {
			if at <= 0 {
				continue
			}
			if _, err := st.Exec(saveUptime, d, int64(at)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return l, err
	}
	l.Owned = store.AllDomains
	l.Uptimes, err = s.Uptime(ctx)
	return l, err
}

// Check implements [store.Store]. Its commit notes when the file was last written, and
// finds out whether the file was deleted or replaced since it was opened.
func (s *Store) Check(ctx context.Context) error {
	return s.writer.queue.Do(ctx, func(st *transaction) error {
		_, err := st.Exec(written, time.Now().UnixMilli())
		return err
	})
}
