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
	"tictactoe/bot/sandbox/waittest"
)

// Answers that hang do not hold up the ones behind them.
func TestHangingAnswersHoldUpNobody(t *testing.T) {
	const hanging = 100
	script := make([]reply, hanging, hanging+1)
	for i := range script {
		script[i] = hang
	}
	d := newDiscord(t, append(script, status(200, callbackOK))...)
	c := d.client()
	ctx, cancel := context.WithTimeout(context.Background(), waittest.Patience())
	defer cancel()
	var behind sync.WaitGroup
	for range hanging {
		behind.Go(func() { _, _ = c.FollowUp(ctx, interactionToken, nil) }) // never answered
	}
	waittest.Until(t, "the hanging requests", func() bool { return len(d.requests()) == hanging })
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
		{func() (*rest.Message, error) { return c.EditByToken(ctx, interactionToken, "@original", body) }, received{method: "PATCH", path: "/messages/@original"}},
		{func() (*rest.Message, error) { return c.EditByToken(ctx, interactionToken, "42", body) }, received{method: "PATCH", path: "/messages/42"}},
		{func() (*rest.Message, error) { return c.GetOriginal(ctx, interactionToken) }, received{method: "GET", path: "/messages/@original"}},
		{func() (*rest.Message, error) { return c.FollowUp(ctx, interactionToken, body) }, received{method: "POST", path: ""}},
	}
	for i, call := range calls {
		m, err := call.call()
		if err != nil || m != nil && (m.ID != "9" || m.Flags&64 == 0) {
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
	if err := d.client().DeleteMessage(within(t, patience), "5", "42"); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	d = newDiscord(t, apiError(404, 10008))
	if err := d.client().DeleteMessage(within(t, patience), "5", "42"); !errors.Is(err, rest.ErrUnknownMessage) {
		t.Errorf("got %v, want ErrUnknownMessage", err)
	}
}

func TestWebhookRoutesNeedAnApplication(t *testing.T) {
	d := newDiscord(t, status(200, `{"id":"9"}`))
	c := rest.New(rest.Options{BaseURL: d.http.URL + "/api/v10", Token: botToken})
	defer c.Close()
	if _, err := c.EditByToken(within(t, patience), interactionToken, "@original", nil); !errors.Is(err, rest.ErrNoApplication) {
		t.Errorf("got %v, want ErrNoApplication", err)
	}
	c.SetApplicationID("1")
	if _, err := c.EditByToken(within(t, patience), interactionToken, "@original", nil); err != nil {
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
		c.SetApplicationID(id)
		if _, err := c.EditByToken(ctx, interactionToken, "@original", nil); !errors.Is(err, rest.ErrBadArgument) {
			t.Errorf("an application of the id %q: got %v, want ErrBadArgument", id, err)
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
	t.Parallel()
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
	if _, err := c.EditByToken(within(t, patience), interactionToken, "@original", nil); !errors.Is(err, rest.ErrTooLarge) {
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
	t.Parallel()
	for name, r := range map[string]reply{
		"hang": hang, "reset": reset, "500": status(500, "x"), "404": apiError(404, 10062), "429": limited(3600),
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
		_, err := newDiscord(t, status(200, "nonsense")).client().EditByToken(within(t, patience), interactionToken, "@original", nil)
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
