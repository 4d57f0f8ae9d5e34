package rest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/rest"
)

func TestErrorsByCode(t *testing.T) {
	all := []error{
		rest.ErrUnknownInteraction, rest.ErrAlreadyAcknowledged, rest.ErrTokenDead, rest.ErrUnknownMessage,
		rest.ErrUnknownChannel, rest.ErrUnknownGuild, rest.ErrMissingAccess, rest.ErrMissingPermissions,
		rest.ErrInvalidForm, rest.ErrArchived, rest.ErrUnauthorized, rest.ErrRateLimited,
	}
	for _, c := range []struct {
		status, code int
		want         error
		gone, forbid bool
	}{
		{404, 10062, rest.ErrUnknownInteraction, false, false},
		{400, 40060, rest.ErrAlreadyAcknowledged, false, false},
		{401, 50027, rest.ErrTokenDead, false, false},
		{404, 10015, rest.ErrTokenDead, false, false},
		{404, 10008, rest.ErrUnknownMessage, true, false},
		{404, 10003, rest.ErrUnknownChannel, true, false},
		{404, 10004, rest.ErrUnknownGuild, true, false},
		{403, 50001, rest.ErrMissingAccess, false, true},
		{403, 50013, rest.ErrMissingPermissions, false, true},
		{400, 50083, rest.ErrArchived, false, true},
		{400, 160005, rest.ErrArchived, false, true},
		{400, 50035, rest.ErrInvalidForm, false, false},
		{401, 0, rest.ErrUnauthorized, false, false},
		{401, 40001, rest.ErrUnauthorized, false, false},
		{418, 12345, nil, false, false},
	} {
		t.Run(fmt.Sprintf("%d-%d", c.status, c.code), func(t *testing.T) {
			d := newDiscord(t, apiError(c.status, c.code))
			_, err := d.client().EditMessage(within(t, patience), "1", "2", nil)
			var e *rest.Error
			if !errors.As(err, &e) || e.Status != c.status || e.Code != c.code || e.Route != "PATCH /channels/{channel}/messages/{message}" {
				t.Fatalf("got %#v", err)
			}
			for _, sentinel := range all {
				if got, want := errors.Is(err, sentinel), errors.Is(sentinel, c.want); got != want {
					t.Errorf("errors.Is(%v, %v): got %v, want %v", err, sentinel, got, want)
				}
			}
			if got := rest.Gone(err); got != c.gone {
				t.Errorf("Gone: got %v, want %v", got, c.gone)
			}
			if got := rest.Forbidden(err); got != c.forbid {
				t.Errorf("Forbidden: got %v, want %v", got, c.forbid)
			}
		})
	}
}

// Where a message is named, a status means something without a code as well.
func TestErrorsByStatus(t *testing.T) {
	for _, c := range []struct {
		status           int
		byToken, byRoute error
		gone, forbid     bool
	}{
		{401, rest.ErrTokenDead, rest.ErrUnauthorized, false, false},
		{403, rest.ErrTokenDead, rest.ErrMissingAccess, false, true},
		{404, rest.ErrTokenDead, rest.ErrUnknownMessage, true, false},
	} {
		for _, body := range []string{"", "<html>", `{"code":0}`, `{"code":99999,"message":"new"}`} {
			d := newDiscord(t, status(c.status, body))
			client, ctx := d.client(), within(t, patience)
			_, byToken := client.EditByToken(ctx, interactionToken, "2", nil)
			_, byRoute := client.EditMessage(ctx, "1", "2", nil)
			if !errors.Is(byToken, c.byToken) || rest.Gone(byToken) || rest.Forbidden(byToken) || errors.Is(byToken, rest.ErrUnauthorized) {
				t.Errorf("%d %q by token: got %v, want %v", c.status, body, byToken, c.byToken)
			}
			if !errors.Is(byRoute, c.byRoute) || rest.Gone(byRoute) != c.gone || rest.Forbidden(byRoute) != c.forbid || errors.Is(byRoute, rest.ErrTokenDead) {
				t.Errorf("%d %q by channel: got %v, want %v", c.status, body, byRoute, c.byRoute)
			}
			if _, err := client.CreateMessage(ctx, "1", nil); rest.Gone(err) || rest.Forbidden(err) {
				t.Errorf("%d %q on a route without a message: got %v", c.status, body, err)
			}
		}
	}
	for _, other := range []int{400, 409, 429, 500, 503} {
		_, err := newDiscord(t, status(other, "<html>")).client().EditMessage(within(t, 200*time.Millisecond), "1", "2", nil)
		if err == nil || rest.Gone(err) || rest.Forbidden(err) || errors.Is(err, rest.ErrTokenDead) {
			t.Errorf("%d: got %v", other, err)
		}
	}
}

// A 401 on a route without the bot token says nothing about the bot token.
func TestOnlyBotRoutesStopTheBot(t *testing.T) {
	d := newDiscord(t, apiError(401, 0))
	told := make(chan error, 10)
	c := d.client(func(o *rest.Options) { o.OnUnauthorized = func(err error) { told <- err } })
	_, err := c.EditByToken(within(t, patience), interactionToken, "@original", nil)
	if err == nil || errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("answer: got %v, want an error that is not ErrUnauthorized", err)
	}
	for range 3 {
		if _, err := c.Application(within(t, patience)); !errors.Is(err, rest.ErrUnauthorized) {
			t.Errorf("bot route: got %v, want ErrUnauthorized", err)
		}
	}
	if err := <-told; !errors.Is(err, rest.ErrUnauthorized) {
		t.Errorf("told: got %v, want ErrUnauthorized", err)
	}
	if len(told) != 0 {
		t.Error("told more than once")
	}
}

func TestDetailsOfInvalidForm(t *testing.T) {
	body := `{"message":"Invalid Form Body","code":50035,"errors":{"data":{"components":{"0":{"components":{"1":{"emoji":{"name":{"_errors":[{"code":"BUTTON_COMPONENT_INVALID_EMOJI","message":"Invalid emoji"}]}}}}}}},"_errors":[{"code":"WHOLE","message":"all of it"}]}}`
	d := newDiscord(t, status(400, body))
	_, err := d.client().CreateMessage(within(t, patience), "1", nil)
	var e *rest.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	want := "WHOLE all of it; data.components.0.components.1.emoji.name: BUTTON_COMPONENT_INVALID_EMOJI Invalid emoji"
	if e.Details != want {
		t.Errorf("details:\n got %s\nwant %s", e.Details, want)
	}
}

// Error bodies are anything at all; the error stays small and whole.
func TestOddErrorBodies(t *testing.T) {
	for _, body := range []string{
		"", "null", "<html>" + strings.Repeat("x", 1<<20), `[1]`, `{"code":"x"}`, `{"message":` + `"` + strings.Repeat("ä", 5000) + `"}`,
		`{"code":50035,"message":"m","errors":` + strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000) + `}`,
		`{"code":50035,"errors":{"_errors":7}}`, `{"code":50035,"errors":[{"_errors":[{"code":"X"}]}]}`,
	} {
		d := newDiscord(t, status(403, body))
		_, err := d.client().EditMessage(within(t, patience), "1", "2", nil)
		var e *rest.Error
		if !errors.As(err, &e) || e.Status != http.StatusForbidden {
			t.Errorf("body %.20q: got %v", body, err)
			continue
		}
		if n := len(err.Error()); n > 2000 {
			t.Errorf("body %.20q: error of %d bytes", body, n)
		}
	}
}

// What a server quotes of the request is not handed on.
func TestQuotedSecretsAreHidden(t *testing.T) {
	t.Parallel()
	const odd = "tok/en with + and %" // stands in a path as something else
	quote := func(w http.ResponseWriter, r *http.Request) {
		said := r.URL.EscapedPath() + " " + r.URL.Path + " " + r.Header.Get("Authorization")
		if strings.Contains(r.URL.Path, odd) {
			said += " " + url.QueryEscape(odd)
		}
		body, _ := json.Marshal(map[string]any{
			"code": 50035, "message": strings.Repeat("-", 150) + said,
			"errors": map[string]any{said: map[string]any{"_errors": []any{map[string]any{"code": said, "message": said}}}},
		})
		status(http.StatusBadRequest, string(body))(w, r)
	}
	breaks := func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %s %s\r\n\r\n", r.URL.Path, r.Header.Get("Authorization"))
		_ = conn.Close()
	}
	for name, reply := range map[string]reply{"in the body": quote, "instead of a status": breaks} {
		client, ctx := newDiscord(t, reply).client(), within(t, patience)
		for _, token := range []string{interactionToken, odd} {
			_, first := client.Respond(ctx, "1", token, rest.Callback{Type: rest.CallbackDeferUpdate})
			_, edit := client.EditByToken(ctx, token, "2", nil)
			_, followUp := client.FollowUp(ctx, token, nil)
			_, channel := client.EditMessage(ctx, "1", "2", nil)
			for _, err := range []error{first, edit, followUp, channel} {
				if err == nil {
					t.Fatal("got success")
				}
				text := fmt.Sprintf("%v", err)
				wantNoSecrets(t, text)
				for _, form := range []string{token, url.PathEscape(token), url.QueryEscape(token)} {
					if strings.Contains(text, form) {
						t.Errorf("%s: %q stands in %s", name, form, text)
					}
				}
			}
		}
	}
}
