package sqlite_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// childEnv names the part that a re-executed test binary plays.
const childEnv = "STORE_TEST_CHILD"

// children are the parts. Each gets the arguments of [child] and returns the
// program's exit code.
var children = map[string]func(args []string) int{
	"open":  openChild,
	"lock":  lockChild,
	"load":  loadChild,
	"erase": eraseChild,
}

func TestMain(m *testing.M) {
	if part := os.Getenv(childEnv); part != "" {
		os.Exit(children[part](os.Args[1:]))
	}
	os.Exit(m.Run())
}

// child returns a command that runs this test binary in the part given. It is
// killed when the test is over.
func child(t *testing.T, part string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+part, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// start starts the child and returns its output and what ends its input.
func start(t *testing.T, cmd *exec.Cmd) (out *bufio.Reader, in io.Closer) {
	t.Helper()
	stdin, err := cmd.StdinPipe()
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
	return bufio.NewReader(stdout), stdin
}

// wantLine reads a line that the child is to write.
func wantLine(t *testing.T, out *bufio.Reader, want string) {
	t.Helper()
	got, err := out.ReadString('\n')
	if strings.TrimSpace(got) != want || err != nil {
		t.Fatalf("child wrote %q (%v), want %q", got, err, want)
	}
}

// say writes a line in one piece.
func say(format string, args ...any) {
	_, _ = os.Stdout.WriteString(fmt.Sprintf(format+"\n", args...))
}
