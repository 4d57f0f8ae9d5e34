package sqlite_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tictactoe/store"
)

// TestBackup copies the database while it is played on: each copy can be opened
// and holds everything that was acknowledged before it was begun, and each change
// whole or not at all.
func TestBackup(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	l := newLedger()
	var wg sync.WaitGroup
	for p := range players {
		wg.Go(func() {
			if err := play(ctx, s, p, 1, l.add); !errors.Is(err, context.Canceled) {
				t.Errorf("player %d: %v", p, err)
			}
		})
	}
	var copies []string
	var known []*ledger
	for range 4 {
		before, _ := s.Stats(t.Context())
		until(t, "some changes", func() bool { now, _ := s.Stats(t.Context()); return now.Changes > before.Changes+50 })
		path := filepath.Join(t.TempDir(), "copy.db")
		known = append(known, l.copied(func() {
			// The players wait for the ledger: the writer is idle in the end.
			if err := s.Backup(t.Context(), path); err != nil {
				t.Errorf("Backup = %v", err)
			}
		}))
		copies = append(copies, path)
	}
	whilePlaying := filepath.Join(t.TempDir(), "busy.db")
	if err := s.Backup(t.Context(), whilePlaying); err != nil {
		t.Errorf("Backup = %v", err)
	}
	cancel()
	wg.Wait()
	for i, path := range copies {
		for _, f := range known[i].settle(t.Context(), openAt(t, path)) {
			t.Errorf("copy %d: %s", i, f)
		}
	}
	var integrity string
	if queryRow(t, whilePlaying, "PRAGMA integrity_check", &integrity); integrity != "ok" {
		t.Errorf("the copy made while playing: %s", integrity)
	}
}

// TestBackupKeepsNotes checks that a copy has what was only noted.
func TestBackupKeepsNotes(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	s.Note(store.Note{Match: 1, Message: "5", Drawn: 1})
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if m, err := openAt(t, path).Match(t.Context(), 1); m.Message != "5" || err != nil {
		t.Errorf("Match = message %q, %v, want 5", m.Message, err)
	}
}

// TestBackupRefuses checks that no file is overwritten, the database's own least
// of all, and that no half of a copy is left.
func TestBackupRefuses(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "t.db")
	s := openAt(t, path)
	put(t, s, 1)
	empty := filepath.Join(folder, "empty")
	write(t, empty, "")
	for _, there := range []string{path, path + "-wal", empty, folder} {
		before, err := os.Stat(there)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Backup(t.Context(), there); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Backup to %s = %v, want %v", filepath.Base(there), err, fs.ErrExist)
		}
		if after, err := os.Stat(there); err != nil || after.Size() != before.Size() || after.ModTime() != before.ModTime() {
			t.Errorf("%s was changed (%v)", filepath.Base(there), err)
		}
	}
	if err := s.Backup(t.Context(), filepath.Join(folder, "none", "copy.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Backup to a missing folder = %v, want %v", err, fs.ErrNotExist)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	half := filepath.Join(folder, "half.db")
	if err := s.Backup(ctx, half); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup with an ended context = %v, want %v", err, context.Canceled)
	}
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy that failed left a file (%v)", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), half); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Backup after Close = %v, want %v", err, store.ErrClosed)
	}
}
