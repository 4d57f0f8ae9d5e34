package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

const testVersion = "0.1.0-rc.1"

// TestPackages installs what people install into folders that know nothing of this module,
// and runs the examples there.
func TestPackages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are for a shell")
	}
	if os.Getenv("NODE_PATH") == "" { // to build and to install takes half a minute
		t.Skip("set NODE_PATH to a folder node_modules with discord.js, as .ci/run does")
	}
	t.Chdir("..")
	dir := t.TempDir()
	program, out := filepath.Join(dir, "sandbox"), filepath.Join(dir, "out")
	must(t, ".", []string{"CGO_ENABLED=0", "GOFLAGS="}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/sandbox")
	for _, args := range [][]string{{"binary", program, testVersion, out}, {"module", "example.com/guildbox", testVersion, out}} {
		if err := run(args); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("npm", func(t *testing.T) { tryNPM(t, out) })
	t.Run("wheel", func(t *testing.T) { tryWheel(t, out) })
	t.Run("module", func(t *testing.T) { tryModule(t, out) })
}

func tryNPM(t *testing.T, out string) {
	need(t, "install Node and npm, and set NODE_PATH to a folder node_modules with discord.js", "node", "-e", "require.resolve('discord.js')")
	need(t, "install npm", "npm", "--version")
	dir := example(t, "discordjs")
	packages, err := filepath.Glob(filepath.Join(out, "*.tgz"))
	if err != nil || len(packages) != 2 {
		t.Fatalf("%q, %v", packages, err)
	}
	must(t, dir, nil, "npm", append([]string{"install", "--offline", "--no-audit", "--no-fund"}, packages...)...)
	must(t, dir, nil, "node", "--test", "hello.test.mjs")
	must(t, together(t, dir, "foreign/discordjs/bot.cjs", "packages/testdata/people.test.mjs"), nil, "node", "--test", "people.test.mjs")
	change(t, filepath.Join(dir, "hello.test.mjs"), "Hello again", "Goodbye")
	fails(t, dir, nil, transcript, "node", "--test", "hello.test.mjs")
	fails(t, dir, nil, `exit status 7`, "node", "-e", "require('guildbox').start({ bot: ['sh', '-c', 'exit 7'] })")
	fails(t, dir, nil, `exit status 7`, "npx", "guildbox", "--addr", "127.0.0.1:0", "--", "sh", "-c", "exit 7")
	if err := os.RemoveAll(filepath.Join(dir, "node_modules", "@guildbox")); err != nil {
		t.Fatal(err)
	}
	fails(t, dir, nil, `@guildbox/\S+ is not installed`, "npx", "guildbox", "--help")
}

func tryWheel(t *testing.T, out string) {
	const python = "/usr/bin/python3"
	need(t, "install Debian's python3-discord, python3-pytest and python3-venv", python, "-c", "import discord, ensurepip, pytest")
	dir := example(t, "discordpy")
	wheels, err := filepath.Glob(filepath.Join(out, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("%q, %v", wheels, err)
	}
	venv := filepath.Join(dir, "venv")
	must(t, dir, nil, python, "-m", "venv", "--system-site-packages", venv)
	bin := filepath.Join(venv, "bin")
	must(t, dir, nil, filepath.Join(bin, "pip"), "install", "--no-index", wheels[0])
	path := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	must(t, dir, path, filepath.Join(bin, "python3"), "-m", "pytest", "-W", "error")
	people := together(t, dir, "foreign/discordpy/bot.py", "packages/testdata/test_people.py")
	must(t, people, path, filepath.Join(bin, "python3"), "-m", "pytest", "-W", "error", "-c", os.DevNull)
	change(t, filepath.Join(dir, "test_hello.py"), "Hello again", "Goodbye")
	fails(t, dir, path, transcript, filepath.Join(bin, "python3"), "-m", "pytest", "test_hello.py")
	fails(t, dir, path, `it ended with 7`, filepath.Join(bin, "python3"), "-c", "import guildbox; guildbox.Discord(['sh', '-c', 'exit 7'])")
	fails(t, dir, path, `exit status 7`, filepath.Join(bin, "guildbox"), "--addr", "127.0.0.1:0", "--", "sh", "-c", "exit 7")
	programs, err := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", name, name))
	if err != nil || len(programs) != 1 || os.Remove(programs[0]) != nil {
		t.Fatalf("%q, %v", programs, err)
	}
	fails(t, dir, path, `is not there: install the wheel`, filepath.Join(bin, "guildbox"), "--help")
}

// transcript is in what a failed test of the examples prints.
const transcript = `(?s)Ada: command .*the bot: Hello @Ada! \[Again\].*Ben: click .*the bot: Hello again, @Ben!`

// tryModule tests a bot of another module, which has the helper through a proxy. All else
// is in the module cache, since this module needs it, too.
func tryModule(t *testing.T, out string) {
	cache := must(t, ".", []string{"GOFLAGS="}, "go", "env", "GOMODCACHE")
	dir := example(t, "discordgo")
	change(t, filepath.Join(dir, "hello_test.go"), module, "example.com/guildbox")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("module "+module), []byte("module example.com/bot"), 1)
		if err := write(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	env := []string{
		"GOPROXY=file://" + out + ",file://" + filepath.Join(strings.TrimSpace(cache), "cache", "download"),
		"GOMODCACHE=" + filepath.Join(t.TempDir(), "modules"), "GOFLAGS=-mod=mod -modcacherw -trimpath", "CGO_ENABLED=0", "GOSUMDB=off", "GOWORK=off",
	}
	must(t, dir, env, "go", "get", "example.com/guildbox@v"+testVersion)
	if said := must(t, dir, env, "go", "test", "-v", "."); !strings.Contains(said, "--- PASS: TestGreetsAgain") {
		t.Errorf("the test did not run:\n%s", said)
	}
}

// TestRefuses tells what no package can be made of.
func TestRefuses(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("..")
	out := t.TempDir()
	for want, args := range map[string][]string{
		"want binary BINARY":      {"binary"},
		"neither binary nor":      {"wheel", self, "1.2.3", out},
		`"v1.2.3" is not a ver`:   {"binary", self, "v1.2.3", out},
		`"1.2.3-dev" is not a`:    {"binary", self, "1.2.3-dev", out},
		`"01.2.3" is not a`:       {"binary", self, "01.2.3", out},
		"README.md: unrecognized": {"binary", "README.md", "1.2.3", out},
		"not tictactoe/bot/sand":  {"binary", self, "1.2.3", out},
		`"guildbox" is not a pa`:  {"module", "guildbox", "1.2.3", out},
		`"example.com/A" is not`:  {"module", "example.com/A", "1.2.3", out},
		"out is in the module":    {"module", "example.com/a", "1.2.3", "packages/out"},
	} {
		if err := run(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", args, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(out, "*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
}

// TestVersions: Python has a form of its own for what comes before a release.
func TestVersions(t *testing.T) {
	for text, want := range map[string]string{"1.20.3": "1.20.3", "0.1.0-rc.2": "0.1.0rc2"} {
		if got := (release{version: text}).python(); got != want || !versions.MatchString(text) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestShownExamples: what the README shows is what the tests of the packages run.
func TestShownExamples(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"discordjs/bot.cjs", "discordjs/hello.test.mjs"} {
		if text, err := os.ReadFile(filepath.Join("examples", name)); err != nil || !bytes.Contains(readme, text) {
			t.Errorf("the README does not show %s: %v", name, err)
		}
	}
}

// need skips the test when a command that looks for a prerequisite fails.
func need(t *testing.T, install, name string, args ...string) {
	t.Helper()
	if out, err := command(t, ".", nil, name, args...).CombinedOutput(); err != nil {
		t.Skipf("%s %s: %v; %s\n%s", name, strings.Join(args, " "), err, install, out)
	}
}

// must runs a command that has to succeed, and returns what it wrote.
func must(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, err := command(t, dir, env, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// fails runs a command that has to fail and to say why.
func fails(t *testing.T, dir string, env []string, why, name string, args ...string) {
	t.Helper()
	out, err := command(t, dir, env, name, args...).CombinedOutput()
	if err == nil || !regexp.MustCompile(why).Match(out) {
		t.Errorf("%s %s: %v, want %s\n%s", name, strings.Join(args, " "), err, why, out)
	}
}

func command(t *testing.T, dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(waittest.Within(t, 2*time.Minute), name, args...)
	cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), []string{"PYTHONDONTWRITEBYTECODE=1"}, env)
	return cmd
}

// example copies one into a folder of its own.
func example(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("packages/examples", name))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// together copies files into a folder in dir.
func together(t *testing.T, dir string, files ...string) string {
	t.Helper()
	dir = filepath.Join(dir, "together")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err == nil {
			err = write(filepath.Join(dir, filepath.Base(f)), text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func change(t *testing.T, path, from, to string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s has no %q: %v", path, from, err)
	}
	if err := write(path, bytes.ReplaceAll(text, []byte(from), []byte(to))); err != nil {
		t.Fatal(err)
	}
}
