package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"tictactoe/bot/sandbox/waittest"
)

// childVariable makes the test binary be the program.
const childVariable = "SANDBOX_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is the program as a process of its own.
type program struct {
	cmd    *exec.Cmd
	input  io.Closer
	output *lockedBuffer
	exited chan struct{}
}

// launch starts the program in a folder of its own, unless dir names one.
func launch(t *testing.T, dir string, settings []string, args ...string) *program {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: exec.Command(self, args...), output: &lockedBuffer{}, exited: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append([]string{childVariable + "=1", "GORACE=atexit_sleep_ms=0", waittest.Variable + "=" + os.Getenv(waittest.Variable)}, settings...)
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.exited
		if t.Failed() {
			t.Logf("output of the program:\n%s", p.output)
		}
	})
	return p
}

// wait returns the exit code and the output, once the program has ended.
func (p *program) wait(t *testing.T) (int, string) {
	t.Helper()
	p.until(t, "the end", nil)
	return p.cmd.ProcessState.ExitCode(), p.output.String()
}

// until waits until ok holds, before the program ends; without ok, until it ends.
func (p *program) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		select {
		case <-p.exited:
			if ok != nil {
				t.Fatalf("the program ended before %s", what)
			}
			return true
		default:
			return ok != nil && ok()
		}
	})
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// serve starts the local Discord for another bot and returns what it printed.
func serve(t *testing.T, dir string, args ...string) (*program, map[string]string) {
	t.Helper()
	p := launch(t, dir, []string{"LOG_FORMAT=json"}, append([]string{"--addr", "127.0.0.1:0", "--json"}, args...)...)
	vars := map[string]string{}
	p.until(t, "the variables", func() bool {
		for line := range strings.Lines(p.output.String()) {
			if strings.Contains(line, "DISCORD_TOKEN") && strings.HasSuffix(line, "}\n") {
				return json.Unmarshal([]byte(line), &vars) == nil
			}
		}
		return false
	})
	return p, vars
}

// ask asks with an Authorization header and returns the status and the body.
func ask(t *testing.T, method, url, authorization, body string) (int, string) {
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

func TestVersion(t *testing.T) {
	if code, out := launch(t, "", nil, "--version").wait(t); code != 0 || !strings.Contains(out, "go1.") {
		t.Errorf("exit code %d: %s", code, out)
	}
}

// TestPrintsWhatABotNeeds, and every bit of it works.
func TestPrintsWhatABotNeeds(t *testing.T) {
	dir := t.TempDir()
	p, vars := serve(t, dir, "--data", "kept", "--name", "Foreign", "--permissions", "8", "--intents", "members", "--app", "Second")
	bot := "Bot " + vars["DISCORD_TOKEN"]
	for _, base := range []string{vars["DISCORD_API_URL"], vars["DISCORD_API_BASE"], vars["DISCORD_API_BASE"] + "/v10"} {
		if status, body := ask(t, "GET", base+"/users/@me", bot, ""); status != 200 || !strings.Contains(body, `"foreign"`) || !strings.Contains(body, vars["DISCORD_CLIENT_ID"]) {
			t.Errorf("%s: %d %s", base, status, body)
		}
	}
	if status, body := ask(t, "GET", vars["DISCORD_API_URL"]+"/gateway", bot, ""); status != 200 || !strings.Contains(body, vars["DISCORD_GATEWAY_URL"]) {
		t.Errorf("/gateway: %d %s, want %s", status, body, vars["DISCORD_GATEWAY_URL"])
	}
	if status, body := ask(t, "GET", vars["DISCORD_API_URL"]+"/users/@me", "Bot "+vars["DISCORD_TOKEN_2"], ""); status != 200 || !strings.Contains(body, vars["DISCORD_APPLICATION_ID_2"]) {
		t.Errorf("the second application: %d %s", status, body)
	}
	for path, want := range map[string]string{
		"/guilds/" + vars["DISCORD_GUILD_ID"] + "/roles": `"permissions":"8"`,
		"/channels/" + vars["DISCORD_CHANNEL_ID"]:        `"general"`,
		"/applications/@me":                              vars["DISCORD_PUBLIC_KEY"],
	} {
		if status, body := ask(t, "GET", vars["DISCORD_API_URL"]+path, bot, ""); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %s", path, status, body, want)
		}
	}
	if status, body := ask(t, "GET", vars["SANDBOX_URL"]+"/", "Bearer "+vars["SANDBOX_KEY"], ""); status != 200 || !strings.Contains(body, vars["DISCORD_API_URL"]) {
		t.Errorf("the test API: %d %s", status, body)
	}
	if status, _ := ask(t, "GET", vars["SANDBOX_URL"]+"/", "Bearer x", ""); status != 401 {
		t.Errorf("the test API answers %d without the key", status)
	}
	if status, body := ask(t, "POST", vars["SANDBOX_URL"]+"/clock", "Bearer "+vars["SANDBOX_KEY"], `{"advance":"1h"}`); status != 200 {
		t.Errorf("the clock cannot be moved: %d %s", status, body)
	}
	if status, body := ask(t, "GET", strings.TrimSuffix(vars["SANDBOX_URL"], "/sandbox/v1")+"/", "", ""); status != 200 || !strings.Contains(body, "<html") {
		t.Errorf("the page: %d %.100s", status, body)
	}

	// The log has what is refused, and no token.
	ask(t, "POST", vars["DISCORD_API_URL"]+"/channels/"+vars["DISCORD_CHANNEL_ID"]+"/messages", bot, `{"content":""}`)
	p.until(t, "a line in the log", func() bool { return strings.Contains(p.output.String(), `"msg":"refused"`) })
	if !strings.Contains(p.output.String(), `"code":50006`) || strings.Count(p.output.String(), vars["DISCORD_TOKEN"]) != 4 {
		t.Errorf("the log is\n%s", p.output)
	}

	// All is kept, unless another token is wanted.
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	_, again := serve(t, dir, "--data", "kept", "--app", "Second")
	for _, name := range []string{"DISCORD_TOKEN", "DISCORD_APPLICATION_ID", "DISCORD_GUILD_ID", "DISCORD_CHANNEL_ID", "DISCORD_TOKEN_2"} {
		if again[name] != vars[name] {
			t.Errorf("%s is another one after the restart", name)
		}
	}
	_, other := serve(t, t.TempDir(), "--token", "my.own.token")
	if status, _ := ask(t, "GET", other["DISCORD_API_URL"]+"/users/@me", "Bot my.own.token", ""); status != 200 {
		t.Errorf("with a token of one's own: %d", status)
	}
}

// TestEndsWithItsBot, and tells how that ended.
func TestEndsWithItsBot(t *testing.T) {
	for command, want := range map[string]int{"exit 0": 0, "exit 7": 7, "kill -9 $$": 137} {
		p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "--addr", "127.0.0.1:0", "--", "sh", "-c", "echo here; "+command)
		if code, out := p.wait(t); code != want || !strings.Contains(out, "here\n") || strings.Contains(out, "ended") != (want != 0) {
			t.Errorf("%s: exit code %d, want %d:\n%s", command, code, want, out)
		}
	}
	p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "--addr", "127.0.0.1:0", "--", "no-such-bot")
	if code, out := p.wait(t); code != exitError || !strings.Contains(out, "no-such-bot") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestPassesSignalsOn, and waits for what the bot does then.
func TestPassesSignalsOn(t *testing.T) {
	for name, s := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM} {
		p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "--addr", "127.0.0.1:0", "--", "sh", "-c",
			`trap 'echo goodbye; exit 5' `+name+`; echo ready; while :; do sleep 0.01; done`)
		p.until(t, "the bot", func() bool { return strings.Contains(p.output.String(), "ready") })
		if err := p.cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if code, out := p.wait(t); code != 5 || !strings.Contains(out, "goodbye") {
			t.Errorf("%s: exit code %d:\n%s", name, code, out)
		}
	}
}

// TestEndsWithItsInput, and ends its bot, to which nobody sent a signal.
func TestEndsWithItsInput(t *testing.T) {
	p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "--addr", "127.0.0.1:0", "--json", "--stdin", "--", "sh", "-c",
		`trap 'echo goodbye; exit 5' TERM; echo ready; while :; do sleep 0.01; done`)
	p.until(t, "the bot", func() bool { return strings.Contains(p.output.String(), "ready") })
	_ = p.input.Close()
	if code, out := p.wait(t); code != 5 || !strings.Contains(out, "goodbye") || !strings.Contains(out, `"DISCORD_TOKEN":`) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	p, _ = serve(t, "", "--stdin")
	_ = p.input.Close()
	if code, out := p.wait(t); code != 0 {
		t.Errorf("without a bot: exit code %d:\n%s", code, out)
	}
}

// TestRefusesAnOpenDoor and what else makes no sense, in words.
func TestRefusesAnOpenDoor(t *testing.T) {
	for args, want := range map[string]string{
		"--addr 0.0.0.0:0":                            "--allow-host",
		"--addr :8484":                                "not on this machine alone",
		"--addr 0.0.0.0:0 --allow-host a:1":           "it has no port",
		"--addr 0.0.0.0:0 --allow-host a --key short": "at least 16",
		"--key two;words":                             "--key has a space",
		"--env --json":                                "exclude each other",
		"--env -- sh":                                 "leave one of them out",
		"--intents everything":                        "message_content",
		"--permissions all":                           "--permissions",
		"--addr nowhere --intents x --key ,,":         "host:port",
	} {
		code, out := launch(t, "", nil, strings.Fields(args)...).wait(t)
		if code != exitUsage || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %q in\n%s", args, code, want, out)
		}
	}
}

// TestEndpoint: interactions are posted to a bot by HTTP, from when it is there.
func TestEndpoint(t *testing.T) {
	var key atomic.Pointer[ed25519.PublicKey] // nil until the bot has come up
	bot := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key.Load() == nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, _ := io.ReadAll(r.Body)
		signature, _ := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
		if !ed25519.Verify(*key.Load(), append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), signature) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := `{"type":1}`
		if !bytes.Contains(body, []byte(`"type":1,`)) {
			answer = `{"type":4,"data":{"content":"Hello by HTTP"}}`
		}
		_, _ = io.WriteString(w, answer)
	}))
	defer bot.Close()
	p, vars := serve(t, "", "--endpoint", bot.URL)
	p.until(t, "why the bot is not accepted", func() bool { return strings.Contains(p.output.String(), "answered with 503 instead of 401") })
	public, err := hex.DecodeString(vars["DISCORD_PUBLIC_KEY"])
	if err != nil {
		t.Fatal(err)
	}
	key.Store((*ed25519.PublicKey)(&public))
	p.until(t, "interactions to be posted", func() bool { return strings.Contains(p.output.String(), `"msg":"interactions are posted"`) })

	commands := vars["DISCORD_API_URL"] + "/applications/" + vars["DISCORD_APPLICATION_ID"] + "/guilds/" + vars["DISCORD_GUILD_ID"] + "/commands"
	if status, body := ask(t, "PUT", commands, "Bot "+vars["DISCORD_TOKEN"], `[{"name":"hello","description":"Says hello"}]`); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	status, body := ask(t, "POST", vars["SANDBOX_URL"]+"/worlds/"+vars["DISCORD_GUILD_ID"]+"/command", "Bearer "+vars["SANDBOX_KEY"],
		`{"as":"Ada","channel":"general","path":"hello"}`)
	if status != 200 || !strings.Contains(body, "Hello by HTTP") {
		t.Errorf("%d %s", status, body)
	}
}

// TestEndpointElsewhere is refused: nothing leaves this machine.
func TestEndpointElsewhere(t *testing.T) {
	p := launch(t, "", nil, "--addr", "127.0.0.1:0", "--endpoint", "https://example.org/interactions")
	if code, out := p.wait(t); code != exitError || !strings.Contains(out, "on loopback: https://example.org") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
