package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"tictactoe/cmd/loadtest"
)

// TestLoadtest measures for a moment, as JSON, with a bot whose store is not empty
// as well.
func TestLoadtest(t *testing.T) {
	p := launch(t, "", nil, "loadtest", "--games", "4", "--rounds", "2", "--channels", "2", "--warm-up", "0s", "--games-stored", "1200", "--json")
	code, out := p.wait(t)
	if code != exitOK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	var r loadtest.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: there is more than one JSON object:\n%s", err, out)
	}
	if r.Channels != 2 || r.Rounds != 2 || r.Flush.P50 <= 0 || len(r.Bots) != 3 || len(r.Loads) != 2 {
		t.Fatalf("report %+v", r)
	}
	for i, b := range r.Bots {
		stored := []int{0, 1200, 0}[i]
		if b.Name == "" || b.Acknowledges != (i == 2) || b.Stored != stored || b.Ready <= 0 {
			t.Errorf("bot %+v", b)
		}
		if runtime.GOOS == "linux" && (b.Memory == nil || b.Memory.Resident < 1<<20 || b.Memory.Peak < b.Memory.Resident || b.WarmMemory == nil) {
			t.Errorf("memory %+v", b.Memory)
		}
	}
	for i, l := range r.Loads {
		if want := []string{loadtest.LoadFull, loadtest.LoadHalf}[i]; l.Load != want || (l.Pause > 0) != (i == 1) {
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
			if runtime.GOOS == "linux" && (f.CPU == nil || *f.CPU <= 0 || f.DiscordCPU == nil) {
				t.Errorf("%s: no CPU times", l.Load)
			}
		}
		game, other := l.Bots[0], l.Bots[2]
		if other.AnswerBytes < 0.9*game.AnswerBytes || other.AnswerBytes > 1.5*game.AnswerBytes {
			t.Errorf("%s: answers of %.0f bytes beside %.0f", l.Load, other.AnswerBytes, game.AnswerBytes)
		}
	}
	nothingLeft(t, p.cmd.Dir)
}

// TestLoadtestTables measures with a pause, for people, and with profiles.
func TestLoadtestTables(t *testing.T) {
	profiles := t.TempDir()
	p := launch(t, "", nil, "loadtest", "--games", "3", "--rounds", "1", "--channels", "3", "--pause", "20ms", "--warm-up", "10ms", "--profiles", profiles)
	code, out := p.wait(t)
	if code != exitOK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	for _, want := range []string{"3 channels", "every 20.0 ms", "tictactoe", "acknowledging", "of its rate", "resident"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in:\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\r\x1b") {
		t.Errorf("progress where there is no terminal:\n%q", out)
	}
	for _, name := range []string{"tictactoe.cpu", "tictactoe.memory", "acknowledging.cpu", "acknowledging.memory", "discord.cpu", "discord.memory"} {
		if info, err := os.Stat(filepath.Join(profiles, name+".pprof")); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	nothingLeft(t, p.cmd.Dir)
}

// TestLoadtestAlone measures the bot with nothing beside it.
func TestLoadtestAlone(t *testing.T) {
	p := launch(t, "", nil, "loadtest", "--alone", "--games", "2", "--rounds", "1", "--channels", "1", "--pause", "1ms", "--warm-up", "0s", "--json")
	code, out := p.wait(t)
	var r loadtest.Report
	if err := json.Unmarshal([]byte(out), &r); code != exitOK || err != nil {
		t.Fatalf("exit code %d, %v:\n%s", code, err, out)
	}
	if len(r.Bots) != 1 || len(r.Loads) != 1 || r.Loads[0].Load != loadtest.LoadPaused || r.Loads[0].Bots[0].Games < 2 {
		t.Errorf("report %+v", r)
	}
}

// TestLoadtestInterrupted ends a measurement early: it says so, and leaves neither
// files nor processes.
func TestLoadtestInterrupted(t *testing.T) {
	p := launch(t, "", nil, "loadtest", "--channels", "2", "--duration", "10m")
	poll(t, p, "the first game", func() bool {
		found, _ := filepath.Glob(filepath.Join(p.cmd.Dir, "tictactoe-loadtest-*", "bot-0", "board.json"))
		return len(found) > 0
	})
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	code, out := p.wait(t)
	if code != exitError || !strings.Contains(out, "interrupted before the end") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	nothingLeft(t, p.cmd.Dir)
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
		{[]string{"--pause=-1s", "--games=-1", "--games-stored=-5", "--warm-up=-1s"}, []string{"--pause -1s: at least 0s", "--games -1: at least 0", "--games-stored -5: at least 0", "--warm-up -1s: at least 0s"}},
		{[]string{"--profiles", "nowhere/at/all"}, []string{"nowhere/at/all: there is no such folder"}},
		{[]string{"--processes", "1"}, []string{"--processes 1: at least 2", "needs --database and --http"}},
		{[]string{"--database", "sqlite:x.db"}, []string{"--database does not begin with postgres://"}},
		{[]string{"--duration", "soon"}, []string{"--duration"}},
		{[]string{"--unheard-of"}, []string{"unknown flag"}},
	} {
		code, out := inProcess(t, nil, append([]string{"loadtest"}, c.args...)...)
		if code != exitUsage {
			t.Errorf("%q: exit code %d", c.args, code)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%q: %q is not in:\n%s", c.args, want, out)
			}
		}
	}
}
