package page_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page's modules import each other one way: a module that is read first needs nothing
// of those behind it.
func TestModulesImportOneWay(t *testing.T) {
	const dir = "web/js"
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	imported := regexp.MustCompile(`(?m)from "\./([^"]+)";$`)
	imports := map[string][]string{}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
			imports[f.Name()] = append(imports[f.Name()], path.Base(m[1]))
		}
	}
	if len(imports["main.js"]) == 0 {
		t.Fatal("main.js imports nothing: the pattern does not see imports")
	}
	done := map[string]bool{}
	var walk func(name string, way []string)
	walk = func(name string, way []string) {
		if at := slices.Index(way, name); at >= 0 {
			t.Fatalf("modules import each other in a circle: %s", strings.Join(append(way[at:], name), " → "))
		}
		if done[name] {
			return
		}
		for _, next := range imports[name] {
			walk(next, append(slices.Clone(way), name))
		}
		done[name] = true
	}
	for name := range imports {
		walk(name, nil)
	}
}
