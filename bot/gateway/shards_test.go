package gateway_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"tictactoe/bot/gateway"
	"tictactoe/bot/sandbox/waittest"
)

// The package knows of no settings, and names none; who has them says more.
func TestAdviceNamesNoSettings(t *testing.T) {
	for _, code := range []int{4010, 4011} {
		d := newDiscord(t, func(_ int, p *peer) {
			p.hello()
			p.greeting()
			p.close(code)
		})
		err := run(t, d).wait()
		var fatal *gateway.FatalError
		if !errors.As(err, &fatal) {
			t.Fatalf("%d: got %v, want a fatal error", code, err)
		}
		if strings.Contains(err.Error(), "SHARD") {
			t.Errorf("%d: the advice names a setting: %v", code, err)
		}
		if code == 4011 && !strings.Contains(err.Error(), "2,500") {
			t.Errorf("4011: got %v, want the limit", err)
		}
	}
}

// An operator hears that Discord wants more shards before it refuses the connection:
// loudly, once, and again when it wants still more.
func TestAdviceBeforeItIsTooLate(t *testing.T) {
	recommended := []int{1, 2, 2, 1, 5, 2}
	d := newDiscord(t, nil)
	says := func(n int) {
		d.answer(func(w http.ResponseWriter) {
			fmt.Fprintf(w, `{"url":%q,"shards":%d,"session_start_limit":{"total":1000,"remaining":900,"max_concurrency":1}}`,
				"ws"+strings.TrimPrefix(d.http.URL, "http"), recommended[n])
		})
	}
	d.script = func(n int, p *peer) {
		p.connect()
		if n+1 < len(recommended) {
			says(n + 1)
			p.close(4009) // a new session, so that it asks again
		}
	}
	says(0)
	s := run(t, d)
	waittest.Until(t, "the last session", func() bool { return s.Status().Connects == int64(len(recommended)) })
	loud := slices.DeleteFunc(strings.Split(s.logged(), "\n"), func(line string) bool {
		return !strings.Contains(line, "level=ERROR") || !strings.Contains(line, "shards for this bot")
	})
	if len(loud) != 2 || !strings.Contains(loud[0], "recommends 2 shards") || !strings.Contains(loud[1], "recommends 5 shards") {
		t.Errorf("in the log: got %q, want of 2 shards and of 5", loud)
	}
}
