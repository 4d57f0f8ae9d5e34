package rest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/rest"
)

func TestBotRoutes(t *testing.T) {
	d := newDiscord(t, status(200, `{"id":"9","name":"oxo","url":"wss://g","shards":2,"session_start_limit":{"total":1000,"remaining":7,"reset_after":500,"max_concurrency":3}}`))
	c, ctx := d.client(), within(t, patience)
	for i, call := range []struct {
		call        func() error
		method, url string
	}{
		{func() error { _, err := c.CreateMessage(ctx, "5", nil); return err }, "POST", "/channels/5/messages"},
		{func() error { _, err := c.EditMessage(ctx, "5", "6", nil); return err }, "PATCH", "/channels/5/messages/6"},
		{func() error { return c.DeleteMessage(ctx, "5", "6") }, "DELETE", "/channels/5/messages/6"},
		{func() error { a, err := c.Application(ctx); wantID(t, a.ID); return err }, "GET", "/oauth2/applications/@me"},
		{func() error {
			g, err := c.GatewayBot(ctx)
			if g.URL != "wss://g" || g.Limit.Remaining != 7 || g.Limit.MaxConcurrency != 3 || g.Limit.ResetAfter != 500 {
				t.Errorf("gateway: got %+v", g)
			}
			return err
		}, "GET", "/gateway/bot"},
	} {
		if err := call.call(); err != nil {
			t.Errorf("%s %s: %v", call.method, call.url, err)
		}
		got := d.requests()[i]
		if got.method != call.method || got.path != "/api/v10"+call.url || got.auth != "Bot "+botToken || got.agent != rest.DefaultUserAgent {
			t.Errorf("request: got %+v, want %s %s with the bot token", got, call.method, call.url)
		}
	}
}

func wantID(t *testing.T, got string) {
	t.Helper()
	if got != "9" {
		t.Errorf("id: got %q, want 9", got)
	}
}

func TestCommands(t *testing.T) {
	d := newDiscord(t, status(200, `[{"id":"1"},{"id":"2"}]`))
	c, ctx := d.client(), within(t, patience)
	list, err := c.Commands(ctx, "")
	if err != nil || len(list) != 2 {
		t.Errorf("global: got %s, %v", list, err)
	}
	list, err = c.OverwriteCommands(ctx, "77", []map[string]string{{"name": "x"}})
	if err != nil || len(list) != 2 {
		t.Errorf("guild: got %s, %v", list, err)
	}
	got := d.requests()
	if got[0].path != "/api/v10/applications/900/commands" || got[0].query != "with_localizations=true" {
		t.Errorf("list: got %+v", got[0])
	}
	if got[1].method != "PUT" || got[1].path != "/api/v10/applications/900/guilds/77/commands" || got[1].body != `[{"name":"x"}]` {
		t.Errorf("overwrite: got %+v", got[1])
	}
}

// A message is posted again only if Discord can tell that it is the same one.
func TestCreateMessageIsNotDoubled(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"with nonce":            {`{"nonce":"abc","enforce_nonce":true}`, 2},
		"nonce not enforced":    {`{"nonce":"abc"}`, 1},
		"enforced without one":  {`{"enforce_nonce":true}`, 1},
		"enforced and empty":    {`{"nonce":"","enforce_nonce":true}`, 1},
		"not even JSON objects": {`[]`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, reset, status(200, `{"id":"9"}`))
			_, err := d.client().CreateMessage(within(t, patience), "5", json.RawMessage(c.body))
			if n := len(d.requests()); n != c.want || (err == nil) != (c.want == 2) {
				t.Errorf("got %d requests and %v, want %d", n, err, c.want)
			}
		})
	}
}

// Each kind of 429 is waited out, then the call succeeds.
func TestBotRouteWaitsOutA429(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]reply{
		"user":   limited(0.2, "X-RateLimit-Scope", "user", "X-RateLimit-Bucket", "b", "X-RateLimit-Remaining", "0", "X-RateLimit-Limit", "5", "X-RateLimit-Reset-After", "0.1"),
		"shared": limited(0.2, "X-RateLimit-Scope", "shared"),
		"global": limited(0.2, "X-RateLimit-Scope", "global", "X-RateLimit-Global", "true", "Retry-After", "1"),
		"html": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0.2")
			status(429, "<html>error 1015")(w, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, r, status(200, `{"id":"9"}`))
			c := d.client()
			start := time.Now()
			if _, err := c.EditMessage(within(t, patience), "5", "6", nil); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); took < 200*time.Millisecond {
				t.Errorf("took %v, want at least 200ms", took)
			}
			wantInvalid := 1
			if name == "shared" {
				wantInvalid = 0
			}
			if n := len(d.requests()); n != 2 {
				t.Errorf("requests: got %d, want 2", n)
			}
			if got := c.Invalid(); got != wantInvalid {
				t.Errorf("counted as invalid: got %d, want %d", got, wantInvalid)
			}
		})
	}
}

// After a global 429 no bot route is sent until it is over, on whatever channel;
// answers go out all the same.
func TestGlobal429StopsBotRoutesButNotAnswers(t *testing.T) {
	for name, first := range map[string]reply{
		"by header": limited(3600, "X-RateLimit-Global", "true"),
		"by scope":  limited(3600, "X-RateLimit-Scope", "global"),
		"by body":   status(429, `{"message":"slow down","retry_after":3600,"global":true}`),
		"by the proxy": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "3600")
			status(429, "<html>error 1015")(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) { testGlobal429(t, first) })
	}
}

func testGlobal429(t *testing.T, first reply) {
	t.Helper()
	d := newDiscord(t, first, status(200, `{"id":"9"}`))
	c := d.client()
	if _, err := c.EditMessage(within(t, 5*time.Second), "5", "6", nil); !errors.Is(err, rest.ErrRateLimited) {
		t.Errorf("first: got %v, want ErrRateLimited", err)
	}
	var e *rest.Error
	if _, err := c.EditMessage(within(t, 5*time.Second), "7", "8", nil); !errors.As(err, &e) || !errors.Is(err, rest.ErrRateLimited) || e.Status != 0 || e.RetryAfter < 20*time.Second {
		t.Errorf("another channel: got %v, want ErrRateLimited, unsent, with the wait", err)
	}
	if _, err := respond(within(t, 2*time.Second), c); err != nil {
		t.Errorf("answer: got %v, want nil", err)
	}
	if n := len(d.requests()); n != 2 {
		t.Errorf("requests: got %d, want 2", n)
	}
}

// One slow channel holds up neither another channel nor an answer.
func TestSlowChannelHoldsUpNobody(t *testing.T) {
	release := make(chan struct{})
	var once sync.Once
	free := func() { once.Do(func() { close(release) }) }
	d := newDiscord(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/v10/channels/5/messages/6" {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		status(200, `{"id":"9"}`)(w, r)
	})
	t.Cleanup(free)
	c := d.client(func(o *rest.Options) { o.Limits.Waiting = 3 })
	ctx := within(t, patience)
	results := make(chan error, 10)
	for range 10 {
		go func() { _, err := c.EditMessage(ctx, "5", "6", nil); results <- err }()
	}
	refused := 0
	for range 6 { // one is under way, three wait
		if err := <-results; errors.Is(err, rest.ErrRateLimited) {
			refused++
		}
	}
	if refused != 6 {
		t.Errorf("refused: got %d, want 6", refused)
	}
	if _, err := c.EditMessage(within(t, 5*time.Second), "50", "6", nil); err != nil {
		t.Errorf("another channel: %v", err)
	}
	if _, err := respond(within(t, 2*time.Second), c); err != nil {
		t.Errorf("answer: %v", err)
	}
	if _, waiting := c.Limited(); waiting != 3 {
		t.Errorf("waiting: got %d, want 3", waiting)
	}
	free()
	for range 4 {
		if err := <-results; err != nil {
			t.Errorf("waiting call: %v", err)
		}
	}
}

// A token that Discord keeps refusing is not used ten thousand times. First answers
// are sent all the same: people wait for them.
func TestRefusedRequestsStopInTime(t *testing.T) {
	d := newDiscord(t, apiError(403, 50013))
	c := d.client(func(o *rest.Options) { o.Limits.Invalid = 20 })
	ctx := within(t, 2*time.Second)
	for range 40 {
		if _, err := c.EditByToken(ctx, "token", "@original", struct{}{}); err == nil {
			t.Fatal("got success")
		}
	}
	if n := len(d.requests()); n != 20 {
		t.Errorf("edits sent: got %d, want 20", n)
	}
	if _, _ = respond(ctx, c); len(d.requests()) != 21 {
		t.Error("the first answer was not sent")
	}
	if _, err := c.Application(ctx); !errors.Is(err, rest.ErrRateLimited) {
		t.Errorf("bot route: got %v, want ErrRateLimited", err)
	}
}
