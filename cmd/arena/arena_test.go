package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"tictactoe/cmd/internal/progress"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
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

// parse reads the arguments as the command does.
func parse(t *testing.T, args ...string) (o options, err error) {
	t.Helper()
	parser, err := kong.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return o, err
}

// small asks for a report that takes no time: the exact part whole, one sampled board.
var small = []string{"--boards", "4x4-3", "--games", "10", "--seed", "7"}

func run(t *testing.T, line *progress.Line, args ...string) []byte {
	t.Helper()
	o, err := parse(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := o.run(t.Context(), &out, line); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestTables(t *testing.T) {
	got := run(t, &progress.Line{}, small...)
	golden(t, "report.txt", got)
	for i, line := range strings.Split(string(got), "\n") {
		if len(line) > 80 {
			t.Errorf("line %d has %d characters: %s", i+1, len(line), line)
		}
	}
}

func TestJSON(t *testing.T) {
	var said strings.Builder
	got := run(t, progress.To(&said), append(small, "--json")...)
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
	players := len(slices.DeleteFunc(strategy.All(), func(o strategy.Opponent) bool { return !o.Plays(engine.Rules{M: 4, N: 4, K: 3}) }))
	if all := players * players; !strings.Contains(said.String(), fmt.Sprintf("4x4-3: %d of %d pairings", all, all)) {
		t.Errorf("progress says %q", said.String())
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

// TestInterrupted: an interrupted run says so, in words, and writes nothing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	err := options{Games: 1}.run(ctx, &out, &progress.Line{})
	if err == nil || !strings.Contains(err.Error(), "interrupted") || strings.Contains(err.Error(), "context") {
		t.Errorf("interrupted, it says %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("wrote %d bytes", out.Len())
	}
}

func TestOptions(t *testing.T) {
	if o, err := parse(t); err != nil || o.Boards != nil {
		t.Errorf("boards by default: got %v, %v, want nil for all", o.Boards, err)
	}
	want := []engine.Rules{engine.Vanishing, {M: 4, N: 5, K: 4}}
	if o, err := parse(t, "--boards", "vanishing,4x5-4"); err != nil || !slices.Equal(o.Boards, want) {
		t.Errorf("two boards: got %v, %v", o.Boards, err)
	}
	for _, args := range [][]string{
		{"--boards", "9x9-4"}, {"--boards", "4x4-5"}, {"--boards", "4x4,hello"}, {"--games", "0"}, {"--games=-3"},
	} {
		if _, err := parse(t, args...); err == nil || !strings.Contains(err.Error(), "--") {
			t.Errorf("%v: got %v, want what is wrong", args, err)
		}
	}
}
