package postgres_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"tictactoe/store/postgres/postgrestest"
)

// childEnv names the part that a re-executed test binary plays.
const childEnv = "STORE_TEST_CHILD"

// children are the parts. Each gets the arguments of [child] and returns the
// program's exit code.
var children = map[string]func(args []string) int{"load": loadChild}

func TestMain(m *testing.M) {
	if part := os.Getenv(childEnv); part != "" {
		os.Exit(children[part](os.Args[1:]))
	}
	os.Exit(postgrestest.Run(m))
}

// start starts this test binary in the part given and returns it and its output. It is
// killed when the test is over.
func start(t *testing.T, part string, args ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+part, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(stdout)
}

// say writes a line in one piece.
func say(format string, args ...any) {
	_, _ = io.WriteString(os.Stdout, fmt.Sprintf(format+"\n", args...))
}
