// Package sqlitetest makes databases for tests.
package sqlitetest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tictactoe/store/sqlite"
)

// Empty makes a database at the path as [sqlite.Open] would, with all tables and no
// records. The tables are made once in a process and copied: with the race detector each
// making takes half a second. It may be called concurrently.
func Empty(t testing.TB, path string) {
	t.Helper()
	content, err := empty()
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Open opens a database with no records, in a folder of the test's own. It may be called
// concurrently.
func Open(t testing.TB) *sqlite.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "games.db")
	Empty(t, path)
	s, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var empty = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "sqlitetest")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	path := filepath.Join(folder, "empty.db")
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // the file that was just made
})
