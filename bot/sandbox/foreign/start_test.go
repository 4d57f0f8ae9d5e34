package foreign_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// need skips the test when a command that looks for a prerequisite fails.
func need(t *testing.T, install string, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(waittest.Within(t, time.Minute), name, args...).CombinedOutput(); err != nil {
		t.Skipf("%s %s: %v; %s\n%s", name, strings.Join(args, " "), err, install, out)
	}
}

// nodeCommand runs a script with the packages of package-lock.json.
func nodeCommand(script, packageName string) func(*testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		need(t, "install Node and, in a folder of your own with package.json and package-lock.json, run npm ci and set NODE_PATH to its node_modules",
			"node", "-e", "require.resolve('"+packageName+"')")
		return []string{"node", script}
	}
}

func pythonCommand(t *testing.T) []string {
	t.Helper()
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import discord").Run() == nil {
			return []string{python, "-u", "-B", "discordpy/bot.py"}
		}
	}
	t.Skip("no Python has the package discord; install Debian's python3-discord")
	return nil
}

// disgoCommand builds the bot from the module cache alone.
func disgoCommand(t *testing.T) []string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "disgo")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	cmd.Dir = "disgo"
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	if out, err := cmd.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("module lookup disabled")) {
			t.Skip("disgo is not in the module cache; run go mod download in the folder disgo")
		}
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return []string{program}
}

// process is a bot that runs beside the test.
type process struct {
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *process) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// startBot starts a bot with the variables that tell it where the local Discord is.
func startBot(t *testing.T, srv *sandbox.Server, args []string) *process {
	t.Helper()
	return startProcess(t, os.Kill, args,
		"DISCORD_TOKEN="+srv.Token(), "DISCORD_API_URL="+srv.APIURL(), "DISCORD_GATEWAY_URL="+srv.Gateway().URL())
}

// startProcess starts a program with variables beside ours. A signal ends it with the test,
// which prints what it said if it failed.
func startProcess(t *testing.T, end os.Signal, args []string, variables ...string) *process {
	t.Helper()
	p := &process{done: make(chan struct{})}
	cmd := exec.Command(args[0], args[1:]...) //nolint:gosec,noctx // our own bots; ended below
	cmd.Env = append(os.Environ(), variables...)
	cmd.Stdout, cmd.Stderr = p, p
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(end)
		<-p.done
		if t.Failed() {
			t.Logf("the bot said:\n%s", p.said())
		}
	})
	return p
}

// until waits for what the process does, and not longer than it lives.
func (p *process) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		select {
		case <-p.done:
			t.Fatalf("it ended before %s", what)
		default:
		}
		return ok()
	})
}
