package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// verifies runs the command in a folder of its own, where nobody can be asked.
func verifies(t *testing.T, srv *sandbox.Server, dir string, args ...string) (code int, output string) {
	t.Helper()
	settings := []string{"DISCORD_TOKEN=" + srv.Token(), "DISCORD_API_URL=" + srv.APIURL()}
	p := launch(t, dir, settings, append([]string{"verify", "--channel", srv.Guild().Channel("verify").ID()}, args...)...)
	return p.wait(t)
}

// TestVerify: the exit code says whether anything differs, and nothing is done unasked.
func TestVerify(t *testing.T) {
	srv := sandbox.NewServer(t)
	code, output := verifies(t, srv, "")
	if code != exitCannotRun || !strings.Contains(output, "no terminal") || len(srv.REST().Requests()) > 0 {
		t.Errorf("without a terminal: exit code %d, %d requests:\n%s", code, len(srv.REST().Requests()), output)
	}
	dir := t.TempDir()
	code, output = verifies(t, srv, dir, "--yes", "--alone")
	if code != exitOK || !strings.Contains(output, " 0 differ, ") || strings.Contains(output, "\x1b[") || strings.Contains(output, srv.Token()) {
		t.Errorf("exit code %d:\n%s", code, output)
	}
	if _, err := os.Stat(filepath.Join(dir, "tictactoe-verify.json")); err != nil {
		t.Error(err)
	}
	if err := srv.Faults().Depart("NumbersLost"); err != nil {
		t.Fatal(err)
	}
	code, output = verifies(t, srv, "", "--yes", "--alone")
	if code != exitDiffers || !strings.Contains(output, "board-marker differs: ") {
		t.Errorf("where something differs: exit code %d:\n%s", code, output)
	}
}

// TestVerifySettings: what is wrong with them is told at once.
func TestVerifySettings(t *testing.T) {
	code, output := launch(t, "", nil, "verify", "--channel", "general").wait(t)
	if code != exitUsage || !strings.Contains(output, "DISCORD_TOKEN is not set") || !strings.Contains(output, `"general" is no channel id`) {
		t.Errorf("exit code %d:\n%s", code, output)
	}
}

// TestVerifyIsKilled: the ids of what was made are on disk, and --clean removes it.
func TestVerifyIsKilled(t *testing.T) {
	srv := sandbox.NewServer(t)
	channel := srv.Guild().Channel("verify")
	here := func() int {
		return len(channel.Messages(srv.World().Owner())) + len(srv.App().Commands(srv.Guild().ID()))
	}
	dir := t.TempDir()
	p := launch(t, dir, []string{"DISCORD_TOKEN=" + srv.Token(), "DISCORD_API_URL=" + srv.APIURL()}, "verify", "--channel", channel.ID(), "--yes")
	waittest.Until(t, "the program to ask for clicks", func() bool { return strings.Contains(p.output.String(), "Step 1 of ") })
	p.kill(t)
	if here() == 0 {
		t.Fatal("nothing is left to remove")
	}
	code, output := verifies(t, srv, dir, "--yes", "--clean")
	if code != exitOK || here() > 0 {
		t.Errorf("exit code %d, %d things are left:\n%s", code, here(), output)
	}
}

// TestAsks: yes is yes, anything else is no, and nobody is waited for who is gone.
func TestAsks(t *testing.T) {
	ask := asks(strings.NewReader("y\nYes \nno\n\n"), io.Discard)
	for i, want := range []bool{true, true, false, false, false} {
		if got := ask(t.Context(), "Go on?"); got != want {
			t.Errorf("answer %d: %v", i, got)
		}
	}
	r, w := io.Pipe()
	defer w.Close() //nolint:errcheck // nobody reads it
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if asks(r, io.Discard)(ctx, "Go on?") {
		t.Error("nobody's answer is yes")
	}
}
