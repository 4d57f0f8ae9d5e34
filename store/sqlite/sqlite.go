package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

var _ store.Store = (*Store)(nil)

// readers is how many reads run at the same time; more of them wait.
const readers = 4

// Store is a database file that has been opened. It implements [store.Store], where
// its methods are documented.
type Store struct {
	shared
	path    string
	opts    options
	writer  *writer
	conn    *connections
	readers chan struct{} // holds one for each read under way, and is full once the connections are closed
	closed  chan struct{} // closed before they are

	// After damage the connections keep the bad pages that they have read, and what is committed
	// into a file that has lost its name is found by nobody.
	fail context.CancelCauseFunc
}

// shared are the methods that are the same for every database.
type shared = sqlstore.Store

// db is a store as package sqlstore uses it.
type db struct{ *Store }

// Option changes how a database is opened.
type Option func(*options)

type options struct {
	now         func() time.Time
	busy        time.Duration
	synchronous string // FULL, except where a test shows that less is not enough
	vfs         string // SQLite's default, except in tests that take its place
	maxBatch    int
	onCommit    func(changes int, took time.Duration) // told of every commit
	onMigration func(back string)
	steps       fs.FS // what makes the schema; the program's own, except in tests of a newer one
}

// WithNow sets the clock that dates claims, which is [time.Now] by default. It
// must be safe for concurrent use.
func WithNow(now func() time.Time) Option { return func(o *options) { o.now = now } }

// WithBusyTimeout sets how long a write waits for another process that has the
// database locked before it fails with [store.ErrBusy]: 1.5 s by default, which
// leaves time to tell people. Less than a millisecond is not to wait at all.
func WithBusyTimeout(d time.Duration) Option { return func(o *options) { o.busy = d } }

// WithCommits has every commit told, with the number of changes in it and the time from
// when they were taken up. f is called by the one goroutine that writes: it must be quick.
func WithCommits(f func(changes int, took time.Duration)) Option {
	return func(o *options) { o.onCommit = f }
}

// WithMigration has it told that the schema of a file changes, before it does, with the
// command of a shell (of PowerShell on Windows) that puts back the file as it was, while
// nobody has it open: a copy of it beside it, which goes after seven days or at the first
// erasure. What was stored since is lost by that.
func WithMigration(f func(back string)) Option { return func(o *options) { o.onMigration = f } }

// Open opens the database file, makes it if there is none in a folder that
// exists, and brings its schema up to date; two processes may do so at once. The
// file is made readable and writable by its owner only, and so are those beside it.
//
// A folder that is missing, a directory or something else that is no file, a
// folder or file that cannot be written ([store.ErrReadOnly]), a file that is no
// SQLite database or belongs to another program ([store.ErrNotDatabase]) or was
// written by a newer version of this one ([store.ErrNewerSchema]) gets an error in
// words for an operator, and is left exactly as it was.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	o := options{
		now: time.Now, busy: 1500 * time.Millisecond, synchronous: "FULL", maxBatch: 256,
		onMigration: func(string) {}, steps: migrations,
	}
	for _, opt := range opts {
		opt(&o)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if err := prepareFile(ctx, path, o); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	for started := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		s, err := open(ctx, path, o)
		switch {
		case err == nil:
			return s, nil
		case !isPassing(err) || time.Since(started) >= openPatience:
			return nil, fmt.Errorf("sqlite: database %s: %w", path, sentinel(err))
		}
	}
}

// openPatience is how long Open tries again while other processes that open the
// same file are in its way. Switching to WAL mode is done without waiting for
// locks.
const openPatience = 5 * time.Second

// prepareFile makes sure that there is a file at the path that may be opened for
// writing, without changing one that is there.
func prepareFile(ctx context.Context, path string, o options) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return createFile(path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%w: %s is a directory; name a file in it", store.ErrNotDatabase, path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a regular file", store.ErrNotDatabase, path)
	case info.Size() == 1: // which SQLite takes for empty
		return notSQLite(path)
	}
	if err := look(ctx, path, o); err != nil {
		return err
	}
	if !mayWrite(path) {
		return readOnly(path)
	}
	if folder := filepath.Dir(path); !mayWrite(folder) {
		return fmt.Errorf("%w: the folder %s may not be written by this user, and the database needs files beside it",
			store.ErrReadOnly, folder)
	}
	return makePrivate(path)
}

// makePrivate takes the file and those beside it, which SQLite makes with the same
// mode, away from everybody but their owner. That of somebody else stays as it is.
func makePrivate(path string) error {
	for _, suffix := range suffixes {
		info, err := os.Stat(path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.Mode().Perm()&0o077 == 0:
			continue
		}
		err = os.Chmod(path+suffix, info.Mode().Perm()&0o700)
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// createFile makes an empty database file. Another process that does so in the
// same instant is welcome.
func createFile(path string) error {
	folder := filepath.Dir(path)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator's choice
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist; make it or name another: %w", folder, fs.ErrNotExist)
	case err != nil:
		return fmt.Errorf("%w: no file can be made in the folder %s: %w", store.ErrReadOnly, folder, err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes the names in the folder durable. Systems that cannot do so for
// a folder need not.
func syncFolder(folder string) error {
	d, err := os.Open(folder) //nolint:gosec // the operator's own choice
	if err != nil {
		return nil //nolint:nilerr // may be entered but not listed: SQLite will do what it can
	}
	_ = d.Sync()
	return d.Close()
}

// open opens a file that prepareFile has passed.
func open(ctx context.Context, path string, o options) (*Store, error) {
	conn, err := connect(ctx, path, o)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, opts: o, conn: conn, readers: make(chan struct{}, readers), closed: make(chan struct{})}
	s.writer = &writer{store: s, queue: sqlstore.NewQueue[request](), scrubs: scrubs{}}
	s.shared, s.fail = sqlstore.New(db{s}, conn.key, o.now, &s.writer.deliveries)
	go s.writer.queue.Serve(o.maxBatch, s.writer.write, s.writer.stop)
	return s, nil
}

// Close implements [store.Store]. It moves the log into the database file, so that
// it is one file afterwards. After a failure it leaves the connections open: whoever closes
// a database last moves its log into the file, where it would meet the damage, and removes
// the files beside it by their names, under which other files may lie by then. The end of
// the process closes what is open.
func (s *Store) Close() error {
	err := s.writer.queue.Close()
	if errors.Is(err, store.ErrClosed) {
		return nil
	}
	close(s.closed)
	for range readers { // reads that are under way end, and no more begin
		s.readers <- struct{}{}
	}
	if s.Err() != nil {
		return err
	}
	return errors.Join(err, s.conn.close())
}
