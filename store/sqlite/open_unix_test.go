//go:build unix

package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tictactoe/store"
	"tictactoe/store/sqlite"
)

func init() { children["check"] = checkChild }

// ordinaryUser is an id without privileges: nobody's, on most systems.
const ordinaryUser = 65534

// unprivileged returns a folder that everybody may enter, and a command that runs
// this test binary in the part given as somebody who is not root.
func unprivileged(t *testing.T, part string) (folder string, cmd *exec.Cmd) {
	t.Helper()
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("chmod", "-R", "u+rwx", folder).Run() //nolint:noctx // the test's context has ended
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // to be entered by the child
		t.Fatal(err)
	}
	cmd = child(t, part)
	if os.Getuid() == 0 {
		// Where go test puts the binary only root may go.
		cmd.Path = copyExecutable(t, folder)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinaryUser, Gid: ordinaryUser}}
	}
	cmd.Dir = folder
	return folder, cmd
}

// TestOpenUnprivileged has an ordinary user open what root may write but it may
// not.
func TestOpenUnprivileged(t *testing.T) {
	for _, c := range []struct {
		name       string
		file, dir  fs.FileMode // of the database and its folder; 0: there is no file
		want, says string
	}{
		{"Writable", 0o600, 0o700, "ok", ""},
		{"ReadOnlyFile", 0o400, 0o700, "read-only", "the file"},
		{"ReadOnlyFolder", 0o600, 0o500, "read-only", "the folder"},
		{"ReadOnlyFolderNoFile", 0, 0o500, "read-only", "no file can be made in the folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder, cmd := unprivileged(t, "open")
			path := filepath.Join(folder, "db", "t.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if c.file != 0 {
				makeDatabase(t, path)
				give(t, path, c.file)
			}
			give(t, filepath.Dir(path), c.dir)
			before := snapshot(t, filepath.Dir(path))
			cmd.Args = append(cmd.Args, path)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got := string(out); !strings.HasPrefix(got, c.want) || !strings.Contains(got, c.says) {
				t.Errorf("opening says %q, want %q and %q", got, c.want, c.says)
			}
			if after := snapshot(t, filepath.Dir(path)); c.want != "ok" && !maps.Equal(before, after) {
				t.Errorf("the folder was changed:\nbefore %v\nafter  %v", before, after)
			}
		})
	}
}

// checkChild opens the database and looks, at each line of its input, whether it can
// be written.
func checkChild(args []string) int {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, args[0])
	if err != nil {
		say("%v", err)
		return 1
	}
	say("open")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch err := s.Check(ctx); {
		case err == nil && s.Err() == nil:
			say("ok")
		case errors.Is(err, store.ErrReadOnly) && s.Err() == nil:
			say("read-only: %v", err)
		default:
			say("other: %v, %v", err, s.Err())
		}
	}
	_ = s.Close()
	return 0
}

// TestMadeReadOnly takes away the right to write the file of an open database, which
// the system would go on to grant to the connection: nothing is stored that the next
// process could not go on with. When the right is back storing goes on.
func TestMadeReadOnly(t *testing.T) {
	folder, cmd := unprivileged(t, "check")
	path := filepath.Join(folder, "db", "t.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	makeDatabase(t, path)
	give(t, path, 0o600)
	give(t, filepath.Dir(path), 0o700)
	cmd.Args = append(cmd.Args, path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	wantLine(t, out, "open")
	for _, step := range []struct {
		mode fs.FileMode
		want string
	}{
		{0o600, "ok"},
		{0o400, "read-only: database " + path + ": " + store.ErrReadOnly.Error() + ": the file " + path + " may not be written by this user"},
		{0o600, "ok"},
	} {
		if err := os.Chmod(path, step.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintln(in, "check"); err != nil {
			t.Fatal(err)
		}
		wantLine(t, out, step.want)
	}
	if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
		t.Error(err)
	}
}

// give hands the file to the ordinary user with the mode.
func give(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if os.Getuid() == 0 {
		if err := os.Chown(path, ordinaryUser, ordinaryUser); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// copyExecutable makes the test binary available to everybody in the folder.
func copyExecutable(t *testing.T, folder string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	path := filepath.Join(folder, "test")
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755) //nolint:gosec // a program
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
