package bot_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tictactoe/bot/view"
)

var (
	testDefined = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark|Example)\w*)\(`)
	// testNamed finds names of tests in words; one that ends in "…" is the beginning of
	// several names, and what follows a slash is the name of a case.
	testNamed = regexp.MustCompile(`\b((?:Test|Fuzz|Benchmark)[A-Z]\w*)(…|/[\w-]+)?`)
)

// TestNamesOfTestsInWords: pages such as a README name tests that show what they promise,
// and so does the list of other bots' mistakes. All of them exist.
func TestNamesOfTestsInWords(t *testing.T) {
	defined := map[string]bool{}
	var texts []string
	err := filepath.WalkDir(house, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != house:
			return fs.SkipDir
		case filepath.Ext(path) == ".md", d.Name() == "peers_test.go":
			texts = append(texts, path)
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		for _, found := range testDefined.FindAllSubmatch(src, -1) {
			defined[string(found[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, path := range texts {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testNamed.FindAllStringSubmatch(string(src), -1) {
			named++
			name, rest := found[1], found[2]
			switch script, isCase := strings.CutPrefix(rest, "/"); {
			case rest == "…":
				if !hasPrefix(defined, name) {
					t.Errorf("%s names %s…, and no test begins so", path, name)
				}
			case !defined[name]:
				t.Errorf("%s names %s, which does not exist", path, name)
			case isCase && name == "TestScripts":
				if _, err := os.Stat(filepath.Join("testdata", "script", script+".txtar")); err != nil {
					t.Errorf("%s names the script %s, which does not exist", path, script)
				}
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d names of tests were found in %v", named, texts)
	}
}

// TestManualHasEveryCommand: its table says what can be typed or chosen.
func TestManualHasEveryCommand(t *testing.T) {
	manual := find(t, "bot/MANUAL.md", `(?s)(.*)`)
	for _, c := range view.Load().Commands() {
		names := []string{c.Name}
		if c.Name == view.ChatCommand || c.Name == view.AdminCommand {
			names = nil
			for _, sub := range c.Options {
				names = append(names, c.Name+" "+sub.Name)
			}
		}
		for _, name := range names {
			if !regexp.MustCompile(`(?m)^\| .*\b` + name + "[`*] \\|").MatchString(manual) {
				t.Errorf("MANUAL.md has no row for %s", name)
			}
		}
	}
}

func hasPrefix(names map[string]bool, prefix string) bool {
	for name := range names {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
