//go:build unix

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"tictactoe/store/sqlite"
)

func init() { children["migrate"] = migrateChild }

// migrateChild opens the database and is killed by its own hand at the write of that
// number.
func migrateChild(args []string) int {
	last, err := strconv.Atoi(args[1])
	if err != nil {
		return 2
	}
	d, writes := useDisk(), 0
	d.onWrite = func() {
		if writes++; writes == last {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until it has come
		}
	}
	s, err := sqlite.Open(context.Background(), args[0], sqlite.WithVFS(vfsName))
	if err != nil {
		return 1
	}
	say("open after %d writes", writes)
	_ = s
	return 0
}

// TestKilledInMigration kills a process at writes on the way from a database of an older
// version, or from none, to one of this version: whatever it leaves is opened by the
// next, with all that was there. Of some 800 writes on either way it is every n-th from a
// random one on, so that about STORE_KILLS are made; 1000 are all.
func TestKilledInMigration(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(t *testing.T) string{
		"of the version before": func(t *testing.T) string { return olderDatabase(t, 1) },
		"new":                   func(t *testing.T) string { return filepath.Join(t.TempDir(), "t.db") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := child(t, "migrate", make(t), "0").Output()
			var writes int
			if _, scanErr := fmt.Sscanf(string(out), "open after %d writes", &writes); err != nil || scanErr != nil {
				t.Fatalf("child: %q, %v, %v", out, err, scanErr)
			}
			step := max(1, writes/killings(t, 10))
			for n := 1 + rand.IntN(step); n <= writes; n += step { //nolint:gosec // not a secret
				path := make(t)
				err := child(t, "migrate", path, strconv.Itoa(n)).Run()
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("write %d of %d: the child ended with %v", n, writes, err)
				}
				s := openAt(t, path)
				matches, err := s.GuildMatches(t.Context(), "1478089506820194305", 0, 100)
				if want := map[bool]int{true: 5}[name != "new"]; len(matches) != want || err != nil {
					t.Errorf("killed at write %d of %d: %d matches are active (%v), want %d", n, writes, len(matches), err, want)
				}
				put(t, s, 1)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if name != "new" {
					wantCopy(t, path+".schema-1") // and of a step between, where it was killed behind one
				}
				for _, other := range beside(t, path) {
					if strings.HasSuffix(other, ".part") {
						t.Errorf("killed at write %d of %d: %s was left", n, writes, other)
					}
				}
				var integrity string
				if queryRow(t, path, "PRAGMA integrity_check", &integrity); integrity != "ok" {
					t.Errorf("killed at write %d of %d: integrity: %s", n, writes, integrity)
				}
			}
		})
	}
}
