package host

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox"
)

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

// TestShellReadsTheVariables, whatever is in them.
func TestShellReadsTheVariables(t *testing.T) {
	text := forShell([]variable{{"A", "it's $HOME `x` \\ \"q\""}, {"B", "2"}})
	out, err := exec.CommandContext(t.Context(), "sh", "-c", text+`printf %s "$A/$B"`).CombinedOutput()
	if want := "it's $HOME `x` \\ \"q\"/2"; err != nil || string(out) != want {
		t.Errorf("a shell reads %q, %v, want %q", out, err, want)
	}
}

// TestOpenDoor looks at what would be served beyond loopback without serving it there.
func TestOpenDoor(t *testing.T) {
	c := Settings{Addr: "0.0.0.0:8484", Intents: "all", Permissions: "0", AllowHost: []string{"box.example"}}.Check(nil, t.Errorf)
	o := c.options(Program{})
	if !c.open || o.Key == "" || o.Key != c.key || len(o.AllowHosts) != 1 || len(c.key) < shortestKey {
		t.Fatalf("%+v", o)
	}
	if o.Gateway.HelloDelay < 100*time.Millisecond {
		t.Errorf("Hello comes %v after the handshake", o.Gateway.HelloDelay)
	}
	o.Addr = "127.0.0.1:0" // but never beyond it
	srv, err := sandbox.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	h := &Host{Server: srv, config: c}
	if url := h.PageURL(); !strings.HasPrefix(url, "http://box.example:") || !strings.HasSuffix(url, "/?key="+c.key) {
		t.Errorf("the page is said to be at %s", url)
	}
	if text := h.warning(); !strings.HasPrefix(text, "WARNING: 0.0.0.0:8484") || !strings.Contains(text, h.PageURL()) {
		t.Errorf("the warning is %q", text)
	}
	for path, key := range map[string]string{"/page/state": "", "/sandbox/v1/": "", "/sandbox/v1/openapi.json": ""} {
		if status, _ := ask(t, "GET", srv.URL()+path, key, ""); status != 401 {
			t.Errorf("%s answers %d without the key", path, status)
		}
		if status, body := ask(t, "GET", srv.URL()+path, "Bearer "+c.key, ""); status != 200 && path != "/page/state" {
			t.Errorf("%s answers %d %s with the key", path, status, body)
		}
	}

	closed := Settings{Addr: "127.0.0.1:8484", Name: "Bot", Intents: "all", Permissions: "0"}
	h.config = closed.Check(nil, t.Errorf)
	if o := h.config.options(Program{Own: &OwnBot{}, Log: slog.Default()}); o.Key != "" || h.warning() != "" || closed.ForAnotherBot() || o.World.Clock != nil || o.World.PrivilegedIntents != 0 || o.Log != nil {
		t.Errorf("the program's own bot has %+v", o)
	}
}

// TestSettingsAreChecked: what is wrong with them is told.
func TestSettingsAreChecked(t *testing.T) {
	for intents, want := range map[string]int{"none": 0, "members, message_content": 1<<1 | 1<<15, "guilds": -1} {
		got := 0
		c := Settings{Addr: "127.0.0.1:0", Permissions: "0", Intents: intents}.Check(nil, func(string, ...any) { got = -1 })
		if got += c.intents; got != want {
			t.Errorf("--intents %q: got %d, want %d", intents, got, want)
		}
	}
}

// TestEndOfACommand: that it ended well is no error, and that it never began is its own.
func TestEndOfACommand(t *testing.T) {
	h := &Host{program: Program{Stderr: io.Discard}}
	for _, err := range []error{nil, exec.ErrNotFound} {
		if got := h.endOf([]string{"bot"}, err); !errors.Is(got, err) {
			t.Errorf("got %v, want %v", got, err)
		}
	}
}

// TestHintsWhereNobodyAsks: a bot that was started here and asks for nothing may ask the real
// Discord instead.
func TestHintsWhereNobodyAsks(t *testing.T) {
	var log strings.Builder
	c := Settings{Addr: "127.0.0.1:0", Intents: "all", Permissions: "0"}.Check(nil, t.Errorf)
	h, err := c.Start(Program{Stderr: io.Discard, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	h.hintIfUnasked()
	if !strings.Contains(log.String(), "DISCORD_API_BASE") {
		t.Errorf("the log says %q", log.String())
	}
	log.Reset()
	if status, _ := ask(t, http.MethodGet, h.Server.APIURL()+"/gateway", "", ""); status == 0 {
		t.Fatal("no answer")
	}
	h.hintIfUnasked()
	if strings.Contains(log.String(), "DISCORD_API_BASE") {
		t.Errorf("after a request the log says %q", log.String())
	}
}

// TestOwnerIsSomebody: another bot's owner is whoever sits at the page, or who was named.
func TestOwnerIsSomebody(t *testing.T) {
	for given, want := range map[string]string{"": "Ada", "Ben": "Ben"} {
		c := Settings{Addr: "127.0.0.1:0", Intents: "all", Permissions: "0", Owner: given}.Check(nil, t.Errorf)
		h, err := c.Start(Program{Stderr: io.Discard, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Server.World().Owner().Name(); got != want {
			t.Errorf("--owner %q: %s owns it, want %s", given, got, want)
		}
		h.Close()
	}
}
