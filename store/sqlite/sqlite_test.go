package sqlite_test

import (
	"path/filepath"
	"sync"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
	"tictactoe/store/storetest"
)

// unflushed is for tests of much else than flushes, which are most of what they would wait
// for: only a machine that goes down would lose what is not flushed.
func unflushed() sqlite.Option { return sqlite.WithSynchronous("OFF") }

// openAt opens the database at the path and closes it when the test is over.
func openAt(t *testing.T, path string, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
	return s
}

// open opens a database that is empty.
func open(t *testing.T, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	return openAt(t, emptyAt(t), opts...)
}

// emptyAt makes a database that is empty and returns its path.
func emptyAt(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.db")
	sqlitetest.Empty(t, path)
	return path
}

func TestStore(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	paths := map[store.Store]string{}
	openNamed := func(t *testing.T, path string) store.Store {
		s := openAt(t, path, unflushed())
		mu.Lock()
		defer mu.Unlock()
		paths[s] = path
		return s
	}
	storetest.Run(t,
		func(t *testing.T) store.Store { return openNamed(t, emptyAt(t)) },
		func(t *testing.T, s store.Store) store.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			path := paths[s]
			mu.Unlock()
			return openNamed(t, path)
		})
}
