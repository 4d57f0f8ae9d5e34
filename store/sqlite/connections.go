package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"

	"tictactoe/store/internal/sqlstore"
)

// connections are those to the file, and what is prepared on them.
type connections struct {
	files  files
	key    sqlstore.Key // of what stands for people who were erased
	writes *transaction
	reads  *prepared

	closing []func() error // what is open, the last first
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
	writer, err := sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw", "_txlock": "immediate"},
		"journal_mode(WAL)", "synchronous("+o.synchronous+")", "fullfsync(1)", "checkpoint_fullfsync(1)",
		"foreign_keys(1)", "secure_delete(1)", "journal_size_limit(16777216)"))
	if err != nil {
		return nil, err
	}
	c.closing = append(c.closing, writer.Close)
	writer.SetMaxOpenConns(1)
	if err := migrate(ctx, writer, path, o); err != nil {
		return nil, err
	}
	reader, err := sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw"}, "query_only(1)"))
	if err != nil {
		return nil, err
	}
	c.closing = append(c.closing, reader.Close)
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	c.reads = &prepared{on: reader}
	if err := takeUp(ctx, writer, before); err != nil {
		return nil, err
	}
	only, err := writer.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c.writes = &transaction{prepared: prepared{on: only}, conn: only}
	c.closing = append(c.closing, only.Close, c.writes.close)
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
func (c *connections) close() (err error) {
	for _, f := range slices.Backward(c.closing) {
		err = errors.Join(err, f())
	}
	return err
}
