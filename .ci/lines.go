//go:build ignore

// Command lines counts the lines of Go of each package, by module: code without blanks and
// comments, comments, and tests, which are counted as code is. Its last line is what
// cmd/tictactoe ships of the module. Its argument is the folder of another checkout, to
// compare with.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

type lines struct{ code, comments, tests int }

func (l lines) plus(other lines) lines {
	return lines{l.code + other.code, l.comments + other.comments, l.tests + other.tests}
}

func main() {
	if len(os.Args) > 1 {
		must(os.Chdir(os.Args[1]))
	}
	packages, modules := map[string]lines{}, []string{}
	must(filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name()):
			return fs.SkipDir
		case d.Name() == "go.mod":
			modules = append(modules, filepath.Dir(path))
		case filepath.Ext(path) == ".go":
			dir := filepath.Dir(path)
			packages[dir] = packages[dir].plus(count(path))
		}
		return nil
	}))
	of := map[string][]string{} // packages of a module, which ends where another begins
	total := map[string]lines{}
	for p, l := range packages {
		module := "."
		for _, m := range modules {
			if len(m) > len(module) && strings.HasPrefix(p+"/", m+"/") {
				module = m
			}
		}
		of[module], total[module] = append(of[module], p), total[module].plus(l)
	}
	slices.Sort(modules)
	for _, m := range modules {
		slices.SortFunc(of[m], func(a, b string) int {
			return cmp.Or(packages[b].code-packages[a].code, strings.Compare(a, b))
		})
		fmt.Printf("%6s %8s %6s\n%6d %8d %6d  module %s\n", "code", "comments", "tests", total[m].code, total[m].comments, total[m].tests, m)
		for _, p := range of[m] {
			fmt.Printf("%6d %8d %6d  %s\n", packages[p].code, packages[p].comments, packages[p].tests, p)
		}
	}
	fmt.Printf("%6d of the module . ship in cmd/tictactoe\n", shipped(packages))
}

// count counts the lines of a file.
func count(path string) (l lines) {
	text, err := os.ReadFile(path)
	must(err)
	inside := false // a comment of several lines
	for line := range bytes.Lines(text) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
		case inside || bytes.HasPrefix(line, []byte("/*")):
			l.comments++
			inside = !bytes.Contains(line, []byte("*/"))
		case bytes.HasPrefix(line, []byte("//")):
			l.comments++
		default:
			l.code++
		}
	}
	if strings.HasSuffix(path, "_test.go") {
		return lines{tests: l.code}
	}
	return l
}

// shipped is the code of the packages of this module that the program is built of.
func shipped(packages map[string]lines) (n int) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}", "./cmd/tictactoe")
	list.Stderr = os.Stderr
	out, err := list.Output()
	must(err)
	for path := range strings.FieldsSeq(string(out)) {
		_, dir, _ := strings.Cut(path, "/") // behind the module's name
		n += packages[dir].code
	}
	return n
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
