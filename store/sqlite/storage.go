package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/store"
)

// mendPause is the least time between two attempts to get connections that can be
// trusted: a file that stays damaged is no reason to open it at every click.
const mendPause = 250 * time.Millisecond

// storage is the file and the connections to it. These are replaced when they can
// no longer be trusted: after damage, since they keep the bad pages that they have
// read, and when there are other files under the name than those they have open.
type storage struct {
	path string
	opts options

	// mu is held for reading by readers and by Backup's look at the files, and for
	// writing to replace the connections. Only the writer's goroutine replaces them,
	// so that it may use them without. It is taken before the gate of the notes.
	mu   sync.RWMutex
	conn *connections // nil while there are none
	why  error        // that there are none

	copies  sync.RWMutex // held for reading by Backup, which has connections of its own
	suspect atomic.Bool  // the connections are to be replaced
	tried   time.Time    // when that was last attempted; the writer's
}

// failed notes what the error says about the connections, and translates it.
func (d *storage) failed(err error) error {
	if isDamage(err) {
		d.suspect.Store(true)
	}
	return d.translate(err)
}

// check returns an error if what is stored now would not be found in the files by a
// process that starts later.
func (d *storage) check() error {
	if err := d.conn.files.check(d.path); err != nil {
		d.suspect.Store(true)
		return err
	}
	return nil
}

// mend sees to it that there are connections that can be trusted, if that is in
// doubt and was not attempted a moment ago. The error is why nothing may be written.
func (d *storage) mend(ctx context.Context) error {
	if !d.suspect.Load() {
		return nil
	}
	if d.conn != nil && d.conn.files.check(d.path) == nil {
		if time.Since(d.tried) >= mendPause {
			d.tried = time.Now()
			d.renew(ctx)
		}
		return nil // what is damaged fails by itself
	}
	if time.Since(d.tried) >= mendPause {
		d.tried = time.Now()
		err := d.replace(ctx)
		if d.conn == nil {
			d.mu.Lock()
			d.why = err
			d.mu.Unlock()
		}
		return err
	}
	if d.conn == nil {
		return d.why
	}
	return d.conn.files.check(d.path)
}

// renew replaces the connections by others to the same file. The old ones are closed
// last: whoever is the only one to close a database moves its log into the file,
// which must not happen to a file that is damaged just now.
func (d *storage) renew(ctx context.Context) {
	next, err := connect(ctx, d.path, d.opts, migrateOurs)
	if err != nil {
		return // the old ones can still do what they could
	}
	d.mu.Lock()
	old := d.conn
	d.conn = next
	d.suspect.Store(false)
	d.mu.Unlock()
	_ = old.close()
}

// replace turns to the files that are there now: to another database, which has to
// be a whole one of this program, or to the same one if only the files beside it are
// gone. What was stored goes into the file that is open first, wherever that lies.
func (d *storage) replace(ctx context.Context) error {
	if !d.copies.TryLock() {
		return fmt.Errorf("%w: %s was replaced, and the old file is still being copied", store.ErrDamaged, d.path)
	}
	defer d.copies.Unlock()
	if d.conn != nil {
		if err := d.leave(ctx); err != nil {
			return err
		}
	} else if err := acceptable(ctx, d.path, d.opts, false); err != nil {
		return err
	}
	if err := makePrivate(d.path); err != nil {
		return err
	}
	next, err := connect(ctx, d.path, d.opts, migrateOurs)
	if err != nil {
		return d.translate(err)
	}
	d.mu.Lock()
	d.conn, d.why = next, nil
	d.suspect.Store(false)
	d.mu.Unlock()
	return nil
}

// leave closes the connections if there is something to turn to.
func (d *storage) leave(ctx context.Context) error {
	have := d.conn.files
	now, err := identify(d.path)
	if err != nil {
		return err
	}
	same := os.SameFile(now.main, have.main)
	strayLog := now.log != nil && os.SameFile(now.log, have.log)
	strayIndex := now.index != nil && os.SameFile(now.index, have.index)
	if same {
		if now.log != nil && !strayLog || now.index != nil && !strayIndex {
			return have.check(d.path) // somebody else has it open with other files beside it
		}
	} else {
		if !strayLog && now.log != nil && strayIndex {
			// The new file's log is not to be read by an index that is in memory here.
			if err := os.Remove(d.path + indexSuffix); err != nil {
				return fmt.Errorf("%w: %w", store.ErrDamaged, err)
			}
			strayIndex = false
		}
		if err := acceptable(ctx, d.path, d.opts, strayLog); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.conn.moveLog(ctx); err != nil {
		return fmt.Errorf("%w: %s was replaced, and the log of the old file cannot be moved into it; stop the program first: %w",
			store.ErrDamaged, d.path, err)
	}
	_ = d.conn.close()
	d.conn, d.why = nil, gone(d.path, nil)
	// Empty now, and left behind when their file is no longer there. They would be
	// taken for the new file's.
	for suffix, stray := range map[string]bool{logSuffix: strayLog, indexSuffix: strayIndex} {
		if same || !stray {
			continue
		}
		if err := os.Remove(d.path + suffix); err != nil {
			return fmt.Errorf("%w: %w", store.ErrDamaged, err)
		}
	}
	return nil
}

// acceptable returns an error unless the file holds a whole database of this
// program. An empty one, which is welcome at a start, may be a copy that has only
// just begun. With strayLog the log beside it is another file's.
func acceptable(ctx context.Context, path string, o options, strayLog bool) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return gone(path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a regular file", store.ErrDamaged, path)
	}
	version, err := look(ctx, path, o, strayLog)
	switch {
	case err != nil:
		return fmt.Errorf("%w: the file was replaced: %w", store.ErrDamaged, err)
	case version == 0:
		return fmt.Errorf("%w: the file %s was replaced by an empty one", store.ErrDamaged, path)
	}
	return nil
}

// read calls f with the statements of connections that can be trusted, as far as
// such can be had.
func (s *Store) read(ctx context.Context, f func(*readStatements) error) error {
	if s.writer.isClosed() {
		return store.ErrClosed
	}
	d := s.db
	if d.suspect.Load() {
		_ = s.writer.do(ctx, nil)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.conn == nil {
		return d.why
	}
	err := f(d.conn.reads)
	if ctxErr := ctx.Err(); err != nil && ctxErr != nil {
		return ctxErr // a read that was interrupted
	}
	return d.failed(err)
}

// close closes the connections for good.
func (d *storage) close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn == nil {
		return nil
	}
	err := d.conn.close()
	d.conn, d.why = nil, store.ErrClosed
	return err
}

// connections are those to the file, and what is prepared on them.
type connections struct {
	files  files
	writer *sql.DB
	only   *sql.Conn // of writer
	writes *writeStatements
	reader *sql.DB
	reads  *readStatements
}

// connect opens a file that was found acceptable, and has its schema made ready.
func connect(ctx context.Context, path string, o options, ready func(context.Context, *sql.DB) error) (_ *connections, err error) {
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
		"journal_mode(WAL)", "synchronous("+o.synchronous+")", "foreign_keys(1)", "journal_size_limit(16777216)"))
	if err != nil {
		return nil, err
	}
	c.writer.SetMaxOpenConns(1)
	c.writer.SetMaxIdleConns(1)
	if err := ready(ctx, c.writer); err != nil {
		return nil, err
	}
	if c.reader, err = sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw"}, "query_only(1)")); err != nil {
		return nil, err
	}
	c.reader.SetMaxOpenConns(readers)
	c.reader.SetMaxIdleConns(readers)
	if c.reads, err = prepareReads(ctx, c.reader); err != nil {
		return nil, err
	}
	if c.only, err = c.writer.Conn(ctx); err != nil {
		return nil, err
	}
	if c.writes, err = prepareWrites(ctx, c.only); err != nil {
		return nil, err
	}
	if c.files, err = identify(path); err != nil {
		return nil, err
	}
	if !os.SameFile(before, c.files.main) {
		return nil, gone(path, nil)
	}
	return c, nil
}

// moveLog moves all of the log into the database file.
func (c *connections) moveLog(ctx context.Context) error {
	var busy, pages, moved int
	err := c.only.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if err == nil && busy != 0 {
		err = errors.New("another program is using it")
	}
	return err
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
