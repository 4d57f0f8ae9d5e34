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
// fields, interfaces to so many methods, and functions to so many lines. What is embedded
// counts for what it brings along from the same package. What is larger is listed by kind and
// name with how large it is, as in "files ." or "methods games.Games"; lines, which nearly every
// change moves, with up to a hundredth more. What is small enough leaves the list.
func Check(t *testing.T, all []Source, larger map[string]int) {
	t.Helper()
	sizes, declared := map[string]int{}, map[string]*ast.FieldList{}
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
					declared["fields "+room+"."+n.Name.Name] = of.Fields
				case *ast.InterfaceType:
					declared["interface "+room+"."+n.Name.Name] = of.Methods
				}
			}
			return true
		})
	}
	for what := range declared {
		sizes[what] = members(what, declared, map[string]bool{})
	}
	for what, n := range sizes {
		kind, _, _ := strings.Cut(what, " ")
		spare := 0
		if kind == "lines" {
			spare = n / 100
		}
		switch known, ok := larger[what]; {
		case n > most[kind] && (n > known || known > n+spare):
			t.Errorf("%q: at most %d is allowed, and it is %d: list that, not %d", what, most[kind], n, known)
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

// members counts the fields of a struct, or the methods of an interface, with those of what it
// embeds of its package: each once, however it comes.
func members(what string, declared map[string]*ast.FieldList, seen map[string]bool) (n int) {
	seen[what] = true
	for _, f := range declared[what].List {
		embedded, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(f.Type), "*"), "[")
		embedded = what[:strings.LastIndex(what, ".")+1] + embedded
		switch {
		case len(f.Names) > 0 || declared[embedded] == nil:
			n += max(1, len(f.Names))
		case !seen[embedded]:
			n += members(embedded, declared, seen)
		}
	}
	return n
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
