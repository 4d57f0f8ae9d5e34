package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

// moveFiles moves the database file at from, and those beside it that are named.
func moveFiles(t *testing.T, from, to string, suffixes ...string) {
	t.Helper()
	for _, suffix := range suffixes {
		if err := os.Rename(from+suffix, to+suffix); err != nil {
			t.Fatal(err)
		}
	}
}

// all are the suffixes of the files of a database that is open.
var all = []string{"", "-wal", "-shm"}

// wantRefused checks that nothing is stored and that the error names the file.
func wantRefused(t *testing.T, s *sqlite.Store, id store.MatchID, file string) {
	t.Helper()
	for name, err := range map[string]error{
		"Apply":      s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id)}}),
		"SaveUptime": s.SaveUptime(t.Context(), 1),
		"Check":      s.Check(t.Context()),
	} {
		if !errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrPending) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s = %v, want %v about %s", name, err, store.ErrDamaged, file)
		}
	}
}

// applied reports whether a new match could be stored.
func applied(t *testing.T, s *sqlite.Store, id store.MatchID) func() bool {
	return func() bool { return s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id)}}) == nil }
}

// stored returns the ids of the matches that are found when the file is opened.
func stored(t *testing.T, path string) []store.MatchID {
	t.Helper()
	s := openAt(t, path)
	matches, err := s.GuildMatches(t.Context(), "9", 0, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	var ids []store.MatchID
	for _, m := range matches {
		ids = append(ids, m.ID)
	}
	return ids
}

func wantStored(t *testing.T, path string, want ...store.MatchID) {
	t.Helper()
	if got := stored(t, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s holds the matches %v, want %v", filepath.Base(path), got, want)
	}
}

// TestMovedAway takes the files of an open database away, all or some of them: what
// would be stored could not be found by the next process, and so is refused until
// they are back.
func TestMovedAway(t *testing.T) {
	for _, c := range []struct {
		name  string
		moved []string
	}{{"all files", all}, {"the database alone", []string{""}}, {"the log", []string{"-wal"}}, {"its index", []string{"-shm"}}} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			s := openAt(t, path)
			put(t, s, 1)
			moveFiles(t, path, path+".old", c.moved...)
			err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(2)}})
			if !errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrPending) || !strings.Contains(err.Error(), path+c.moved[0]) {
				t.Errorf("Apply = %v, want %v about %s", err, store.ErrDamaged, path+c.moved[0])
			}
			moveFiles(t, path+".old", path, c.moved...)
			until(t, "stored again", applied(t, s, 3))
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			wantStored(t, path, 1, 3)
		})
	}
}

// TestLogDeleted deletes the files beside an open database for good: what was stored
// is put into the database itself, and it goes on with new ones.
func TestLogDeleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	put(t, s, 1)
	if err := errors.Join(os.Remove(path+"-wal"), os.Remove(path+"-shm")); err != nil {
		t.Fatal(err)
	}
	if err := s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(2)}}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("Apply = %v, want %v", err, store.ErrDamaged)
	}
	until(t, "stored again", applied(t, s, 3))
	wantStored(t, path, 1, 3) // opened once more, meanwhile
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantStored(t, path, 1, 3)
}

// TestReplaced puts other files in the place of an open database: nothing is stored
// and readiness fails, except that a copy of the database is gone on with.
func TestReplaced(t *testing.T) {
	dir := t.TempDir()
	path, backup, old := filepath.Join(dir, "t.db"), filepath.Join(dir, "copy.db"), filepath.Join(dir, "old.db")
	s := openAt(t, path)
	put(t, s, 1)
	if err := s.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	put(t, s, 2)
	content, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}

	moveFiles(t, path, old, "")
	wantRefused(t, s, 3, path)
	for name, text := range map[string]string{
		"an empty file": "", "a text": strings.Repeat("no database ", 100), "the first half of a copy": string(content[:len(content)/2]),
	} {
		t.Run(name, func(t *testing.T) {
			write(t, path, text)
			for range 3 {
				wantRefused(t, s, 3, path)
			}
			if now, err := os.ReadFile(path); string(now) != text || err != nil {
				t.Errorf("the file was changed (%v)", err)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		})
	}
	if m, err := s.Match(t.Context(), 2); m.ID != 2 || err != nil {
		t.Errorf("Match(2) = %d, %v: what was there can still be read", m.ID, err)
	}

	moveFiles(t, backup, path, "") // over the log that the old file has left behind
	until(t, "stored in the copy", applied(t, s, 4))
	if _, err := s.Match(t.Context(), 2); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Match(2) = %v, want %v: the copy is older", err, store.ErrNotFound)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("Check = %v", err)
	}
	wantStored(t, path, 1, 4) // opened once more, meanwhile
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	wantStored(t, path, 1, 4)
	wantStored(t, old, 1, 2) // nothing is lost there either
}

// TestReplacedWithItsLog puts a database with a log of its own in the place of one
// that is open, and leaves the old index there.
func TestReplacedWithItsLog(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "t.db"), filepath.Join(dir, "other.db")
	o := openAt(t, other)
	put(t, o, 7)
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(other + suffix)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "new.db"+suffix), string(content))
	}
	s := openAt(t, path)
	put(t, s, 1)
	moveFiles(t, filepath.Join(dir, "new.db"), path, "", "-wal")
	until(t, "stored in the other", applied(t, s, 8))
	wantStored(t, path, 7, 8)
}

// TestReplacedMidway has the files moved away while a batch is being written: it is
// refused as a whole, just before its commit.
func TestReplacedMidway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	release, blocked := s.Block(t.Context())
	moveFiles(t, path, path+".old", all...)
	release()
	if err := <-blocked; !errors.Is(err, store.ErrDamaged) {
		t.Errorf("the commit = %v, want %v", err, store.ErrDamaged)
	}
	moveFiles(t, path+".old", path, all...)
	until(t, "stored again", applied(t, s, 1))
}

// TestReplacedUnderLoad puts copies in the place of a database that is being read and
// written all the time: whatever was said to be stored is in the file that had the
// name then.
func TestReplacedUnderLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	var next atomic.Int64
	var said sync.Map
	done := make(chan struct{})
	var work sync.WaitGroup
	load := func(one func()) {
		work.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					one()
				}
			}
		})
	}
	for range 4 {
		load(func() {
			id := store.MatchID(next.Add(1))
			if s.Apply(t.Context(), store.Change{Matches: []store.Match{newMatch(id)}}) == nil {
				said.Store(id, true)
			}
			_, err := s.Match(t.Context(), id)
			if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrDamaged) {
				t.Errorf("Match = %v", err)
			}
		})
	}
	names := []string{path}
	for n := range 4 {
		copied, old := fmt.Sprint(path, ".copy", n), fmt.Sprint(path, ".old", n)
		until(t, "a copy", func() bool { return s.Backup(t.Context(), copied) == nil })
		moveFiles(t, path, old, "")
		moveFiles(t, copied, path, "")
		names = append(names, old)
		until(t, "ready again", func() bool { return s.Check(t.Context()) == nil })
	}
	close(done)
	work.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		for _, id := range stored(t, name) {
			said.Delete(id)
		}
	}
	said.Range(func(id, _ any) bool {
		t.Errorf("match %d was said to be stored and is nowhere", id)
		return true
	})
}

// TestDamageThatPasses overwrites all of an open database but its first page, and
// puts the bytes back: connections that have read the bad pages are not asked again,
// nothing that was stored is lost, and nothing is stored twice.
func TestDamageThatPasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	s := openAt(t, path)
	var c store.Change
	for id := store.MatchID(1); id <= 400; id++ {
		c.Matches = append(c.Matches, newMatch(id))
	}
	if err := s.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil { // which moves the log into the file
		t.Fatal(err)
	}
	s = openAt(t, path)
	put(t, s, 401) // in the log
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const page = 4096
	overwrite(t, path, page, []byte(strings.Repeat("\xA5", len(content)-page)))
	damaged := func(err error) bool { return errors.Is(err, store.ErrDamaged) && strings.Contains(err.Error(), path) }
	until(t, "damage to be met by reading", func() bool { _, err := s.Match(t.Context(), 30); return damaged(err) })
	until(t, "damage to be met by writing", func() bool {
		m := newMatch(30)
		m.Version, m.CellNames = 1, true
		return damaged(s.Apply(t.Context(), store.Change{Matches: []store.Match{m}}))
	})
	overwrite(t, path, page, content[page:])
	until(t, "reading again", func() bool {
		m, err := s.Match(t.Context(), 30)
		if err == nil && (m.Version != 1 || m.CellNames) {
			t.Fatalf("Match(30) = %+v, want it as it was", m)
		}
		return err == nil
	})
	until(t, "writing again", func() bool { return s.SaveUptime(t.Context(), 1) == nil })
	put(t, s, 402)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := stored(t, path); len(got) != 402 {
		t.Errorf("%d matches are there, want 402", len(got))
	}
}

// overwrite writes into a file.
func overwrite(t *testing.T, path string, at int64, content []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(content, at)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
