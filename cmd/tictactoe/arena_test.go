package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"tictactoe/engine/arena"
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
	picture := filepath.Join(t.TempDir(), "arena.png")
	stdout, stderr, err := runArena(t, "--json", "--boards", "4x4-3", "--games", "3", "--picture", picture)
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
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
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
	if _, _, err := runArena(t, "--boards", "none", "--picture", t.TempDir()); err == nil {
		t.Error("a picture where a folder is: no error")
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

// TestArenaKeepsAPicture: a run that is interrupted or fails leaves the picture that was there
// as it was, and nothing beside it; one that succeeds replaces it.
func TestArenaKeepsAPicture(t *testing.T) {
	folder := t.TempDir()
	picture := filepath.Join(folder, "arena.png")
	if err := os.WriteFile(picture, []byte("the last one"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := func(last bool) {
		t.Helper()
		got, err := os.ReadFile(picture)
		if err != nil || (string(got) == "the last one") != last {
			t.Errorf("the picture has %d bytes, error %v", len(got), err)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("the folder holds %v, error %v", files, err)
		}
	}
	interrupted, cancel := context.WithCancel(context.Background())
	cancel()
	stdout, _, err := runArenaUntil(interrupted, t, "--boards", "none", "--picture", picture)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || strings.Contains(err.Error(), "context") {
		t.Errorf("interrupted, it says %v", err)
	}
	if stdout != "" {
		t.Errorf("interrupted, it wrote %q", stdout)
	}
	want(true)
	failed := errors.New("no more")
	if err := writeWhole(picture, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half of")
		return failed
	}); !errors.Is(err, failed) {
		t.Errorf("failing, it says %v", err)
	}
	want(true)
	if _, _, err := runArena(t, "--boards", "none", "--picture", picture); err != nil {
		t.Fatal(err)
	}
	want(false)
}

// TestWriteWholeElsewhere: a link is followed, and what is no file is not replaced by one.
func TestWriteWholeElsewhere(t *testing.T) {
	folder := t.TempDir()
	file, link := filepath.Join(folder, "file"), filepath.Join(folder, "link")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, "after")
		return err
	}
	if err := writeWhole(link, write); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); string(got) != "after" {
		t.Errorf("through the link came %q, %v", got, err)
	}
	null := filepath.Join(folder, "null")
	if err := os.Symlink(os.DevNull, null); err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(null, write); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device is %v, %v", info, err)
	}
}

func TestArenaSeedZero(t *testing.T) {
	stdout, _, err := runArena(t, "--json", "--boards", "none", "--seed", "0")
	if err != nil || !strings.HasPrefix(stdout, "{\n  \"seed\": 0,") {
		t.Errorf("got %.30q, %v", stdout, err)
	}
}
