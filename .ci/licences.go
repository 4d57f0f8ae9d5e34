//go:build ignore

// Command licences prints the licences of all that the released programs are built of, Go
// itself included: what their archives have to carry. It fails where a module has none.
package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)`)

func main() {
	folders := map[string]string{"Go": goroot()}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/tictactoe", "tictactoe/bot/sandbox/cmd/sandbox")
		list.Env, list.Stderr = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"), os.Stderr
		out, err := list.Output()
		must(err)
		for line := range strings.Lines(string(out)) {
			if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(name, "tictactoe/") {
				folders[name] = dir
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		files, err := os.ReadDir(folders[name])
		must(err)
		found := false
		for _, f := range files {
			if f.IsDir() || !licence.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folders[name], f.Name()))
			must(err)
			fmt.Printf("==== %s: %s\n\n%s\n", name, f.Name(), text)
			found = found || !strings.HasPrefix(strings.ToLower(f.Name()), "patents")
		}
		if !found {
			must(fmt.Errorf("%s has no licence in %s", name, folders[name]))
		}
	}
}

// goroot is where Go is, whose library is part of every program.
func goroot() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	must(err)
	return strings.TrimSpace(string(out))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}
