package sqlite_test

import (
	"path/filepath"
	"sync"
	"testing"

	"tictactoe/store/sqlite"
	"tictactoe/store/storetest"
)

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

// open opens a new database.
func open(t *testing.T, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "t.db"), opts...)
}

func TestStore(t *testing.T) {
	var mu sync.Mutex
	paths := map[storetest.Store]string{}
	openNamed := func(t *testing.T, path string) storetest.Store {
		s := openAt(t, path)
		mu.Lock()
		defer mu.Unlock()
		paths[s] = path
		return s
	}
	storetest.Run(t,
		func(t *testing.T) storetest.Store { return openNamed(t, filepath.Join(t.TempDir(), "t.db")) },
		func(t *testing.T, s storetest.Store) storetest.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			path := paths[s]
			mu.Unlock()
			return openNamed(t, path)
		})
}
