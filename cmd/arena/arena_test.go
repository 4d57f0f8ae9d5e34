package arena_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/cmd/arena"
	"tictactoe/engine"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got, go test -update writes it anew):\n%s", path, diff)
	}
}

// small is a report that takes no time: the exact part whole, one sampled board.
func small() arena.Options {
	return arena.Options{Boards: []engine.Rules{{M: 4, N: 4, K: 3}}, Games: 10, Seed: 7}
}

func run(t *testing.T, opts arena.Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := arena.Run(context.Background(), &out, opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestTables(t *testing.T) {
	got := run(t, small())
	golden(t, "report.txt", got)
	for i, line := range strings.Split(string(got), "\n") {
		if len(line) > 80 {
			t.Errorf("line %d has %d characters: %s", i+1, len(line), line)
		}
	}
}

func TestJSON(t *testing.T) {
	opts := small()
	opts.JSON = true
	var progress bytes.Buffer
	opts.Progress = &progress
	got := run(t, opts)
	golden(t, "report.json", got)
	d := json.NewDecoder(bytes.NewReader(got))
	d.UseNumber()
	var report any
	if err := d.Decode(&report); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("there is something after the JSON object")
	}
	fourPlaces(t, "", report)
	if !strings.Contains(progress.String(), "4x4-3: 64 of 64 pairings") {
		t.Errorf("progress says %q", progress.String())
	}
}

// fourPlaces checks that every percentage is a decimal with four places.
func fourPlaces(t *testing.T, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if key != "positions" { // whole numbers
				fourPlaces(t, key, value)
			}
		}
	case []any:
		for _, value := range v {
			fourPlaces(t, name, value)
		}
	case json.Number:
		whole := name == "seed" || name == "wins" || name == "draws" || name == "losses"
		if !whole && !regexp.MustCompile(`^\d{1,3}\.\d{4}$`).MatchString(v.String()) {
			t.Errorf("%s is %v, want four places", name, v)
		}
	}
}

func TestCancelledWritesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	if err := arena.Run(ctx, &out, small()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if out.Len() > 0 {
		t.Errorf("wrote %d bytes", out.Len())
	}
}

func TestBadOptions(t *testing.T) {
	for name, opts := range map[string]arena.Options{
		"negative games":    {Games: -1},
		"no such board":     {Boards: []engine.Rules{{M: 9, N: 9, K: 9}}},
		"too many in a row": {Boards: []engine.Rules{{M: 4, N: 4, K: 5}}},
	} {
		var out bytes.Buffer
		if err := arena.Run(context.Background(), &out, opts); !errors.Is(err, arena.ErrOptions) {
			t.Errorf("%s: got %v, want ErrOptions", name, err)
		}
	}
}
