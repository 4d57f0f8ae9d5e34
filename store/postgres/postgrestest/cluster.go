//go:build unix

package postgrestest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Cluster is a PostgreSQL server of a test's own, which it may stop.
type Cluster struct {
	URL  string
	bin  string
	data string
	run  string // a folder for the socket and the log
}

// NewCluster makes and starts a server. It skips the test where the programs for that are
// not found. PostgreSQL does not run as root, who takes the system's user for it.
func NewCluster(t testing.TB) *Cluster {
	t.Helper()
	Server(t) // who has named none does not want these tests
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		t.Skip("no initdb in /usr/lib/postgresql: the test needs a PostgreSQL server of its own")
	}
	folder, err := os.MkdirTemp("", "tictactoe-postgres-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	c := &Cluster{
		URL: "postgres://tests@/postgres?" + url.Values{"host": {folder}, "sslmode": {"disable"}}.Encode(),
		bin: filepath.Dir(found[len(found)-1]), data: filepath.Join(folder, "data"), run: folder,
	}
	if id, _ := credential(t); id != nil {
		if err := os.Chown(folder, int(id.Uid), int(id.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	c.program(t, "initdb", "-D", c.data, "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
	c.Start(t)
	t.Cleanup(func() { c.Stop(t, "immediate") })
	return c
}

// Start starts the server and waits until it takes connections. It listens on a socket in
// a folder of its own, since somebody else might take a port while it is stopped.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	c.program(t, "pg_ctl", "start", "-D", c.data, "-w", "-s", "-l", filepath.Join(c.run, "log"),
		"-o", fmt.Sprintf("-c listen_addresses='' -c unix_socket_directories=%s", c.run))
}

// Stop stops the server: "fast" in an orderly way, "immediate" as a loss of power does.
func (c *Cluster) Stop(t testing.TB, mode string) {
	t.Helper()
	c.program(t, "pg_ctl", "stop", "-D", c.data, "-w", "-s", "-m", mode)
}

func (c *Cluster) program(t testing.TB, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), filepath.Join(c.bin, name), args...) //nolint:gosec // PostgreSQL's own; it is stopped when the test's context has ended
	cmd.Dir = c.run
	if id, home := credential(t); id != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: id}
		cmd.Env = append(os.Environ(), "HOME="+home)
	}
	// The server keeps what it is given open: into a file, so that nobody waits for it.
	out, err := os.Create(filepath.Join(c.run, name+".out")) //nolint:gosec // in a folder of the test's own
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		t.Fatalf("%s %v: %v\n%s", name, args, err, said)
	}
}

// credential returns as whom the server runs when the test runs as root.
func credential(t testing.TB) (id *syscall.Credential, home string) {
	t.Helper()
	if os.Getuid() != 0 {
		return nil, ""
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Skipf("PostgreSQL does not run as root, and there is no user for it: %v", err)
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	if uidErr != nil || gidErr != nil {
		t.Fatal(uidErr, gidErr)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, u.HomeDir
}
