package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"tictactoe/store"
)

// SQLite keeps two files beside a database that is open: the log, which holds what
// is not in the file yet, and an index of the log.
const (
	logSuffix   = "-wal"
	indexSuffix = "-shm"
)

// suffixes are behind the names of a database file and of those beside it.
var suffixes = [...]string{"", logSuffix, indexSuffix}

// files are those files as they were when they were opened: nil where there was none.
type files [len(suffixes)]os.FileInfo

// identify returns the files that lie under the path.
func identify(path string) (f files, err error) {
	for i, suffix := range suffixes {
		f[i], err = os.Stat(path + suffix)
		if err != nil && (suffix == "" || !errors.Is(err, fs.ErrNotExist)) {
			return files{}, gone(path+suffix, err)
		}
	}
	return f, nil
}

// check returns an error unless the same files still lie under the path and may be
// written. A commit goes into those that are open, and without a name they are lost
// at the end.
func (f files) check(path string) error {
	for i, opened := range f {
		if opened == nil {
			continue
		}
		if now, err := os.Stat(path + suffixes[i]); err != nil || !os.SameFile(now, opened) {
			return gone(path+suffixes[i], err)
		}
	}
	if !mayWrite(path) {
		return readOnly(path)
	}
	return nil
}

// gone says that a file that is open is not the one under its name.
func gone(path string, err error) error {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return fmt.Errorf("%w: the file %s was deleted or replaced while it was in use", store.ErrDamaged, path)
}

// readOnly says that the file may not be written.
func readOnly(path string) error {
	return fmt.Errorf("%w: the file %s may not be written by this user", store.ErrReadOnly, path)
}
