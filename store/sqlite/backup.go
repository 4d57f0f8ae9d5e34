package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tictactoe/store"
)

// Backup writes a consistent copy of the database, with everything committed
// before the call, to a new file at the path, while the store goes on working.
// The copy is one file, readable by its owner only, and can be opened as it is.
// An existing file is left alone: the error wraps [fs.ErrExist]. After any other
// error there is no file.
func (s *Store) Backup(ctx context.Context, path string) error {
	if s.writer.isClosed() {
		return store.ErrClosed
	}
	if err := s.flush(ctx); err != nil && ctx.Err() != nil {
		return err
	}
	s.db.copies.RLock()
	defer s.db.copies.RUnlock()
	if err := s.read(ctx, func(*readStatements) error { return s.db.check() }); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("backup: %s is there already: %w", path, fs.ErrExist)
	case err != nil:
		return fmt.Errorf("backup: %w", err)
	}
	// No locks of SQLite are lost by closing f: it has not opened the copy yet, or
	// no longer.
	err = errors.Join(f.Close(), s.copyInto(ctx, path), syncFile(path), syncFolder(filepath.Dir(path)))
	if err != nil {
		if ctxErr := ctx.Err(); ctxErr != nil {
			err = ctxErr
		}
		return errors.Join(fmt.Errorf("backup: %w", s.db.failed(err)), os.Remove(path))
	}
	return nil
}

// copyInto copies the database into the empty file, on a connection of its own
// since it may take long.
func (s *Store) copyInto(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(s.db.path, s.opts, map[string]string{"mode": "rw"}))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(err, db.Close())
}

// syncFile makes the content of the file durable.
func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the operator's own choice
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
