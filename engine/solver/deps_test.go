package solver_test

import (
	"go/build"
	"strings"
	"testing"
)

// The solver knows the rules and nothing else of the program.
func TestImports(t *testing.T) {
	p, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range p.Imports {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "tictactoe" && path != "tictactoe/engine" {
			t.Errorf("%s imports %s; it may import engine and the standard library", p.Name, path)
		}
	}
}
