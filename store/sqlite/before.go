package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"tictactoe/store"
	"tictactoe/store/internal/steps"
)

// Before its schema changes the file is copied beside it: the way back to the version of the
// program that reads it.

// copyStays is for how long such a copy is kept, unless somebody is erased before.
const copyStays = 7 * 24 * time.Hour

// copyBefore is the name of the copy of a file whose schema has the number.
func copyBefore(path string, version int64) string {
	return path + ".schema-" + strconv.FormatInt(version, 10)
}

// unfinished is behind the name of a copy that is being made, or whose making was interrupted.
const unfinished = ".part"

// back is the command that puts the copy in the place of the file. The log beside the file is
// none of the copy's: SQLite would apply it.
func back(goos, path, copied string) string {
	if goos == "windows" { // for PowerShell
		in := func(path string) string {
			return "'" + strings.ReplaceAll(strings.ReplaceAll(path, `\`, "/"), "'", "''") + "'"
		}
		return fmt.Sprintf("Remove-Item %s, %s -ErrorAction Ignore; Move-Item -Force %s %s",
			in(path+logSuffix), in(path+indexSuffix), in(copied), in(path))
	}
	in := func(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
	return fmt.Sprintf("rm -f %s %s && mv %s %s", in(path+logSuffix), in(path+indexSuffix), in(copied), in(path))
}

// keepBefore copies a file whose schema will change. It holds the lock for writing meanwhile,
// so that nobody else copies or migrates.
func keepBefore(ctx context.Context, db *sql.DB, path string, o options) error {
	version, err := schemaVersion(ctx, db)
	if err != nil || version == 0 || version >= steps.Latest(o.steps) {
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
	copied := copyBefore(path, version)
	if err := copyTo(ctx, reader, copied); err != nil {
		return fmt.Errorf("this version changes the schema, and copies the file before, which failed; nothing was changed: %w", err)
	}
	o.onMigration(back(runtime.GOOS, path, copied))
	return nil
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
		return fmt.Errorf("%w: it needs %d MiB in %s", store.ErrFull, (size+1<<20-1)>>20, filepath.Dir(name))
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
	for version := range steps.Latest(migrations) + 1 { // this one's, too, where a newer version was tried
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
