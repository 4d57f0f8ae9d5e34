package main

import (
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

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

// TestSandboxRunsAnyBot: the program as a bot of somebody else's, which finds its way
// by the variables alone.
func TestSandboxRunsAnyBot(t *testing.T) {
	t.Parallel()
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

// TestSandboxEndsAsItsBot does.
func TestSandboxEndsAsItsBot(t *testing.T) {
	t.Parallel()
	p := launch(t, "", []string{"PATH=" + os.Getenv("PATH")}, "sandbox", "--addr", "127.0.0.1:0", "--", "sh", "-c", "exit 7")
	if code, out := p.wait(t); code != 7 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

// TestSandboxKnowsWhoseBotItIs: what is for one bot is refused where the other plays.
func TestSandboxKnowsWhoseBotItIs(t *testing.T) {
	for args, want := range map[string]string{
		"--name Foreign":           "add --no-bot",
		"--no-bot --http":          "--http is for our own bot",
		"--no-bot --env --json":    "exclude each other",
		"--no-bot --key two;words": "--key has a space",
	} {
		code, out := inProcess(t, nil, append([]string{"sandbox"}, strings.Fields(args)...)...)
		if code != exitUsage || !strings.Contains(out, want) {
			t.Errorf("%s: exit code %d, want %q in\n%s", args, code, want, out)
		}
	}
}
