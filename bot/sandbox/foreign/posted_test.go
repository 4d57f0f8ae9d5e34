package foreign_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"tictactoe/bot/sandbox"
)

// TestPosted uses a bot that interactions are posted to: the program's flag says where it
// listens, or the bot itself does.
func TestPosted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no signal ends the program there and the bot with it")
	}
	bot := nodeCommand("posted/bot.cjs", "discord-interactions")(t)
	program := filepath.Join(t.TempDir(), "sandbox")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../cmd/sandbox").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	port := portOfItsOwn(t)
	for name, c := range map[string]struct{ flags, env []string }{
		"by the flag": {[]string{"--endpoint", "http://127.0.0.1:" + port}, []string{"PORT=" + port}},
		"by the bot":  {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := slices.Concat([]string{program, "--addr", "127.0.0.1:0", "--key", testKey}, c.flags, []string{"--"}, bot)
			h := &hosted{process: startProcess(t, syscall.SIGTERM, args, append(c.env, "LOG_FORMAT=json")...)}
			h.use(t)
			for line := range strings.Lines(h.said()) {
				slow := strings.Contains(line, `"msg":"slow`) // the machine, not the bot
				if !slow && (strings.Contains(line, `"level":"WARN"`) || strings.Contains(line, `"level":"ERROR"`)) {
					t.Errorf("the local Discord says %s", line)
				}
			}
		})
	}
}

const testKey = "posted-interactions"

// hosted is the program with a bot, whose test API people act by.
type hosted struct {
	*process
	base, world string
}

// use does everything once that the bot offers.
func (h *hosted) use(t *testing.T) {
	t.Helper()
	page := regexp.MustCompile(`its page: (http://\S+)\n`)
	h.until(t, "the program", func() bool {
		if m := page.FindStringSubmatch(h.said()); m != nil {
			h.base = m[1] + "/sandbox/v1"
		}
		return h.base != ""
	})
	h.ask(t, "POST", "/wait", map[string]any{"for": "ready", "timeout": "1m"}, nil)
	var worlds []struct{ ID string }
	h.ask(t, "GET", "/worlds", nil, &worlds)
	h.world = "/worlds/" + worlds[0].ID + "/"

	hello := h.act(t, "command", map[string]any{"path": "hello"}, sandbox.CallbackMessage, "Hello!")
	again := h.act(t, "click", map[string]any{"message": hello.Message.ID, "label": "Again"}, sandbox.CallbackUpdate, "")
	if again.Message.ID != hello.Message.ID || !strings.HasPrefix(again.Text, "Hello again, <@") {
		t.Errorf("the click made %q of another message: %t", again.Text, again.Message.ID != hello.Message.ID)
	}
	found := h.act(t, "autocomplete", map[string]any{"path": "find", "focused": "fruit", "options": map[string]any{"fruit": "ap"}}, sandbox.CallbackAutocomplete, "")
	if len(found.Call.Choices) != 2 || found.Call.Choices[1].Name != "apricot" {
		t.Errorf("suggested %+v", found.Call.Choices)
	}
	h.act(t, "command", map[string]any{"path": "find", "options": map[string]any{"fruit": "apple"}}, sandbox.CallbackMessage, "Found apple.")
	form := h.act(t, "command", map[string]any{"path": "form"}, sandbox.CallbackModal, "")
	named := h.act(t, "modal", map[string]any{"call": form.Call.ID, "values": map[string]any{"name": []string{"Ada"}}}, sandbox.CallbackMessage, "Hello, Ada!")
	if !named.Message.Ephemeral() {
		t.Error("the answer to the form is for everybody")
	}
	slow := h.act(t, "command", map[string]any{"path": "slow"}, sandbox.CallbackDeferMessage, "")
	h.act(t, "command", map[string]any{"path": "finish"}, sandbox.CallbackMessage, "Finished.")
	h.ask(t, "GET", "/calls/"+slow.Call.ID+"?wait=settled", nil, &slow)
	if slow.Text != "There." || len(slow.FollowUps) != 1 || slow.FollowUps[0].Content != "More." || !slow.FollowUps[0].Ephemeral() {
		t.Errorf("the deferred answer became %q, with %+v", slow.Text, slow.FollowUps)
	}
}

type outcome struct {
	Call      sandbox.CallInfo
	Message   *sandbox.Snapshot
	FollowUps []sandbox.Snapshot `json:"follow_ups"`
	Text      string
}

// act lets Ada do something that is answered in that way, and with that text unless it is empty.
func (h *hosted) act(t *testing.T, what string, body map[string]any, kind int, text string) (o outcome) {
	t.Helper()
	body["as"], body["channel"] = "Ada", "general"
	if what == "click" || what == "modal" {
		delete(body, "channel")
	}
	h.ask(t, "POST", h.world+what, body, &o)
	if o.Call.Type != kind || text != "" && o.Text != text || len(o.Call.Problems) > 0 {
		t.Fatalf("%s %v: answered with type %d, want %d, and %q, want %q; %s %q", what, body, o.Call.Type, kind, o.Text, text, o.Call.Failed, o.Call.Problems)
	}
	return o
}

// ask makes a request to the test API.
func (h *hosted) ask(t *testing.T, method, path string, body, into any) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, h.base+path, sent)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode == http.StatusOK && into != nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %v, %d %s", method, path, err, resp.StatusCode, raw)
	}
}

// portOfItsOwn is free, and stays so: outgoing connections and whoever takes any port have
// higher ones.
func portOfItsOwn(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := fmt.Sprint(20_000 + rand.IntN(10_000))
		if l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:"+port); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return ""
}
