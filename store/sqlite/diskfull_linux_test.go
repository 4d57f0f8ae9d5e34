package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// smallDisk mounts a file system of a few megabytes and returns its folder.
func smallDisk(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("store", folder, "tmpfs", 0, "size=4m"); err != nil {
		t.Skipf("SKIPPED, a full disk is not tested: mounting a small tmpfs needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount: %v", err)
		}
	})
	return folder
}

// fill takes all the space that is left with a file.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 16, 1 << 10, 1} {
		for {
			if _, err := f.Write(make([]byte, size)); err != nil {
				if !errors.Is(err, syscall.ENOSPC) {
					t.Fatal(err)
				}
				break
			}
		}
	}
}

// TestDiskFull stores until the disk is full: changes are refused as such, what
// was acknowledged is there and can be read, and with space storing goes on.
func TestDiskFull(t *testing.T) {
	folder := smallDisk(t)
	path, filler := filepath.Join(folder, "t.db"), filepath.Join(folder, "filler")
	s := openAt(t, path)
	next := store.MatchID(1)
	for round := range 3 {
		put(t, s, next)
		next++
		fill(t, filler)
		// The log may have some room from before.
		var err error
		for tries := 0; err == nil && tries < 10_000; tries++ {
			err = s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(next)}})
			if err == nil {
				next++
			}
		}
		if !errors.Is(err, store.ErrFull) || errors.Is(err, store.ErrPending) {
			t.Fatalf("round %d: Apply on a full disk = %v, want %v and not pending", round, err, store.ErrFull)
		}
		if err := s.Check(t.Context()); !errors.Is(err, store.ErrFull) {
			t.Errorf("round %d: Check on a full disk = %v, want %v", round, err, store.ErrFull)
		}
		wantMatches(t, s, next)
		message := store.MessageID(strconv.Itoa(100 + round))
		s.Deliver(store.Delivery{Match: 1, Message: message})
		if err := s.Check(t.Context()); !errors.Is(err, store.ErrFull) {
			t.Errorf("round %d: Check on a full disk = %v, want %v", round, err, store.ErrFull)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(t.Context()); err != nil {
			t.Fatalf("round %d: Check when there is space again = %v", round, err)
		}
		if m, err := s.Match(t.Context(), 1); m.Message != message || err != nil {
			t.Errorf("round %d: Match = message %q, %v, want %q: a delivery was lost in a commit that failed", round, m.Message, err, message)
		}
	}
	put(t, s, next)
	next++
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wantMatches(t, openAt(t, path), next)
}

// wantMatches wants the matches from 1 and before the next to be there and no
// other.
func wantMatches(t *testing.T, s *sqlite.Store, next store.MatchID) {
	t.Helper()
	for id := store.MatchID(1); id < next; id++ {
		if _, err := s.Match(t.Context(), id); err != nil {
			t.Fatalf("Match(%d) = %v", id, err)
		}
	}
	if _, err := s.Match(t.Context(), next); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("Match(%d), which was refused = %v, want %v", next, err, store.ErrNotFound)
	}
}

// TestOpenOnFullDisk checks that a database that cannot be made for want of space
// says so.
func TestOpenOnFullDisk(t *testing.T) {
	folder := smallDisk(t)
	fill(t, filepath.Join(folder, "filler"))
	s, err := sqlite.Open(t.Context(), filepath.Join(folder, "t.db"))
	if err == nil {
		t.Errorf("Open succeeded; Close: %v", s.Close())
	}
	if !errors.Is(err, store.ErrFull) {
		t.Errorf("Open on a full disk = %v, want %v", err, store.ErrFull)
	}
}

// TestNoRoomForACopy opens a database of an older version where a copy of it has no room:
// it says how much that is, leaves all as it was, and opens once there is room.
func TestNoRoomForACopy(t *testing.T) {
	folder := smallDisk(t)
	path, filler := filepath.Join(folder, "t.db"), filepath.Join(folder, "filler")
	execSQL(t, path, schemaDump(t, 1), "CREATE TABLE ballast AS SELECT randomblob(600000) AS bytes")
	room := filepath.Join(folder, "room")
	if err := os.WriteFile(room, make([]byte, 300_000), 0o600); err != nil {
		t.Fatal(err)
	}
	fill(t, filler)
	if err := os.Remove(room); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), path)
	if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "needs 1 MiB in "+folder) {
		t.Errorf("Open without room for a copy = %v, want %v and how much it needs", err, store.ErrFull)
	}
	var version int
	if queryRow(t, path, "SELECT max(version_id) FROM goose_db_version", &version); version != 1 {
		t.Errorf("without a copy the schema has become %d", version)
	}
	wantBeside(t, path, "filler")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	put(t, openAt(t, path), 1)
	wantBeside(t, path, "t.db.schema-1")
	wantCopy(t, path+".schema-1")
}
