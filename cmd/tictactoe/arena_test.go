package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"tictactoe/cmd/arena"
)

// runArena parses the arguments as the program does and runs the command.
func runArena(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	return runArenaUntil(context.Background(), t, args...)
}

func runArenaUntil(ctx context.Context, t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var c arenaCmd
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		return "", "", err
	}
	var out, errOut bytes.Buffer
	err = c.Run(ctx, environment{stdout: &out, stderr: &errOut})
	return out.String(), errOut.String(), err
}

func TestArenaDefaults(t *testing.T) {
	var c arenaCmd
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(nil); err != nil {
		t.Fatal(err)
	}
	if c.Games != arena.DefaultGames || c.Seed != arena.DefaultSeed {
		t.Errorf("defaults: got %d games and seed %d, want %d and %d", c.Games, c.Seed, arena.DefaultGames, arena.DefaultSeed)
	}
	if boards, err := c.boards(); boards != nil || err != nil {
		t.Errorf("boards by default: got %v, %v, want nil for all", boards, err)
	}
}

func TestArenaWritesJSONAndNothingElse(t *testing.T) {
	stdout, stderr, err := runArena(t, "--json", "--boards", "4x4-3", "--games", "3")
	if err != nil {
		t.Fatal(err)
	}
	if stderr != "" {
		t.Errorf("wrote %q where nobody watches", stderr)
	}
	d := json.NewDecoder(strings.NewReader(stdout))
	var report map[string]any
	if err := d.Decode(&report); err != nil {
		t.Fatal(err)
	}
	if d.More() || report["3x3"] == nil || len(report["sampled"].([]any)) != 1 {
		t.Errorf("the report holds %d boards and more is %v", len(report), d.More())
	}
}

func TestArenaBadArguments(t *testing.T) {
	for _, args := range [][]string{
		{"--boards", "9x9-4"}, {"--boards", "4x4,hello"}, {"--games", "0"}, {"--games=-3"},
	} {
		_, _, err := runArena(t, args...)
		var bad settingsError
		if !errors.As(err, &bad) {
			t.Errorf("%v: got %v, want a settings error", args, err)
		}
	}
}

func TestArenaTables(t *testing.T) {
	stdout, _, err := runArena(t, "--boards", "none")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"perfect", "The claim that ranks should be unbeatable does not hold"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the tables do not say %q", want)
		}
	}
}

// An interrupted run says so, in words, and writes nothing.
func TestArenaInterrupted(t *testing.T) {
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	stdout, _, err := runArenaUntil(interrupted, t, "--boards", "none")
	if err == nil || !strings.Contains(err.Error(), "interrupted") || strings.Contains(err.Error(), "context") {
		t.Errorf("interrupted, it says %v", err)
	}
	if stdout != "" {
		t.Errorf("interrupted, it wrote %q", stdout)
	}
}
