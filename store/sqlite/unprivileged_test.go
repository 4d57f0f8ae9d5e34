package sqlite_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

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
