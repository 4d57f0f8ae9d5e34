package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/internal/steps"
)

var _ store.Store = (*Store)(nil)

// readers is how many connections there are for reading where the address does not say
// pool_max_conns. More reads wait. One more connection writes.
const readers = 4

// Store is a database that has been opened. It implements [store.Store], where its
// methods are documented.
type Store struct {
	shared
	pool   *pgxpool.Pool
	writer *writer
	owned  atomic.Int64 // clock domains
	again  atomic.Int64 // transactions that were tried again because they met others
	opts   options
	key    sqlstore.Key // of what stands for people who were erased

	closed atomic.Bool // Close has got so far that nothing can be read any more
	fail   context.CancelCauseFunc
}

// shared are the methods that are the same for every database.
type shared = sqlstore.Store

// db is a store as package sqlstore uses it.
type db struct{ *Store }

// Option changes how a database is opened.
type Option func(*options)

type options struct {
	timeout time.Duration
	// How long the answer to a commit is waited for before it counts as lost.
	commitTime time.Duration
	maxBatch   int
	commits    func(changes int, took time.Duration) // told of every commit
	// How long the leases of clock domains last.
	domainLease time.Duration
	waiting     func(process string) // told for which one Open waits
}

// WithTimeout sets how long a write may take, connecting and trying again included,
// before it fails with [store.ErrUnreachable] or [store.ErrBusy]: 1.5 s by default, which
// leaves time to tell people. A commit that was sent is waited for nevertheless.
func WithTimeout(d time.Duration) Option { return func(o *options) { o.timeout = d } }

// WithCommits has every commit told, with the number of changes in it and the time from
// when they were taken up. f is called by the one goroutine that writes: it must be quick.
func WithCommits(f func(changes int, took time.Duration)) Option {
	return func(o *options) { o.commits = f }
}

// WithWaiting has Open tell for which process of an earlier version it waits: one that plays
// on tables which a step is about to change under it.
func WithWaiting(f func(process string)) Option { return func(o *options) { o.waiting = f } }

// Open connects to the database that the address names, which has to exist, and brings
// its schema up to date; several processes may do so at once. Tables are made in the
// first schema of search_path that exists, which is public by default. Where they were
// restored from a dump since they were last opened, Open winds up their clocks. It fails with
// [store.ErrBusy] while another process is filling them.
//
// A server that cannot be reached, a user who is not let in, a schema that belongs to
// another program ([store.ErrNotDatabase]) or was written by a newer version of this one
// ([store.ErrNewerSchema]) gets an error in words for an operator, and is left as it was.
// No error holds the password.
func Open(ctx context.Context, address string, opts ...Option) (*Store, error) {
	o := options{timeout: 1500 * time.Millisecond, commitTime: 5 * time.Second, maxBatch: 256, domainLease: domainLease}
	for _, opt := range opts {
		opt(&o)
	}
	config, err := parseURL(address, o)
	if err != nil {
		return nil, fmt.Errorf("postgres: the address %w", err)
	}
	s := &Store{opts: o}
	where := nameOf(config.ConnConfig)
	id, err := s.prepare(ctx, config.ConnConfig)
	if err == nil {
		s.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	}
	if err != nil {
		return nil, fmt.Errorf("postgres: database %s: %w", where, sentinel(err))
	}
	s.writer = &writer{store: s, config: config.ConnConfig, id: id, queue: sqlstore.NewQueue[request]()}
	s.shared, s.fail = sqlstore.New(db{s}, s.key, time.Now, &s.writer.deliveries)
	go s.writer.queue.Serve(o.maxBatch, s.writer.write, s.writer.stop)
	return s, nil
}

// nameOf names the database for people.
func nameOf(c *pgx.ConnConfig) string { return fmt.Sprintf("%s on %s:%d", c.Database, c.Host, c.Port) }

// prepare makes the schema ready, and the store's row in writers. It returns the number
// of that row.
func (s *Store) prepare(ctx context.Context, config *pgx.ConnConfig) (id int64, err error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is left in it
	version, err := recognise(ctx, conn)
	if err != nil {
		return 0, err
	}
	if version < steps.Latest(migrations) {
		if err := s.waitForOlder(ctx, conn, version); err != nil {
			return 0, err
		}
		// Steps may take longer than an ordinary transaction, and wait for each other.
		patient := config.Copy()
		patient.RuntimeParams["lock_timeout"] = milliseconds(migratePatience)
		patient.RuntimeParams["idle_in_transaction_session_timeout"] = milliseconds(migratePatience)
		if err := migrate(ctx, patient, migrations); err != nil {
			return 0, err
		}
	}
	// Rows of stores that were not closed are of no use to anybody by then.
	if _, err := conn.Exec(ctx, "DELETE FROM writers WHERE seen < now() - interval '30 days'; "+forgetPlayersText); err != nil {
		return 0, err
	}
	if err := takeUp(ctx, conn); err != nil {
		return 0, err
	}
	if s.key, err = sqlstore.KeyOf(transaction{ctx, conn}); err != nil {
		return 0, err
	}
	id = rand.Int64() //nolint:gosec // told apart from others, not kept from them
	_, err = conn.Exec(ctx, "INSERT INTO writers (id, commits, seen) VALUES ($1, 0, now())", id)
	return id, err
}

// ownerOf returns as whom the store with the number takes leases.
func ownerOf(id int64) string { return strconv.FormatInt(id, 10) }

// told returns the error in the words of package store. The store fails for good if it
// is about damage.
func (s *Store) told(err error) error {
	if err == nil {
		return nil
	}
	err = sentinel(err)
	if errors.Is(err, store.ErrDamaged) {
		s.fail(fmt.Errorf("database %s: %w", nameOf(s.pool.Config().ConnConfig), err))
	}
	return err
}

// Close implements [store.Store].
func (s *Store) Close() error {
	s.giveBackDomains()
	err := s.writer.queue.Close()
	if errors.Is(err, store.ErrClosed) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.timeout)
	defer cancel()
	_, _ = s.pool.Exec(ctx, "DELETE FROM writers WHERE id = $1", s.writer.id) // otherwise it goes with old ones
	s.closed.Store(true)
	s.pool.Close()
	return err
}
