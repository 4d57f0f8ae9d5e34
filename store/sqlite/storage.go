package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// storage is the file and the connections to it.
type storage struct {
	path string
	opts options

	// mu is held for reading while the connections are used and for writing to close
	// them. The writer's goroutine, which ends before they are closed, does without.
	mu   sync.RWMutex
	conn *connections // nil once closed

	// After damage the connections keep the bad pages that they have read, and what is committed
	// into a file that has lost its name is found by nobody.
	failure *sqlstore.Failure
}

// told returns the error in the words of package store. The store fails for good if
// it is about damage, which is told by its reason: connections to a file and to what was put
// in its place share the files beside them, and meet each other's pages there.
func (d *storage) told(err error) error {
	err = d.translate(err)
	if errors.Is(err, store.ErrDamaged) {
		if replaced := d.conn.files.check(d.path); errors.Is(replaced, store.ErrDamaged) {
			err = d.translate(replaced)
		}
		d.failure.Fail(err)
	}
	return err
}

// check returns an error if what is stored now would not be found in the files by a
// process that starts later.
func (d *storage) check() error { return d.told(d.conn.files.check(d.path)) }

// use calls f with the connections, unless they are closed or cannot be trusted.
func (d *storage) use(ctx context.Context, f func(*connections) error) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.conn == nil {
		return store.ErrClosed
	}
	if err := d.failure.Err(); err != nil {
		return err
	}
	err := f(d.conn)
	if ctxErr := ctx.Err(); err != nil && ctxErr != nil {
		return ctxErr // a read that was interrupted
	}
	return d.told(err)
}

// close closes the connections, except after a failure: whoever closes a database
// last moves its log into the file, where it would meet the damage, and removes the
// files beside it by their names, under which other files may lie by then. The end of
// the process closes what is open.
func (d *storage) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	conn := d.conn
	d.conn = nil
	if conn == nil || d.failure.Err() != nil {
		return nil
	}
	return conn.close()
}

// connections are those to the file, and what is prepared on them.
type connections struct {
	files  files
	writer *sql.DB
	only   *sql.Conn    // of writer
	key    sqlstore.Key // of what stands for people who were erased
	writes *transaction
	reader *sql.DB
	reads  *prepared
}

// connect opens a file that was found acceptable, and brings its schema up to date.
func connect(ctx context.Context, path string, o options) (_ *connections, err error) {
	before, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	c := &connections{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	c.writer, err = sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw", "_txlock": "immediate"},
		"journal_mode(WAL)", "synchronous("+o.synchronous+")", "fullfsync(1)", "checkpoint_fullfsync(1)",
		"foreign_keys(1)", "secure_delete(1)", "journal_size_limit(16777216)"))
	if err != nil {
		return nil, err
	}
	c.writer.SetMaxOpenConns(1)
	c.writer.SetMaxIdleConns(1)
	if err := migrate(ctx, c.writer, path, o); err != nil {
		return nil, err
	}
	if c.reader, err = sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw"}, "query_only(1)")); err != nil {
		return nil, err
	}
	c.reader.SetMaxOpenConns(readers)
	c.reader.SetMaxIdleConns(readers)
	c.reads = &prepared{on: c.reader}
	if c.only, err = c.writer.Conn(ctx); err != nil {
		return nil, err
	}
	if err := takeUp(ctx, c.only, before); err != nil {
		return nil, err
	}
	c.writes = &transaction{prepared: prepared{on: c.only}, conn: c.only}
	if c.key, err = sqlstore.KeyOf(c.writes); err != nil {
		return nil, err
	}
	if c.files, err = identify(path); err != nil {
		return nil, err
	}
	if !os.SameFile(before, c.files[0]) {
		return nil, gone(path, nil)
	}
	return c, nil
}

// close closes what is open. The readers go first: whoever closes last moves the log
// and removes it.
func (c *connections) close() error {
	var err error
	if c.writes != nil {
		c.writes.close()
	}
	if c.only != nil {
		err = c.only.Close()
	}
	if c.reader != nil {
		err = errors.Join(err, c.reader.Close())
	}
	if c.writer != nil {
		err = errors.Join(err, c.writer.Close())
	}
	return err
}
