package sqlite

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
)

// code returns SQLite's extended result code of the error, 0 if it has none.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// primary returns SQLite's primary result code of the error, 0 if it has none.
func primary(err error) int { return code(err) & 0xff }

// told returns the error in the words of package store, with the file in which it was met. The
// store fails for good if it is about damage, which is told by its reason: connections to a
// file and to what was put in its place share the files beside them, and meet each other's
// pages there.
func (s *Store) told(err error) error {
	if err == nil {
		return nil
	}
	err = sentinel(err)
	damaged := errors.Is(err, store.ErrDamaged)
	if damaged {
		if replaced := s.conn.files.check(s.path); errors.Is(replaced, store.ErrDamaged) {
			err = replaced
		}
	}
	err = fmt.Errorf("database %s: %w", s.path, err)
	if damaged {
		s.fail(err)
	}
	return err
}

// sentinel wraps the error of the driver in the sentinel that says what callers
// can do about it. Errors without a sentinel stay as they are.
func sentinel(err error) error {
	var is error
	if code(err) == sqlite3.SQLITE_READONLY_DBMOVED {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	switch primary(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		is = store.ErrBusy
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH:
		is = store.ErrReadOnly
	case sqlite3.SQLITE_FULL:
		is = store.ErrFull
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_IOERR:
		is = store.ErrDamaged // the connection that has met it goes on to say so from memory
	default:
		return err
	}
	return fmt.Errorf("%w: %w", is, err)
}

// isUniqueViolation reports whether the statement broke a unique index or a
// primary key.
func isUniqueViolation(err error) bool {
	return slices.Contains([]int{sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID}, code(err))
}

// isPassing reports whether opening may succeed in a moment: another process has
// the file locked, or has removed a journal that this one was about to remove.
func isPassing(err error) bool {
	return primary(err) == sqlite3.SQLITE_BUSY || code(err) == sqlite3.SQLITE_IOERR_DELETE_NOENT
}

// isOwnFault reports whether the error is about the change alone and says nothing
// about the others that were to be committed with it.
func isOwnFault(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrClaimed) || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, store.ErrBlocked) || errors.Is(err, store.ErrErasing) || errors.Is(err, store.ErrPlaceTaken) || errors.Is(err, store.ErrSeatTaken) || errors.Is(err, store.ErrPairTaken) ||
		errors.Is(err, store.ErrImmutable) || errors.Is(err, store.ErrInvalid)
}

// isCertainlyUndone reports whether a COMMIT that failed with the error can have
// left nothing behind that recovery would find. A lock that was not granted or a
// frame that found no space leaves no complete commit in the log; after any other
// failure the commit record may be on the disk although flushing it, or indexing
// it, was refused.
func isCertainlyUndone(err error) bool {
	return slices.Contains([]int{
		sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CONSTRAINT,
	}, primary(err))
}
