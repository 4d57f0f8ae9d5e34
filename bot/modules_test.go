package bot_test

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tictactoe/bot/kit"
)

// TestModules: patterns such as ./... end without a word where another module begins. So
// what checks a change goes through a list that has all of them, the README's command
// tests all that have tests, and the image is built of all that the program needs.
func TestModules(t *testing.T) {
	var modules []string
	tested := map[string]bool{}
	err := filepath.WalkDir(house, func(path string, d fs.DirEntry, err error) error {
		dir, _ := filepath.Rel(house, filepath.Dir(path))
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name()):
			return fs.SkipDir
		case d.Name() == "go.mod":
			modules = append(modules, filepath.ToSlash(dir))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(modules)
	err = filepath.WalkDir(house, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, "_test.go") {
			tested[moduleOf(modules, filepath.ToSlash(path))] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	if list := strings.Fields(find(t, ".ci/run", `(?m)^modules=\((.*)\)$`)); !slices.Equal(list, modules) {
		t.Errorf(".ci/run goes through %q, and there are %q", list, modules)
	}
	var updated []string // by the forge
	for _, folder := range strings.Split(find(t, ".github/dependabot.yml", `directories: \[(.*)\]`), ", ") {
		updated = append(updated, cmp.Or(strings.TrimPrefix(folder, "/"), "."))
	}
	if !slices.Equal(updated, modules) {
		t.Errorf("updates are looked for in %q, and there are %q", updated, modules)
	}
	command := strings.Fields(find(t, "README.md", `(?m)^go test (\./\.\.\. .*)$`))
	image := find(t, "Dockerfile", `(?s)^(.*)\nRUN go mod download\n`)
	needed := find(t, "go.mod", `(?s)(.*)`)
	for _, module := range modules {
		pattern := "tictactoe/" + module + "/..."
		if module == "." {
			pattern = "./..."
		}
		if tested[module] != slices.Contains(command, pattern) {
			t.Errorf("the README's command is go test %q, and %s has tests: %v", command, module, tested[module])
		}
		if strings.Contains(needed, "=> ./"+module+"\n") && !strings.Contains(image, "\nCOPY "+module+"/go.mod "+module+"/go.sum "+module+"/") {
			t.Errorf("the Dockerfile does not copy go.mod and go.sum of %s before it downloads what they name", module)
		}
	}
}

// moduleOf returns the module that the file at a path from here is in.
func moduleOf(modules []string, path string) (found string) {
	for _, m := range modules {
		if strings.HasPrefix(path, house+"/"+m+"/") || found == "" {
			found = m
		}
	}
	return found
}

// find returns what the pattern's group matches in a file of the project.
func find(t *testing.T, file, pattern string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(house, file))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s has nothing like %s", file, pattern)
	}
	return string(m[1])
}

// TestListing: who lists the bot at Discord copies the permissions that its invitation
// asks for.
func TestListing(t *testing.T) {
	want := strconv.FormatInt(kit.InvitePermissions, 10)
	if got := find(t, "bot/service/LISTING.md", `\| Permissions, guild \| (\d+)`); got != want {
		t.Errorf("LISTING.md asks for the permissions %s, the invitation for %s", got, want)
	}
}
