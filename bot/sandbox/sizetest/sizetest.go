// Package sizetest holds a module to sizes that one can hold in mind.
package sizetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is too large for one room, and how large it may be at most.
var most = map[string]int{"files": 30, "lines": 2500, "methods": 40, "fields": 25, "interface": 15, "function": 80}

// Check holds packages to so many files and lines of code, types to so many methods and
// fields, interfaces to so many methods, and functions to so many lines. What is larger is
// listed by kind and name with what it may be at most, as in "files ." or "methods
// games.Games": a tenth more than it is, which falls as it does. What is small enough leaves
// the list.
func Check(t *testing.T, all []Source, larger map[string]int) {
	t.Helper()
	sizes := map[string]int{}
	for _, f := range all {
		room := f.Dir
		sizes["files "+room]++
		sizes["lines "+room] += f.Code
		ast.Inspect(f.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				name := room + "." + n.Name.Name
				if n.Recv != nil {
					owner, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(n.Recv.List[0].Type), "*"), "[")
					sizes["methods "+room+"."+owner]++
					name = room + "." + owner + "." + n.Name.Name
				}
				sizes["function "+name] = f.Set.Position(n.End()).Line - f.Set.Position(n.Pos()).Line + 1
				return false // what is declared inside of it is part of it
			case *ast.TypeSpec:
				switch of := n.Type.(type) {
				case *ast.StructType:
					sizes["fields "+room+"."+n.Name.Name] = of.Fields.NumFields()
				case *ast.InterfaceType:
					sizes["interface "+room+"."+n.Name.Name] = of.Methods.NumFields()
				}
			}
			return true
		})
	}
	for what, n := range sizes {
		kind, _, _ := strings.Cut(what, " ")
		switch known, ok := larger[what]; {
		case n > most[kind] && (n > known || known > n+n/10+1):
			t.Errorf("%q: %d, and at most %d is allowed; %d is listed", what, n, most[kind], known)
		case ok && n <= most[kind]:
			t.Errorf("%q: %d is allowed: take it from the list", what, n)
		}
	}
	for what := range larger {
		if sizes[what] == 0 {
			t.Errorf("%q is not there any more", what)
		}
	}
}

// Source is a file of the module that is no test.
type Source struct {
	*ast.File
	Set       *token.FileSet
	Dir, Name string // the folder with slashes, and the path
	Code      int    // lines but for blank ones and comments
}

// Sources reads a module from the folder of its test up: all files but tests, and but folders
// that hold test data or are modules of their own.
func Sources(t *testing.T, root string) []Source {
	t.Helper()
	var all []Source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || d.Name()[0] == '.' || isModule(path)):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path) //nolint:gosec // of the module under test
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		all = append(all, Source{parsed, set, filepath.ToSlash(dir), path, linesOf(string(text))})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// isModule reports whether a module begins in the folder.
func isModule(path string) bool {
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

// linesOf counts the lines of a file that are code.
func linesOf(text string) (n int) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}
