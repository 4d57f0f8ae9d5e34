package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
)

// Filling a database goes with nothing else, and so does the first look of a process
// that is going to play on it. Whoever does so takes a lease: a row that says who it is and
// until when, by the database's clock, unless they say so again before. A process that
// dies leaves a lease that ends by itself.

// leaseTime is for how long a lease is taken, and renewed each time a third of that has
// passed.
const leaseTime = 15 * time.Second

// playLease is the lease of who is alone.
const playLease = "play"

// alone has Open take the lease of the one that is alone on the database, and the store
// keep it until it is closed. While another process keeps it, or plays, Open fails with
// [store.ErrBusy]; where that one has died, Open waits until its lease has ended, some
// seconds. A store whose lease another process has taken, because this one was cut off for
// longer than the lease, has failed for good.
func alone() Option { return func(o *options) { o.lease = leaseTime } }

// Play says that the store is for a process that plays on the database, as several may.
// Open fails with [store.ErrBusy] while another is filling it. Where the tables were
// restored from a dump since anybody played on them, Open winds up their clocks.
func Play() Option { return func(o *options) { o.play = true } }

// errPlayedOn says that another process has the lease.
var errPlayedOn = fmt.Errorf("%w: another process has it for itself; wait until it is done, or stop it", store.ErrBusy)

const (
	takeLeaseText = `INSERT INTO leases (name, owner, ends) VALUES ($1, $2, now() + $3::bigint * interval '1 millisecond')
		ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, ends = excluded.ends
		WHERE leases.owner = excluded.owner OR leases.ends < now()`
	leaseText     = "SELECT owner, ends FROM leases WHERE name = $1"
	giveLeaseText = "DELETE FROM leases WHERE name = $1 AND owner = $2"
)

// takeLease takes the lease. It waits for that of a process that has died to end, and
// gives up when its owner renews it.
func takeLease(ctx context.Context, conn *pgx.Conn, owner string, length time.Duration) error {
	var before time.Time
	var keeper string
	for {
		tag, err := conn.Exec(ctx, takeLeaseText, playLease, owner, length.Milliseconds())
		if err != nil || tag.RowsAffected() == 1 {
			return err
		}
		var by string
		var ends time.Time
		switch err := conn.QueryRow(ctx, leaseText, playLease).Scan(&by, &ends); {
		case errors.Is(err, pgx.ErrNoRows): // given back in this moment
		case err != nil:
			return err
		case keeper == by && !ends.Equal(before):
			return errPlayedOn
		default:
			keeper, before = by, ends
		}
		select {
		case <-time.After(length / 60):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", errPlayedOn, ctx.Err())
		}
	}
}

// keepLease renews the lease that was taken until the function that it returns is called,
// which gives it back, so that another process need not wait.
func (s *Store) keepLease() (giveBack func()) {
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		tick := time.Tick(s.opts.lease / 3)
		for {
			select {
			case <-ctx.Done():
				return
			case <-s.Failed(): // whoever has failed for good leaves the lease to others
				return
			case <-tick:
				s.renewLease(ctx)
			}
		}
	})
	return func() {
		stop()
		work.Wait()
		s.remove(giveLeaseText, playLease, ownerOf(s.writer.id)) // otherwise it ends by itself
	}
}

// renewLease renews the lease. A database that cannot be reached is not a lease that is lost.
func (s *Store) renewLease(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.opts.lease/3)
	defer cancel()
	tag, err := s.pool.Exec(ctx, takeLeaseText, playLease, ownerOf(s.writer.id), s.opts.lease.Milliseconds())
	if err == nil && tag.RowsAffected() == 0 {
		s.fail(fmt.Errorf("%w; it began when this one had not reached the database for a while", errPlayedOn))
	}
}
