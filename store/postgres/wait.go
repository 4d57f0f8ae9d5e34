package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// leased is the step that made the table of leases: before it a process had a database for
	// itself.
	leased = 2
	// lonely is the last step beside which no process of the version before may play: it takes
	// away what that reads and writes.
	lonely = 36
)

const (
	// leaseSilence is how long a process has not said that it plays by which it is gone.
	leaseSilence = 30 * time.Second
	waitPoll     = 250 * time.Millisecond
)

// olderText names a process of a version before that plays, by what the server knows of its
// connections.
const olderText = `SELECT coalesce((SELECT 'a process at ' || coalesce(host(client_addr), 'a local socket') || ', connected since ' || to_char(min(backend_start), 'YYYY-MM-DD HH24:MI:SS TZ')
	FROM pg_stat_activity WHERE datname = current_database() AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()
	GROUP BY client_addr ORDER BY min(backend_start) LIMIT 1), 'a process that has died')
	FROM leases WHERE name LIKE '` + playerPrefix + `%' AND ends > now() - $1::bigint * interval '1 millisecond' LIMIT 1`

// waitForOlder waits until no process of a version plays on the tables that has no place
// beside a step which is to come, and tells which one to stop.
func (s *Store) waitForOlder(ctx context.Context, conn *pgx.Conn, version int64) error {
	if version < leased || version >= lonely {
		return nil
	}
	for said := ""; ; {
		var older string
		switch err := conn.QueryRow(ctx, olderText, (leaseSilence - domainLease).Milliseconds()).Scan(&older); {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		if older != said && s.opts.waiting != nil {
			s.opts.waiting(older)
		}
		said = older
		select {
		case <-time.After(waitPoll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
