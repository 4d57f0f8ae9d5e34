package sandbox_test

import (
	"encoding/json"
	"testing"

	"tictactoe/bot/sandbox"
)

// TestContentBySession: with version 10 a session reads what others write only if it has asked
// for that intent, with version 9 if the application has it (Discord's documentation, Gateway
// and API Changelog, February 2022).
func TestContentBySession(t *testing.T) {
	t.Parallel()
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.PrivilegedIntents = 1 << 15 })
	const without = 1<<0 | 1<<9
	heard := map[string]*wire{}
	for name, c := range map[string]struct {
		query   string
		intents int
	}{
		"10 with":    {"?v=10&encoding=json", without | 1<<15},
		"10 without": {"?v=10&encoding=json", without},
		"9 without":  {"?v=9&encoding=json", without},
	} {
		w := dial(t, srv, c.query)
		w.ready(srv, obj{"intents": c.intents})
		heard[name] = w
	}
	if _, err := srv.User("Ada").Say(srv.Guild().Channel("general"), "hello"); err != nil {
		t.Fatal(err)
	}
	for name, w := range heard {
		content := "?"
		for content == "?" {
			p, err := w.receive()
			if err != nil {
				t.Fatal(err)
			}
			if p.event() != "MESSAGE_CREATE" {
				continue
			}
			var m struct {
				Content string `json:"content"`
			}
			if err := json.Unmarshal(p.D, &m); err != nil {
				t.Fatal(err)
			}
			content = m.Content
		}
		if want := map[string]string{"10 with": "hello", "9 without": "hello"}[name]; content != want {
			t.Errorf("%s: %q is read, want %q", name, content, want)
		}
	}
}
