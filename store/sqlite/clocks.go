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
	var p sqlstore.Plan
	for d, at := range u {
		if at > 0 {
			p.Steps = append(p.Steps, sqlstore.Step{Query: saveUptime, Args: []any{d, int64(at)}})
		}
	}
	if err := (db{s}).Apply(ctx, p); err != nil {
		return l, err
	}
	l.Owned = store.AllDomains
	l.Uptimes, err = s.Uptime(ctx)
	return l, err
}

// Check implements [store.Store]. Its commit notes when the file was last written, and
// finds out whether the file was deleted or replaced since it was opened.
func (s *Store) Check(ctx context.Context) error {
	return db{s}.Apply(ctx, sqlstore.Plan{Steps: []sqlstore.Step{{Query: written, Args: []any{time.Now().UnixMilli()}}}})
}
