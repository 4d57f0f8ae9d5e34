package strategy_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestImports keeps the opponents to the rules and the solver: whatever they knew of
// people, stores or Discord could no longer be tried alone.
func TestImports(t *testing.T) {
	allowed := map[string]bool{"tictactoe/engine": true, "tictactoe/engine/solver": true}
	forbidden := map[string]bool{"os": true, "net": true, "time": true, "log/slog": true, "log": true}
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("found no source files: %v", err)
	}
	comments := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc != nil {
			comments++
		}
		for _, spec := range f.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			first, _, _ := strings.Cut(path, "/")
			ours := first == "tictactoe" || strings.Contains(first, ".")
			if ours && !allowed[path] || forbidden[path] {
				t.Errorf("%s imports %q", name, path)
			}
		}
	}
	if comments != 1 {
		t.Errorf("the package has %d package comments, want 1", comments)
	}
}
