package foreign_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// TestReadmeExample does what the README and the manual show: the bot of one passes the
// test of the other, on the program.
func TestReadmeExample(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the example is for a shell")
	}
	nodeCommand("bot.cjs", "discord.js")(t)
	var text []byte
	for _, name := range []string{"../README.md", "../MANUAL.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, page...)
	}
	block := func(language, has string) string {
		for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], has) {
				return m[1]
			}
		}
		t.Fatalf("the pages have no block of %s with %q", language, has)
		return ""
	}
	dir := t.TempDir()
	for name, code := range map[string]string{"bot.cjs": block("js", "discord.js"), "try.mjs": block("js", "SANDBOX_URL")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "../cmd/sandbox").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	// Any free port.
	script := strings.Replace(block("sh", "try.mjs"), "--env", "--env --addr 127.0.0.1:0", 1)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir = dir
	cmd.WaitDelay = waittest.Limit(30 * time.Second)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || strings.Count(out.String(), "ok: ") != 3 {
		t.Errorf("%v:\n%s", err, out.String())
	}
}
