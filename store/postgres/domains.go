package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
)

// Each clock domain has a row that says which store owns it, and until when, by the
// database's clock, if that store does not say so again. Every store that wants domains
// has a lease of its own besides, by which the others know among how many they are
// shared.

// domainLease is how long the leases of clock domains last by default: so long the clocks
// of a process that was killed stand still at most. A store renews them four times in that
// time.
const domainLease = 8 * time.Second

// WithDomainLease sets how long the leases of clock domains last; 8 s by default.
func WithDomainLease(d time.Duration) Option { return func(o *options) { o.domainLease = d } }

// playerPrefix begins the names of the leases of stores that want domains.
const playerPrefix = "player "

const (
	wantText = `INSERT INTO leases (name, owner, ends, wanted) VALUES ($1, $2, now() + $3::bigint * interval '1 millisecond', $4)
		ON CONFLICT (name) DO UPDATE SET ends = excluded.ends, wanted = excluded.wanted`
	giveLeaseText = "DELETE FROM leases WHERE name = $1 AND owner = $2"
	playersText   = "SELECT count(*) FROM leases WHERE name LIKE '" + playerPrefix + "%' AND ends > now()"
	// Those of stores that were not closed.
	forgetPlayersText = "DELETE FROM leases WHERE name LIKE '" + playerPrefix + "%' AND ends < now() - interval '1 day'"
	// As many as each may have, so that none is left over.
	shareText = "(SELECT (63 + count(*)) / count(*) FROM leases WHERE name LIKE '" + playerPrefix + "%' AND ends > now())"
	mineText  = "(SELECT count(*) FROM uptime WHERE owner = $1)"

	saveOwnText = `UPDATE uptime SET elapsed = greatest(uptime.elapsed, l.elapsed), saved = now()
		FROM unnest($2::bigint[], $3::bigint[]) AS l (domain, elapsed) WHERE uptime.domain = l.domain AND owner = $1`
	renewText = "UPDATE uptime SET ends = now() + $2::bigint * interval '1 millisecond' WHERE owner = $1"
	giveText  = "UPDATE uptime SET owner = '', ends = '-infinity' WHERE owner = $1 AND $2::bigint >> domain::int & 1 = 0"
	shedText  = `UPDATE uptime SET owner = '', ends = '-infinity' WHERE owner = $1 AND domain IN
		(SELECT domain FROM uptime WHERE owner = $1 ORDER BY domain DESC LIMIT greatest(0, ` + mineText + ` - ` + shareText + `))`
	takeText = `UPDATE uptime SET owner = $1, ends = now() + $2::bigint * interval '1 millisecond', saved = now() WHERE domain IN
		(SELECT domain FROM uptime WHERE owner <> $1 AND ends < now() AND $3::bigint >> domain::int & 1 = 1 ORDER BY domain
		LIMIT CASE WHEN $4::boolean THEN greatest(0, ` + shareText + ` - ` + mineText + `) END FOR UPDATE)`
	waitingText = "SELECT coalesce(bit_or(wanted), 0) FROM leases WHERE name LIKE '" + playerPrefix + "%' AND owner <> $1 AND ends > now()"
	ownersText  = `SELECT domain, elapsed, owner = $1, owner <> $1 AND ends >= now(),
		CASE WHEN owner = $1 OR ends < now() THEN 0 ELSE greatest(0, extract(epoch FROM now() - saved) * 1000) END::bigint FROM uptime`
)

// Lease implements [store.Store].
func (s *Store) Lease(ctx context.Context, want store.Wanted, u store.Uptimes) (store.Leases, error) {
	l := &store.Leases{Length: s.opts.domainLease} // to be read only when the outcome is known
	err := s.writer.queue.Do(ctx, request{also: func(p *pipeline) { p.lease(ownerOf(s.writer.id), want, u, l) }})
	if err != nil {
		return store.Leases{}, err
	}
	s.owned.Store(int64(l.Owned.Count()))
	return *l, nil
}

// lease adds what renews, takes and gives back leases of the length that is set, and reads whose
// they are then.
func (p *pipeline) lease(owner string, want store.Wanted, u store.Uptimes, l *store.Leases) {
	name, length := playerPrefix+owner, l.Length.Milliseconds()
	domains, elapsed := make([]int64, store.Domains), make([]int64, store.Domains)
	for d, at := range u {
		domains[d], elapsed[d] = int64(d), int64(at)
	}
	p.Queue(saveOwnText, owner, domains, elapsed)
	wanted := int64(want.Domains) //nolint:gosec // bit by bit
	p.Queue(renewText, owner, length)
	p.Queue(giveText, owner, wanted)
	if wanted == 0 {
		p.Queue(giveLeaseText, name, owner)
	} else {
		p.Queue(wantText, name, owner, length, wanted)
		if want.Shared {
			p.Queue(shedText, owner)
		}
		p.Queue(takeText, owner, length, wanted, want.Shared)
	}
	p.Queue(waitingText, owner).QueryRow(func(row pgx.Row) error {
		var waiting int64
		err := row.Scan(&waiting)
		l.Waiting = store.DomainSet(waiting) //nolint:gosec // as above
		return err
	})
	p.Queue(ownersText, owner).Query(func(rows pgx.Rows) error {
		l.Owned, l.Elsewhere = 0, 0
		for rows.Next() {
			var d, elapsed, since int64
			var mine, others bool
			if err := rows.Scan(&d, &elapsed, &mine, &others, &since); err != nil {
				return err
			}
			l.Uptimes[d] = time.Duration(elapsed)
			l.Since[d] = time.Duration(since) * time.Millisecond
			switch {
			case mine:
				l.Owned = l.Owned.With(store.Domain(d)) //nolint:gosec // the table has them checked
			case others:
				l.Elsewhere = l.Elsewhere.With(store.Domain(d)) //nolint:gosec // as above
			}
		}
		return rows.Err()
	})
}

// giveBackDomains ends the leases of a store that is being closed.
func (s *Store) giveBackDomains() {
	if s.owned.Load() == 0 || s.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.timeout)
	defer cancel()
	_, _ = s.Lease(ctx, store.Wanted{}, store.Uptimes{}) // otherwise they end by themselves
}

// Leases returns how many clock domains the store owned when it last asked.
func (s *Store) Leases() int {
	if s.closed.Load() || s.Err() != nil {
		return 0
	}
	return int(s.owned.Load())
}

// wantNoPlayers returns an error while stores play on the database.
func wantNoPlayers(ctx context.Context, tx pgx.Tx) error {
	var n int
	if err := tx.QueryRow(ctx, playersText).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%w: %d processes play on it; stop them first", store.ErrBusy, n)
	}
	return nil
}
