package engine_test

import (
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestImportsStandardLibraryOnly keeps the rules free of everything that would
// stop them from being tested alone: Discord, SQL, a clock or dice of their own.
func TestImportsStandardLibraryOnly(t *testing.T) {
	forbidden := map[string]string{
		"os": "does I/O", "io": "does I/O", "net": "does I/O", "log": "does I/O", "log/slog": "does I/O",
		"time": "knows the time", "math/rand": "rolls dice", "math/rand/v2": "rolls dice", "sync": "shares state",
	}
	files, packageComments := sources(t), 0
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			packageComments++
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := forbidden[path]; why != "" {
				t.Errorf("%s imports %q, which %s", name, path, why)
			}
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "tictactoe" {
				t.Errorf("%s imports %q, which is not in the standard library", name, path)
			}
		}
	}
	if packageComments != 1 {
		t.Errorf("the package has %d package comments, want 1", packageComments)
	}
}

// sources returns the names of the package's files that are not tests.
func sources(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatal("found no source files")
	}
	return names
}
