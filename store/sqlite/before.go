package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
)

// Before a migration that drops something the file is copied beside it: the way back to the
// version of the program that reads it.

// copyStays is for how long such a copy is kept, unless somebody is erased before.
const copyStays = 7 * 24 * time.Hour

// copyBefore is the name of the copy of a file whose schema has the number.
func copyBefore(path string, version int64) string {
	return path + ".schema-" + strconv.FormatInt(version, 10)
}

// unfinished is behind the name of a copy that is being made, or whose making was interrupted.
const unfinished = ".part"

// drop finds what takes away more than an index, once comments are out.
var (
	comment = regexp.MustCompile(`--.*`)
	drop    = regexp.MustCompile(`(?i)\bDROP\s+(?:TABLE|COLUMN)\b`)
)

// dropsAfter reports whether a migration behind the number drops something.
func dropsAfter(all fs.FS, version int64) (bool, error) {
	names, err := fs.Glob(all, "*.sql")
	if err != nil {
		return false, err
	}
	for _, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.ParseInt(number, 10, 64); err != nil || n <= version {
			continue
		}
		text, err := fs.ReadFile(all, name)
		if err != nil {
			return false, err
		}
		up, _, _ := strings.Cut(string(text), "-- +goose Down")
		if drop.MatchString(comment.ReplaceAllString(up, "")) {
			return true, nil
		}
	}
	return false, nil
}

// keepBefore copies the file if a migration that is pending drops something. It holds the
// lock for writing meanwhile, so that nobody else copies or migrates.
func keepBefore(ctx context.Context, db *sql.DB, path string, o options, all fs.FS) error {
	version, err := schemaVersion(ctx, db)
	if err != nil || version == 0 {
		return err
	}
	if drops, err := dropsAfter(all, version); err != nil || !drops {
		return err
	}
	lock, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer lock.Rollback() //nolint:errcheck // it has written nothing
	reader, err := sql.Open("sqlite", dsn(path, o, map[string]string{"mode": "rw"}))
	if err != nil {
		return err
	}
	defer reader.Close() //nolint:errcheck // of this database it has read only
	if now, err := schemaVersion(ctx, reader); err != nil || now != version {
		return err // another process has migrated meanwhile, and copied before
	}
	return copyTo(ctx, reader, copyBefore(path, version))
}

// copyTo makes a copy of the database under the name, whole or not at all. One that is there
// is older than what is in the file now.
func copyTo(ctx context.Context, db *sql.DB, name string) (err error) {
	part := name + unfinished
	if err := remove(name, part); err != nil {
		return err
	}
	if err := os.WriteFile(part, nil, 0o600); err != nil { // which SQLite fills
		return err
	}
	defer func() {
		if err != nil {
			_ = remove(part)
		}
	}()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		if primary(err) != sqlite3.SQLITE_FULL {
			return err
		}
		var size int64
		if sizeErr := db.QueryRowContext(ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size); sizeErr != nil {
			return errors.Join(err, sizeErr)
		}
		return fmt.Errorf("%w: this version drops what older ones need, and copies the file before: that needs %d MiB in %s; nothing was changed",
			store.ErrFull, (size+1<<20-1)>>20, filepath.Dir(name))
	}
	f, err := os.OpenFile(part, os.O_RDWR, 0) //nolint:gosec // beside the operator's file
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(part, name); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(name))
}

// dropCopies removes the copies that were made before the time; all with the zero time.
func dropCopies(path string, before time.Time) error {
	var names []string
	for version := range latestVersion() {
		for _, name := range []string{copyBefore(path, version), copyBefore(path, version) + unfinished} {
			if info, err := os.Stat(name); err == nil && (before.IsZero() || info.ModTime().Before(before)) {
				names = append(names, name)
			}
		}
	}
	return remove(names...)
}

// remove removes files, of which some may not be there.
func remove(names ...string) error {
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
