package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"tictactoe/bot/sandbox/waittest"
)

// childVariable makes the test binary be the command.
const childVariable = "LOADTEST_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" || os.Getenv(boardVariable) != "" {
		main()
		return
	}
	dir, err := os.MkdirTemp("", "loadtest-")
	if err != nil {
		panic(err)
	}
	builtIn = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var builtIn string // the folder of what built returns

// launch returns the command with its arguments, and where its temporary files are. The
// environment has settings that the bots must not get.
func launch(t *testing.T, out *bytes.Buffer, args ...string) (c *exec.Cmd, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	c = exec.CommandContext(waittest.Within(t, 3*time.Minute), self, args...)
	c.Env = append(os.Environ(), childVariable+"=1", "GORACE=atexit_sleep_ms=0", "TMPDIR="+dir, "SHARD_COUNT=3", "METRICS_ADDR=nowhere")
	c.Stdout, c.Stderr = out, out
	return c, dir
}

// built is the bot, built once for most tests.
var built = sync.OnceValues(func() (string, error) {
	return build(context.Background(), builtIn)
})

func game(t *testing.T) string {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// run returns what the command wrote. Nothing may be left of it.
func run(t *testing.T, args ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	c, dir := launch(t, &out, args...)
	if err := c.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, &out)
	}
	nothingLeft(t, dir)
	return out.Bytes()
}

// measured reads the report of a run.
func measured(t *testing.T, args ...string) (r Report) {
	t.Helper()
	out := run(t, append(args, "--json")...)
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("%v: there is more than one JSON object:\n%s", err, out)
	}
	return r
}

// TestLoadtest measures for a moment, as JSON.
func TestLoadtest(t *testing.T) {
	t.Parallel()
	r := measured(t, "--games", "4", "--rounds", "2", "--channels", "2", "--warm-up", "0s", "--program", game(t))
	if r.Channels != 2 || r.Rounds != 2 || r.Flush.P50 <= 0 || len(r.Bots) != 2 || len(r.Loads) != 2 {
		t.Fatalf("report %+v", r)
	}
	for i, b := range r.Bots {
		if b.Name == "" || b.Acknowledges != (i == 1) || b.Ready <= 0 {
			t.Errorf("bot %+v", b)
		}
		if systemTells && (b.Memory.Resident < 1<<20 || b.Memory.Peak < b.Memory.Resident || b.WarmMemory.Resident == 0) {
			t.Errorf("memory %+v", b.Memory)
		}
	}
	for i, l := range r.Loads {
		if want := []string{loadFull, loadHalf}[i]; l.Load != want || (l.Pause > 0) != (i == 1) {
			t.Errorf("load %q with a pause of %v ms", l.Load, l.Pause)
		}
		for j, f := range l.Bots {
			// In each round one of the two pairs at least begins with a rematch and plays five
			// moves; games that were begun before count where they end. What is not answered in
			// time is not what was expected either.
			if f.Name != r.Bots[j].Name || f.Games < 4 || f.Interactions < 2*8 || f.Rate <= 0 || f.Unexpected > f.Unanswered {
				t.Errorf("%s: figures %+v", l.Load, f)
			}
			if q := f.Latency; q.P50 <= 0 || q.P99 < q.P50 || q.P999 < q.P99 || q.Max < q.P999 {
				t.Errorf("%s: latencies %+v", l.Load, q)
			}
			if systemTells && (f.CPU == nil || *f.CPU <= 0 || f.DiscordCPU == nil) {
				t.Errorf("%s: no CPU times", l.Load)
			}
		}
		game, other := l.Bots[0], l.Bots[1]
		if other.AnswerBytes < 0.9*game.AnswerBytes || other.AnswerBytes > 1.5*game.AnswerBytes {
			t.Errorf("%s: answers of %.0f bytes beside %.0f", l.Load, other.AnswerBytes, game.AnswerBytes)
		}
	}
}

// TestLoadtestTables measures with a pause, for people, and says where profiles are.
func TestLoadtestTables(t *testing.T) {
	t.Parallel()
	out := string(run(t, "--games", "3", "--rounds", "1", "--channels", "3", "--pause", "20ms", "--warm-up", "10ms", "--profiles", "--program", game(t)))
	for _, want := range []string{"3 channels", "every 20.0 ms", "tictactoe", "acknowledging", "of its rate", "resident", "tictactoe: http://127.0.0.1:"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\r\x1b") {
		t.Errorf("progress where there is no terminal:\n%q", out)
	}
}

// TestLoadtestPrograms measures two builds beside each other. Their files have the same name.
func TestLoadtestPrograms(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "old")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	other, began := filepath.Join(dir, "tictactoe"), filepath.Join(dir, "began")
	script := fmt.Sprintf("#!/bin/sh\n: > '%s'\nexec '%s' \"$@\"\n", began, game(t))
	if err := os.WriteFile(other, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := measured(t, "--alone", "--games", "1", "--rounds", "1", "--channels", "1", "--pause", "1ms", "--warm-up", "0s", "--program", game(t), "--program", other)
	if len(r.Bots) != 2 || r.Bots[0].Name != "tictactoe" || r.Bots[1].Name != "old-tictactoe" || r.Loads[0].Bots[1].Games < 1 {
		t.Errorf("report %+v", r)
	}
	if _, err := os.Stat(began); err != nil {
		t.Error(err)
	}
}

// TestNameBeside: each build has a name that no other bot has.
func TestNameBeside(t *testing.T) {
	names := []string{"tictactoe", "acknowledging"}
	for _, c := range []struct{ program, want string }{
		{"/b/new", "new"},
		{"/b/old/tictactoe", "old-tictactoe"},
		{"/a/old/tictactoe", "a-old-tictactoe"},
		{"/b/acknowledging", "b-acknowledging"},
		{"/b/new", "b-new"}, // again, which says how much figures differ by themselves
	} {
		got := nameBeside(names, filepath.FromSlash(c.program))
		if got != c.want {
			t.Errorf("%s is called %s, want %s", c.program, got, c.want)
		}
		names = append(names, got)
	}
}

// TestLoadtestAlone measures the bot with nothing beside it. It is built for that.
func TestLoadtestAlone(t *testing.T) {
	t.Parallel()
	r := measured(t, "--alone", "--games", "2", "--rounds", "1", "--channels", "1", "--pause", "1ms", "--warm-up", "0s")
	if len(r.Bots) != 1 || len(r.Loads) != 1 || r.Loads[0].Load != loadPaused || r.Loads[0].Bots[0].Games < 2 {
		t.Errorf("report %+v", r)
	}
}

// TestLoadtestInterrupted ends a measurement early: it says so, and leaves neither
// files nor processes.
func TestLoadtestInterrupted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c, dir := launch(t, &out, "--channels", "2", "--duration", "10m", "--program", game(t))
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for began := false; !began; {
		select {
		case err := <-ended:
			t.Fatalf("%v before the first moves:\n%s", err, &out)
		case <-time.After(5 * time.Millisecond):
		}
		found, _ := filepath.Glob(filepath.Join(dir, "tictactoe-loadtest-*", "bot-1", "output-*"))
		began = len(found) > 0
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; c.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "interrupted before the end") {
		t.Errorf("%v:\n%s", err, &out)
	}
	nothingLeft(t, dir)
}

// nothingLeft fails when a measurement left its folder.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	if left, _ := filepath.Glob(filepath.Join(dir, "tictactoe-loadtest-*")); len(left) > 0 {
		t.Errorf("temporary folders are left: %v", left)
	}
}

// TestLoadtestBadFlags gives what makes no sense: all of it is told at once.
func TestLoadtestBadFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--channels", "0", "--rounds", "0", "--duration", "1ms"}, []string{"--channels 0: at least 1", "--rounds 0: at least 1", "--duration 1ms: at least 100ms"}},
		{[]string{"--channels", "100000"}, []string{"--channels 100000: at most 10000"}},
		{[]string{"--pause=-1s", "--games=-1", "--warm-up=-1s"}, []string{"--pause -1s: at least 0s", "--games -1: at least 0", "--warm-up -1s: at least 0s"}},
		{[]string{"--processes", "1"}, []string{"--processes 1: at least 2", "needs --database and --http"}},
		{[]string{"--database", "sqlite:x.db"}, []string{"--database does not begin with postgres://"}},
		{[]string{"--duration", "soon"}, []string{"--duration"}},
		{[]string{"--unheard-of"}, []string{"unknown flag"}},
	} {
		parser, err := kong.New(&options{}, kong.Name("loadtest"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = parser.Parse(c.args); err == nil {
			t.Errorf("%q is taken", c.args)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %q is not in:\n%v", c.args, want, err)
			}
		}
	}
}
