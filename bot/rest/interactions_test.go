package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/rest"
)

const callbackOK = `{"interaction":{"id":"1","type":2,"response_message_id":"55","response_message_ephemeral":false},"resource":{"type":4,"message":{"id":"55","channel_id":"66","flags":32768,"components":[{"type":99}]}}}`

func respond(ctx context.Context, c *rest.Client) (*rest.Message, error) {
	return c.Respond(ctx, "123", interactionToken, rest.Callback{Type: rest.CallbackMessage, Data: map[string]any{"content": "hi"}})
}

func TestRespond(t *testing.T) {
	d := newDiscord(t, status(200, callbackOK))
	m, err := respond(within(t, patience), d.client())
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != "55" || m.ChannelID != "66" || m.Flags != 32768 || m.Ephemeral() || len(m.Raw) == 0 {
		t.Errorf("message: got %+v", m)
	}
	got := d.requests()[0]
	want := received{
		method: "POST", path: "/api/v10/interactions/123/" + interactionToken + "/callback", query: "with_response=true",
		agent: rest.DefaultUserAgent, contentType: "application/json", body: `{"type":4,"data":{"content":"hi"}}`,
	}
	if got != want {
		t.Errorf("request:\n got %+v\nwant %+v", got, want)
	}
}

func TestRespondWithoutMessage(t *testing.T) {
	for name, r := range map[string]reply{
		"204":      status(204, ""),
		"deferred": status(200, `{"interaction":{"id":"1","type":2,"response_message_loading":true},"resource":{"type":5}}`),
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, r)
			m, err := d.client().Respond(within(t, patience), "1", interactionToken, rest.Callback{Type: rest.CallbackDeferUpdate})
			if m != nil || err != nil {
				t.Errorf("got %v, %v, want nil, nil", m, err)
			}
			if got, want := d.requests()[0].body, `{"type":6}`; got != want {
				t.Errorf("body: got %s, want %s", got, want)
			}
		})
	}
}

// A status of success says that the answer is in place, whatever the rest is like.
func TestRespondTakenWithoutWords(t *testing.T) {
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "500")
		_, _ = w.Write([]byte(callbackOK[:50]))
	}
	for name, c := range map[string]struct {
		reply reply
		id    string
	}{
		"html":              {status(200, "<html>ok</html>"), ""},
		"cut JSON":          {status(200, callbackOK[:50]), ""},
		"connection cut":    {cut, ""},
		"a list":            {status(200, "[]"), ""},
		"null":              {status(200, "null"), ""},
		"another shape":     {status(200, `{"interaction":7,"resource":"x"}`), ""},
		"no message, an id": {status(200, `{"interaction":{"response_message_id":"55"},"resource":{"message":[]}}`), "55"},
		"a message without": {status(200, `{"interaction":{"response_message_id":"55"},"resource":{"message":{"flags":0}}}`), "55"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, c.reply)
			m, err := respond(within(t, 3*time.Second), d.client())
			if err != nil || c.id == "" && m != nil || c.id != "" && (m == nil || m.ID != c.id) {
				t.Errorf("got %+v, %v, want it taken, message %q", m, err, c.id)
			}
			if n := len(d.requests()); n != 1 {
				t.Errorf("requests: got %d, want 1", n)
			}
		})
	}
}

// Discord may make a public answer private; the bot must be able to see that.
func TestRespondTellsEphemeral(t *testing.T) {
	for name, body := range map[string]string{
		"by the flag":     `{"resource":{"message":{"id":"5","flags":64}}}`,
		"by the callback": `{"interaction":{"response_message_id":"5","response_message_ephemeral":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, status(200, body))
			m, err := respond(within(t, patience), d.client())
			if err != nil || m.ID != "5" || !m.Ephemeral() {
				t.Errorf("got %+v, %v, want an ephemeral message 5", m, err)
			}
		})
	}
}

// Faults that a second try cures are cured, within the deadline.
func TestRespondTriesAgain(t *testing.T) {
	for name, first := range map[string]reply{
		"500": status(500, ""), "502": status(502, "<html>"), "503": apiError(503, 130000), "504": status(504, ""),
		"reset": reset, "429": limited(0.05), "hang": hang,
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, first, status(200, callbackOK))
			c := d.client()
			m, err := respond(within(t, 3*time.Second), c)
			if err != nil || m == nil {
				t.Fatalf("got %v, %v, want a message", m, err)
			}
			if got := len(d.requests()); got != 2 {
				t.Errorf("requests: got %d, want 2", got)
			}
			if got := c.Stats().Repeats; got != 1 {
				t.Errorf("repeats: got %d, want 1", got)
			}
		})
	}
}

// A callback that was applied although 502 came back is refused the second time:
// the caller learns that its answer is in place.
func TestRespondAppliedThenFailed(t *testing.T) {
	for name, first := range map[string]reply{"502": status(502, ""), "reset": reset} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, first, apiError(400, 40060))
			_, err := respond(within(t, patience), d.client())
			if !errors.Is(err, rest.ErrAlreadyAcknowledged) {
				t.Errorf("got %v, want ErrAlreadyAcknowledged", err)
			}
		})
	}
}

// What another try cannot cure is tried once.
func TestRespondGivesUpAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		reply reply
		want  error
	}{
		"unknown interaction":  {apiError(404, 10062), rest.ErrUnknownInteraction},
		"already acknowledged": {apiError(400, 40060), rest.ErrAlreadyAcknowledged},
		"invalid form":         {apiError(400, 50035), rest.ErrInvalidForm},
		"long 429":             {limited(30), rest.ErrRateLimited},
		"html 429":             {status(429, "<html>banned"), rest.ErrRateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, c.reply)
			start := time.Now()
			_, err := respond(within(t, 3*time.Second), d.client())
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if n := len(d.requests()); n != 1 {
				t.Errorf("requests: got %d, want 1", n)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("took %v, want no waiting", took)
			}
		})
	}
}

func TestAnswersKeepTheirDeadline(t *testing.T) {
	for name, r := range map[string]reply{"hang": hang, "502": status(502, ""), "429": limited(0.01)} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, r)
			const budget = 700 * time.Millisecond
			start := time.Now()
			_, err := respond(within(t, budget), d.client())
			if err == nil {
				t.Error("got success")
			}
			if took := time.Since(start); took > budget+500*time.Millisecond { // for a busy machine
				t.Errorf("took %v, want at most %v", took, budget)
			}
			if n := len(d.requests()); n > 4 {
				t.Errorf("requests: got %d, want at most 4", n)
			}
		})
	}
	t.Run("none given", func(t *testing.T) {
		d := newDiscord(t, hang)
		c := d.client(func(o *rest.Options) { o.AnswerTimeout = 200 * time.Millisecond })
		if _, err := respond(context.Background(), c); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the default deadline", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		d := newDiscord(t, hang)
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := respond(ctx, d.client()); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
	})
}

// Answers that hang do not hold up the ones behind them.
func TestHangingAnswersHoldUpNobody(t *testing.T) {
	const hanging = 100
	script := make([]reply, hanging, hanging+1)
	for i := range script {
		script[i] = hang
	}
	d := newDiscord(t, append(script, status(200, callbackOK))...)
	c := d.client()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var behind sync.WaitGroup
	for range hanging {
		behind.Go(func() { _, _ = c.FollowUp(ctx, interactionToken, nil) }) // never answered
	}
	eventually(t, "the hanging requests", func() bool { return len(d.requests()) == hanging })
	if _, err := respond(within(t, 2*time.Second), c); err != nil {
		t.Errorf("got %v, want an answer at once", err)
	}
	cancel()
	behind.Wait()
}

// A follow-up that may have arrived is not sent again: Discord would post twice.
func TestFollowUpIsNotDoubled(t *testing.T) {
	for name, r := range map[string]reply{"502": status(502, ""), "reset": reset} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, r)
			if _, err := d.client().FollowUp(within(t, 3*time.Second), interactionToken, nil); err == nil {
				t.Error("got success")
			}
			if n := len(d.requests()); n != 1 {
				t.Errorf("requests: got %d, want 1", n)
			}
		})
	}
	t.Run("429 is not an arrival", func(t *testing.T) {
		d := newDiscord(t, limited(0.02), status(200, `{"id":"9"}`))
		m, err := d.client().FollowUp(within(t, patience), interactionToken, json.RawMessage(`{}`))
		if err != nil || m.ID != "9" {
			t.Errorf("got %v, %v, want message 9", m, err)
		}
	})
}

func TestWebhookRoutes(t *testing.T) {
	d := newDiscord(t, status(200, `{"id":"9","flags":64}`))
	c, ctx := d.client(), within(t, patience)
	body := json.RawMessage(`{"flags":32768}`)
	calls := []struct {
		call func() (*rest.Message, error)
		want received
	}{
		{func() (*rest.Message, error) { return c.EditOriginal(ctx, interactionToken, body) }, received{method: "PATCH", path: "/messages/@original"}},
		{func() (*rest.Message, error) { return c.EditByToken(ctx, interactionToken, "42", body) }, received{method: "PATCH", path: "/messages/42"}},
		{func() (*rest.Message, error) { return c.GetOriginal(ctx, interactionToken) }, received{method: "GET", path: "/messages/@original"}},
		{func() (*rest.Message, error) { return c.FollowUp(ctx, interactionToken, body) }, received{method: "POST", path: ""}},
		{func() (*rest.Message, error) { return nil, c.DeleteByToken(ctx, interactionToken, "42") }, received{method: "DELETE", path: "/messages/42"}},
	}
	for i, call := range calls {
		m, err := call.call()
		if err != nil || m != nil && (m.ID != "9" || !m.Ephemeral()) {
			t.Errorf("%s: got %+v, %v", call.want.method, m, err)
		}
		got := d.requests()[i]
		if want := "/api/v10/webhooks/" + appID + "/" + interactionToken + call.want.path; got.path != want || got.method != call.want.method {
			t.Errorf("request: got %s %s, want %s %s", got.method, got.path, call.want.method, want)
		}
		if got.auth != "" {
			t.Errorf("%s %s carries an Authorization header", got.method, call.want.path)
		}
	}
}

// A deletion whose first try was applied but not answered is a success.
func TestDeleteAppliedThenFailed(t *testing.T) {
	d := newDiscord(t, status(502, ""), apiError(404, 10008))
	if err := d.client().DeleteByToken(within(t, patience), interactionToken, "42"); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	d = newDiscord(t, apiError(404, 10008))
	if err := d.client().DeleteByToken(within(t, patience), interactionToken, "42"); !errors.Is(err, rest.ErrUnknownMessage) {
		t.Errorf("got %v, want ErrUnknownMessage", err)
	}
}

func TestWebhookRoutesNeedAnApplication(t *testing.T) {
	d := newDiscord(t, status(200, `{"id":"9"}`))
	c := d.client(func(o *rest.Options) { o.ApplicationID = "" })
	if _, err := c.EditOriginal(within(t, patience), interactionToken, nil); !errors.Is(err, rest.ErrNoApplication) {
		t.Errorf("got %v, want ErrNoApplication", err)
	}
	c.SetApplicationID("1")
	if _, err := c.EditOriginal(within(t, patience), interactionToken, nil); err != nil {
		t.Errorf("got %v, want nil", err)
	}
}

// An id from outside cannot lead to another route.
func TestIdsStayInTheirSegment(t *testing.T) {
	d := newDiscord(t, status(204, ""))
	c, ctx := d.client(), within(t, patience)
	for _, id := range []string{"", ".", ".."} {
		if _, err := c.Respond(ctx, id, interactionToken, rest.Callback{}); !errors.Is(err, rest.ErrBadArgument) {
			t.Errorf("id %q: got %v, want ErrBadArgument", id, err)
		}
	}
	if _, err := c.Respond(ctx, "../../users/@me?x=#", interactionToken, rest.Callback{}); err != nil {
		t.Fatal(err)
	}
	if got, want := d.requests()[0].path, "/api/v10/interactions/..%2F..%2Fusers%2F@me%3Fx=%23/"; !strings.HasPrefix(got, want) {
		t.Errorf("path: got %s, want %s...", got, want)
	}
}

func TestHugeAnswersAreNotRead(t *testing.T) {
	endless := func(w http.ResponseWriter, _ *http.Request) {
		block := []byte(strings.Repeat(" ", 1<<16))
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	d := newDiscord(t, endless)
	c := d.client()
	if _, err := c.EditOriginal(within(t, patience), interactionToken, nil); !errors.Is(err, rest.ErrTooLarge) {
		t.Errorf("got %v, want ErrTooLarge", err)
	}
	if m, err := respond(within(t, patience), c); m != nil || err != nil {
		t.Errorf("first answer: got %v, %v, want it taken", m, err)
	}
	if n := len(d.requests()); n != 2 {
		t.Errorf("requests: got %d, want one each", n)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var d *discord
	d = newDiscord(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, d.http.URL+"/elsewhere", http.StatusTemporaryRedirect)
	})
	if _, err := respond(within(t, patience), d.client()); err == nil {
		t.Error("got success")
	}
	if n := len(d.requests()); n != 1 {
		t.Errorf("requests: got %d, want 1", n)
	}
}

// Errors of every kind name the route, never a token.
func TestErrorsKeepSecrets(t *testing.T) {
	for name, r := range map[string]reply{
		"hang": hang, "reset": reset, "500": status(500, "x"), "404": apiError(404, 10062), "429": limited(99),
		"50035": status(400, `{"code":50035,"message":"m","errors":{"data":{"_errors":[{"code":"X","message":"y"}]}}}`),
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, r)
			_, err := respond(within(t, 600*time.Millisecond), d.client())
			if err == nil {
				t.Fatal("got success")
			}
			wantNoSecrets(t, err.Error())
			if !strings.Contains(err.Error(), "/interactions/{interaction}/{token}/callback") {
				t.Errorf("error does not name its route: %v", err)
			}
		})
	}
	t.Run("not json", func(t *testing.T) {
		_, err := newDiscord(t, status(200, "nonsense")).client().EditOriginal(within(t, patience), interactionToken, nil)
		if err == nil || !strings.Contains(err.Error(), "/webhooks/{application}/{token}/messages/{message}") {
			t.Fatalf("error does not name its route: %v", err)
		}
		wantNoSecrets(t, err.Error())
	})
	t.Run("refused", func(t *testing.T) {
		d := newDiscord(t, hang)
		c := d.client(func(o *rest.Options) { o.BaseURL = "http://127.0.0.1:1/api" })
		_, err := respond(within(t, 600*time.Millisecond), c)
		if err == nil {
			t.Fatal("got success")
		}
		wantNoSecrets(t, err.Error())
	})
}
