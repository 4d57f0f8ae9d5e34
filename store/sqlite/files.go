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

// files are a database file and those beside it, as they were when they were opened.
// The two latter are nil when there were none.
type files struct{ main, log, index os.FileInfo }

// identify returns the files that lie under the path.
func identify(path string) (f files, err error) {
	if f.main, err = os.Stat(path); err != nil {
		return files{}, gone(path, err)
	}
	for suffix, into := range map[string]*os.FileInfo{logSuffix: &f.log, indexSuffix: &f.index} {
		switch *into, err = os.Stat(path + suffix); {
		case errors.Is(err, fs.ErrNotExist):
			*into = nil
		case err != nil:
			return files{}, gone(path+suffix, err)
		}
	}
	return f, nil
}

// check returns an error unless the same files still lie under the path and may be
// written. A commit goes into those that are open, and without a name they are lost
// at the end.
func (f files) check(path string) error {
	for _, one := range [...]struct {
		suffix string
		opened os.FileInfo
	}{{"", f.main}, {logSuffix, f.log}, {indexSuffix, f.index}} {
		if one.opened == nil {
			continue
		}
		if now, err := os.Stat(path + one.suffix); err != nil || !os.SameFile(now, one.opened) {
			return gone(path+one.suffix, err)
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
