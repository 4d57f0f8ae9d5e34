package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"
)

// pageClient asks the page of a running sandbox, as its own script does.
type pageClient struct {
	t   *testing.T
	url string
}

// sandboxAt starts the local Discord as a process of its own and returns its page.
func sandboxAt(t *testing.T, dir string, args ...string) (*program, pageClient) {
	t.Helper()
	p := launch(t, dir, nil, append([]string{"sandbox", "--addr", "127.0.0.1:0"}, args...)...)
	url := ""
	poll(t, p, "an address", func() bool {
		for line := range strings.Lines(p.output.String()) {
			if at := strings.Index(line, "http://"); at >= 0 && strings.HasSuffix(line, "\n") {
				url = strings.TrimSpace(line[at:])
			}
		}
		return url != ""
	})
	return p, pageClient{t, url}
}

// sandboxAgain starts the local Discord at the address that it had. Somebody else may have
// been given its port meanwhile: then it waits until that is free.
func sandboxAgain(t *testing.T, dir string, page pageClient, args ...string) *program {
	t.Helper()
	var p *program
	waittest.Until(t, "the address to be free", func() bool {
		p = launch(t, dir, nil, append([]string{"sandbox", "--addr", strings.TrimPrefix(page.url, "http://")}, args...)...)
		waittest.Until(t, "the program to begin", func() bool {
			select {
			case <-p.exited:
				return true
			default:
				return strings.Contains(p.output.String(), "Play at ")
			}
		})
		return !strings.Contains(p.output.String(), "address already in use")
	})
	return p
}

// poll waits until cond holds; the program must not end before.
func poll(t *testing.T, p *program, what string, cond func() bool) {
	t.Helper()
	deadline := time.After(waittest.Limit(60 * time.Second))
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-p.exited:
			t.Fatalf("the program ended before %s:\n%s", what, p.output)
		case <-deadline:
			t.Fatalf("waited in vain for %s:\n%s", what, p.output)
		case <-tick.C:
		}
	}
}

func (c pageClient) post(path string, body any) {
	c.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, c.url+path, bytes.NewReader(b))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Origin", c.url)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		c.t.Fatalf("%s: %s: %s", path, resp.Status, answer)
	}
}

func (c pageClient) get(path string, into any) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(get(c.t, c.url+path)), into); err != nil {
		c.t.Fatalf("%s: %v", path, err)
	}
}

// act does something in the first guild.
func (c pageClient) act(what string, body any) {
	c.t.Helper()
	var state struct{ Guilds []struct{ ID string } }
	c.get("/page/state", &state)
	c.post("/page/v1/worlds/"+state.Guilds[0].ID+"/"+what+"?wait=none", body)
}

// place returns the id of the person whom the page opens as, and of the channel.
func (c pageClient) place(channel string) (me, id string) {
	c.t.Helper()
	var state struct {
		Me       string                      `json:"me"`
		Channels []struct{ ID, Name string } `json:"channels"`
	}
	c.get("/page/state", &state)
	for _, ch := range state.Channels {
		if ch.Name == channel {
			return state.Me, ch.ID
		}
	}
	c.t.Fatalf("no channel %s in %+v", channel, state)
	return "", ""
}

// shown returns the last message of the channel as text of JSON.
func (c pageClient) shown(me, channel string) (id string, cells []string, text string) {
	c.t.Helper()
	var answer struct {
		Messages []json.RawMessage `json:"messages"`
	}
	c.get("/page/messages?as="+me+"&channel="+channel, &answer)
	if len(answer.Messages) == 0 {
		return "", nil, ""
	}
	last := answer.Messages[len(answer.Messages)-1]
	var m struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(last, &m); err != nil {
		c.t.Fatal(err)
	}
	text = string(last)
	for part := range strings.SplitSeq(text, `"custom_id":"`) {
		if id, _, ok := strings.Cut(part, `"`); ok && strings.HasPrefix(id, "1:k:") {
			cells = append(cells, id)
		}
	}
	return m.ID, cells, text
}

// TestSandboxKeepsItsGames plays on the page, stops the program, starts it again on
// the same folder and goes on.
func TestSandboxKeepsItsGames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, page := sandboxAt(t, dir, "--data", "kept")
	me, general := page.place("general")
	page.act("command", map[string]any{"as": me, "channel": general, "path": "tictactoe play"})
	var message string
	var cells []string
	poll(t, p, "a board", func() bool {
		message, cells, _ = page.shown(me, general)
		return len(cells) == 9
	})
	page.act("click", map[string]any{"as": me, "message": message, "custom_id": cells[4]})
	poll(t, p, "the bot's reply", func() bool {
		_, _, text := page.shown(me, general)
		return strings.Contains(text, "•")
	})
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, out := p.wait(t); code != exitOK {
		t.Fatalf("exit code %d:\n%s", code, out)
	}

	p, page = sandboxAt(t, dir, "--data", "kept")
	again, channel := page.place("general")
	if again != me || channel != general {
		t.Fatal("people and channels are others after the restart")
	}
	id, _, text := page.shown(me, general)
	if id != message || !strings.Contains(text, "•") {
		t.Fatalf("the board is gone: %.300s", text)
	}
	empty := ""
	for part := range strings.SplitSeq(text, `{"type":2`) {
		if strings.Contains(part, "\u200b") && strings.Contains(part, "1:k:") {
			_, rest, _ := strings.Cut(part, `"custom_id":"`)
			empty, _, _ = strings.Cut(rest, `"`)
		}
	}
	page.act("click", map[string]any{"as": me, "message": message, "custom_id": empty})
	poll(t, p, "the next position", func() bool {
		_, _, now := page.shown(me, general)
		return now != "" && now != text
	})
}

func TestSandboxRestartsTheBotsSession(t *testing.T) {
	t.Parallel()
	_, page := sandboxAt(t, "")
	page.post("/page/restart", map[string]any{})
	me, general := page.place("general")
	page.act("command", map[string]any{"as": me, "channel": general, "path": "tictactoe help"})
}

func TestSandboxSaysThatThePortIsTaken(t *testing.T) {
	t.Parallel()
	_, page := sandboxAt(t, "")
	second := launch(t, "", nil, "sandbox", "--addr", strings.TrimPrefix(page.url, "http://"))
	code, out := second.wait(t)
	if code != exitError || !strings.Contains(out, "address already in use") || !strings.Contains(out, "--addr 127.0.0.1:0 takes any free port") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
