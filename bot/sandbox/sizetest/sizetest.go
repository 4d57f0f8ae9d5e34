// Package sizetest holds a module to sizes that one can hold in mind.
package sizetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := room + "." + d.Name.Name
				if d.Recv != nil {
					owner := d.Recv.List[0].Type
					if p, ok := owner.(*ast.StarExpr); ok {
						owner = p.X
					}
					switch generic := owner.(type) {
					case *ast.IndexExpr:
						owner = generic.X
					case *ast.IndexListExpr:
						owner = generic.X
					}
					if id, ok := owner.(*ast.Ident); ok {
						sizes["methods "+room+"."+id.Name]++
						name = room + "." + id.Name + "." + d.Name.Name
					}
				}
				sizes["function "+name] = f.Set.Position(d.End()).Line - f.Set.Position(d.Pos()).Line + 1
			case *ast.GenDecl:
				for _, s := range d.Specs {
					spec, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					switch of := spec.Type.(type) {
					case *ast.StructType:
						sizes["fields "+room+"."+spec.Name.Name] = of.Fields.NumFields()
					case *ast.InterfaceType:
						sizes["interface "+room+"."+spec.Name.Name] = of.Methods.NumFields()
					}
				}
			}
		}
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
// that hold test data or are named.
func Sources(t *testing.T, root string, but ...string) []Source {
	t.Helper()
	var all []Source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || d.Name()[0] == '.' || slices.Contains(but, d.Name())):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		all = append(all, Source{parsed, set, filepath.ToSlash(dir), path, linesOf(t, path)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// linesOf counts the lines of a file that are code.
func linesOf(t *testing.T, path string) (n int) {
	t.Helper()
	text, err := os.ReadFile(path) //nolint:gosec // of the module under test
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}
