package sandbox_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What is too large for one room, and how large it may be at most.
var most = map[string]int{"files": 30, "lines": 2500, "methods": 40, "fields": 25, "interface": 15, "function": 80}

// larger are those that are too large today, by kind and name, and their size. A number
// may only fall.
var larger = map[string]int{
	"fields ..Call":               35,
	"fields ..Message":            29,
	"fields ..Snapshot":           27,
	"fields rules.Component":      32,
	"files .":                     58,
	"function ..worldLoader.load": 98,
	"lines .":                     9825,
	"methods ..Channel":           45,
	"methods ..Faults":            41,
	"methods ..User":              60,
	"methods ..World":             105,
	"methods api.handler":         59,
}

// TestSizes holds packages to so many files and lines of code, types to so many methods
// and fields, interfaces to so many methods, and functions to so many lines.
func TestSizes(t *testing.T) {
	sizes := map[string]int{}
	for _, f := range sources(t) {
		room := f.dir
		sizes["files "+room]++
		sizes["lines "+room] += f.code
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := room + "." + d.Name.Name
				if d.Recv != nil {
					owner := d.Recv.List[0].Type
					if p, ok := owner.(*ast.StarExpr); ok {
						owner = p.X
					}
					if id, ok := owner.(*ast.Ident); ok {
						sizes["methods "+room+"."+id.Name]++
						name = room + "." + id.Name + "." + d.Name.Name
					}
				}
				sizes["function "+name] = f.set.Position(d.End()).Line - f.set.Position(d.Pos()).Line + 1
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
		case n > most[kind] && n != known:
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

// rooms says for each package of the module which others of it it may import.
var rooms = map[string]string{
	".":                "clock files internal/door operations permission rules timefactor transport",
	"acts":             ". rules",
	"api":              ". acts internal/webjson permission rules",
	"apicheck":         "",
	"clock":            "",
	"cmd/sandbox":      ". host",
	"files":            "",
	"foreign":          "",
	"host":             ". api clock page",
	"internal/apitest": ". waittest",
	"internal/door":    "",
	"internal/webjson": "",
	"operations":       "",
	"page":             ". acts api internal/webjson permission rules",
	"pagetest":         "",
	"permission":       "",
	"rules":            "files",
	"timefactor":       "",
	"transport":        "",
	"waittest":         "timefactor",
}

// TestImports: the local Discord knows no bot, least of all the one next door, and its
// packages import each other one way.
func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range sources(t) {
		seen[f.dir] = true
		allowed, ok := rooms[f.dir]
		if !ok {
			t.Errorf("%s is not in the list of rooms", f.dir)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			room, own := strings.CutPrefix(path+"/", "tictactoe/bot/sandbox/")
			room = cmp.Or(strings.TrimSuffix(room, "/"), ".")
			switch {
			case own && !slices.Contains(strings.Fields(allowed), room):
				t.Errorf("%s imports %s", f.name, path)
			case !own && strings.HasPrefix(path, "tictactoe"):
				t.Errorf("%s imports %s, of another module", f.name, path)
			}
		}
	}
	for room := range rooms {
		if !seen[room] {
			t.Errorf("there is no %s", room)
		}
	}
}

// source is a file of the module that is no test.
type source struct {
	*ast.File
	set       *token.FileSet
	dir, name string
	code      int // lines but for blank ones and comments
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "disgo"): // which is a module of its own
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		all = append(all, source{parsed, set, filepath.ToSlash(filepath.Dir(path)), path, linesOf(t, path)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// linesOf counts the lines of a file that are code.
func linesOf(t *testing.T, path string) (n int) {
	t.Helper()
	text, err := os.ReadFile(path)
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
