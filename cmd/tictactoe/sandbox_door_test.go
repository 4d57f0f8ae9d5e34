package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// hosted starts the local Discord for another bot and returns what it printed.
func hosted(t *testing.T, dir string, args ...string) (*program, map[string]string) {
	t.Helper()
	p := launch(t, dir, []string{"LOG_FORMAT=json"}, append([]string{"sandbox", "--addr", "127.0.0.1:0", "--json"}, args...)...)
	vars := map[string]string{}
	poll(t, p, "the variables", func() bool {
		for line := range strings.Lines(p.output.String()) {
			if strings.Contains(line, "DISCORD_TOKEN") && strings.HasSuffix(line, "}\n") {
				return json.Unmarshal([]byte(line), &vars) == nil
			}
		}
		return false
	})
	return p, vars
}

// askAPI asks with an Authorization header and returns the status and the body.
func askAPI(t *testing.T, method, url, authorization, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", authorization)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

// TestSandboxPrintsWhatABotNeeds, and every bit of it works.
func TestSandboxPrintsWhatABotNeeds(t *testing.T) {
	dir := t.TempDir()
	p, vars := hosted(t, dir, "--data", "kept", "--name", "Foreign", "--permissions", "8", "--intents", "members", "--app", "Second")
	bot := "Bot " + vars["DISCORD_TOKEN"]
	for _, base := range []string{vars["DISCORD_API_URL"], vars["DISCORD_API_BASE"], vars["DISCORD_API_BASE"] + "/v10"} {
		if status, body := askAPI(t, "GET", base+"/users/@me", bot, ""); status != 200 || !strings.Contains(body, `"foreign"`) || !strings.Contains(body, vars["DISCORD_CLIENT_ID"]) {
			t.Errorf("%s: %d %s", base, status, body)
		}
	}
	if status, body := askAPI(t, "GET", vars["DISCORD_API_URL"]+"/gateway", bot, ""); status != 200 || !strings.Contains(body, vars["DISCORD_GATEWAY_URL"]) {
		t.Errorf("/gateway: %d %s, want %s", status, body, vars["DISCORD_GATEWAY_URL"])
	}
	if status, body := askAPI(t, "GET", vars["DISCORD_API_URL"]+"/users/@me", "Bot "+vars["DISCORD_TOKEN_2"], ""); status != 200 || !strings.Contains(body, vars["DISCORD_APPLICATION_ID_2"]) {
		t.Errorf("the second application: %d %s", status, body)
	}
	for path, want := range map[string]string{
		"/guilds/" + vars["DISCORD_GUILD_ID"] + "/roles": `"permissions":"8"`,
		"/channels/" + vars["DISCORD_CHANNEL_ID"]:        `"general"`,
		"/applications/@me":                              vars["DISCORD_PUBLIC_KEY"],
	} {
		if status, body := askAPI(t, "GET", vars["DISCORD_API_URL"]+path, bot, ""); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
	if status, body := askAPI(t, "GET", vars["SANDBOX_URL"]+"/", "Bearer "+vars["SANDBOX_KEY"], ""); status != 200 || !strings.Contains(body, vars["DISCORD_API_URL"]) {
		t.Errorf("the test API: %d %s", status, body)
	}
	if status, _ := askAPI(t, "GET", vars["SANDBOX_URL"]+"/", "Bearer x", ""); status != 401 {
		t.Errorf("the test API answers %d without the key", status)
	}
	if status, body := askAPI(t, "POST", vars["SANDBOX_URL"]+"/clock", "Bearer "+vars["SANDBOX_KEY"], `{"advance":"1h"}`); status != 200 {
		t.Errorf("the clock cannot be moved: %d %s", status, body)
	}
	if status, body := askAPI(t, "GET", strings.TrimSuffix(vars["SANDBOX_URL"], "/sandbox/v1")+"/", "", ""); status != 200 || !strings.Contains(body, "<html") {
		t.Errorf("the page: %d %.100s", status, body)
	}

	// The log has what is refused, and no token.
	askAPI(t, "POST", vars["DISCORD_API_URL"]+"/channels/"+vars["DISCORD_CHANNEL_ID"]+"/messages", bot, `{"content":""}`)
	poll(t, p, "a line in the log", func() bool { return strings.Contains(p.output.String(), `"msg":"refused"`) })
	if !strings.Contains(p.output.String(), `"code":50006`) || strings.Count(p.output.String(), vars["DISCORD_TOKEN"]) != 3 {
		t.Errorf("the log is\n%s", p.output)
	}

	// All is kept, unless another token is wanted.
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != exitOK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	_, again := hosted(t, dir, "--data", "kept", "--app", "Second")
	for _, name := range []string{"DISCORD_TOKEN", "DISCORD_APPLICATION_ID", "DISCORD_GUILD_ID", "DISCORD_CHANNEL_ID", "DISCORD_TOKEN_2"} {
		if again[name] != vars[name] {
			t.Errorf("%s is another one after the restart", name)
		}
	}
	_, other := hosted(t, t.TempDir(), "--token", "my.own.token")
	if status, _ := askAPI(t, "GET", other["DISCORD_API_URL"]+"/users/@me", "Bot my.own.token", ""); status != 200 {
		t.Errorf("with a token of one's own: %d", status)
	}
}

// TestSandboxRunsAnyBot: the program as a bot of somebody else's, which finds its way
// by the variables alone.
func TestSandboxRunsAnyBot(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := launch(t, "", nil, "sandbox", "--addr", "127.0.0.1:0", "--key", "open", "--", self, "run", "--log-level", "info")
	var url string
	poll(t, p, "the page's address", func() bool {
		_, rest, ok := strings.Cut(p.output.String(), "its page: ")
		url, _, _ = strings.Cut(rest, "\n")
		return ok && strings.Contains(rest, "\n")
	})
	test := url + "/sandbox/v1"
	if status, body := askAPI(t, "POST", test+"/wait", "Bearer open", `{"for":"ready","timeout":"60s"}`); status != 200 {
		t.Fatalf("the bot is not ready: %d %s\n%s", status, body, p.output)
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != exitOK || !strings.Contains(out, "Invite the bot") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestSandboxEndsWithItsBot, and tells how that ended.
func TestSandboxEndsWithItsBot(t *testing.T) {
	for command, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -9 $$": 137} {
		p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "sandbox", "--addr", "127.0.0.1:0", "--", "sh", "-c", "echo here; "+command)
		if code, out := p.wait(t); code != want || !strings.Contains(out, "here\n") || strings.Contains(out, "ended") != (want != 0) {
			t.Errorf("%s: exit code %d, want %d:\n%s", command, code, want, out)
		}
	}
	p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "sandbox", "--addr", "127.0.0.1:0", "--", "no-such-bot")
	if code, out := p.wait(t); code != exitError || !strings.Contains(out, "no-such-bot") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestSandboxPassesSignalsOn, and waits for what the bot does then.
func TestSandboxPassesSignalsOn(t *testing.T) {
	for name, s := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM} {
		p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "sandbox", "--addr", "127.0.0.1:0", "--", "sh", "-c",
			`trap 'echo goodbye; exit 5' `+name+`; echo ready; while :; do sleep 0.01; done`)
		poll(t, p, "the bot", func() bool { return strings.Contains(p.output.String(), "ready") })
		if err := p.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if code, out := p.wait(t); code != 5 || !strings.Contains(out, "goodbye") {
			t.Errorf("%s: exit code %d:\n%s", name, code, out)
		}
	}
}

// TestSandboxRefusesAnOpenDoor and what else makes no sense, in words.
func TestSandboxRefusesAnOpenDoor(t *testing.T) {
	for args, want := range map[string]string{
		"--addr 0.0.0.0:0":                             "--allow-host",
		"--addr :8484 --no-bot":                        "not on this machine alone",
		"--addr 0.0.0.0:0 --allow-host a:1":            "it has no port",
		"--addr 0.0.0.0:0 --allow-host a --key short":  "at least 16",
		"--no-bot --key two;words":                     "--key has a space",
		"--env --json":                                 "exclude each other",
		"--env -- sh":                                  "leave one of them out",
		"--no-bot --intents everything":                "message_content",
		"--no-bot --permissions all":                   "--permissions",
		"--name Foreign":                               "add --no-bot",
		"--no-bot --addr nowhere --intents x --key ,,": "host:port",
	} {
		code, out := inProcess(t, nil, append([]string{"sandbox"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %q in\n%s", args, code, want, out)
		}
	}
}

// TestReadmeExample does what the local Discord's README shows, with the program as
// the bot that "npm start" starts.
func TestReadmeExample(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed: the README's example is not tried")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the example is for a shell")
	}
	text, err := os.ReadFile("../../bot/sandbox/README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language, has string) string {
		for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], has) {
				return m[1]
			}
		}
		t.Fatalf("the README has no block of %s with %q", language, has)
		return ""
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := func(name, script string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil { //nolint:gosec // it is run below
			t.Fatal(err)
		}
	}
	// Any free port, and commands in every world.
	program("tictactoe", "export "+childVariable+"=1; shift; exec '"+self+"' sandbox --addr 127.0.0.1:0 \"$@\"\n")
	program("npm", "export "+childVariable+"=1; export DISCORD_GUILD_ID=; exec '"+self+"' run\n")
	if err := os.WriteFile(filepath.Join(dir, "try.mjs"), []byte(block("js", "SANDBOX_URL")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", block("sh", "try.mjs"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "GORACE=atexit_sleep_ms=0", "TMPDIR="+dir)
	cmd.WaitDelay = waittest.Limit(30 * time.Second)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || strings.Count(out.String(), "ok: ") != 3 {
		t.Errorf("%v:\n%s", err, out.String())
	}
}
