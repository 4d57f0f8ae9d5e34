package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
	"tictactoe/store/internal/table"
)

var (
	// Who notes at the same time waits, and finds the time away counted.
	lockSeenText = "SELECT until FROM seen WHERE single = 1 FOR UPDATE"
	addAwayText  = table.Postgres.Text(table.AddAway)
	noteSeenText = table.Postgres.Text(table.NoteSeen)
	awayText     = table.Postgres.Text(table.Away)
)

// seen is a call of Seen, in milliseconds since 1970.
type seen struct{ from, until int64 }

// Seen implements [store.Store].
func (s *Store) Seen(ctx context.Context, from, until time.Time) error {
	return s.writer.queue.Do(ctx, request{seen: &seen{from.UnixMilli(), until.UnixMilli()}})
}

// seen adds what the requests note.
func (p *pipeline) seen(requests []request) {
	locked := false
	for _, r := range requests {
		if r.seen == nil {
			continue
		}
		if !locked {
			p.addAny(lockSeenText)
		}
		locked = true
		p.addAny(addAwayText, r.seen.from)
		p.addAny(noteSeenText, r.seen.until)
	}
}

// Away implements [store.Store].
func (s *Store) Away(ctx context.Context, since int64) (a store.Away, err error) {
	err = s.read(ctx, awayText, []any{since}, func(rows pgx.Rows) error {
		a = store.Away{Days: map[int64]time.Duration{}}
		for rows.Next() {
			if err := table.ScanAway(rows, &a); err != nil {
				return err
			}
		}
		return nil
	})
	return a, err
}
