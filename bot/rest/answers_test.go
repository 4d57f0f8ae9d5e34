package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
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
	if m.ID != "55" || m.Flags != 32768 {
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

// What is sent is the same, whether or not the caller has encoded it already.
func TestRespondTakesJSON(t *testing.T) {
	for name, data := range map[string]any{
		"encoded": json.RawMessage(`{"content":"hi"}`), "a value": map[string]any{"content": "hi"},
	} {
		d := newDiscord(t, status(204, ""))
		if _, err := d.client().Respond(within(t, patience), "1", interactionToken, rest.Callback{Type: rest.CallbackUpdate, Data: data}); err != nil {
			t.Fatal(err)
		}
		if got, want := d.requests()[0].body, `{"type":7,"data":{"content":"hi"}}`; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	d := newDiscord(t, status(204, ""))
	_, _ = d.client().Respond(within(t, patience), "1", interactionToken, rest.Callback{Type: rest.CallbackUpdate, Data: json.RawMessage(nil)})
	if got := d.requests()[0].body; !json.Valid([]byte(got)) {
		t.Errorf("nothing encoded: got %s", got)
	}
}

// Discord is asked to describe a message only where the answer makes one.
func TestRespondAsksForNewMessagesOnly(t *testing.T) {
	for kind, want := range map[rest.CallbackType]string{
		rest.CallbackMessage: "with_response=true", rest.CallbackUpdate: "", rest.CallbackDeferUpdate: "", rest.CallbackAutocomplete: "",
	} {
		d := newDiscord(t, status(204, ""))
		if m, err := d.client().Respond(within(t, patience), "1", interactionToken, rest.Callback{Type: kind}); m != nil || err != nil {
			t.Errorf("type %d: got %v, %v, want nil, nil", kind, m, err)
		}
		if got := d.requests()[0].query; got != want {
			t.Errorf("type %d: got query %q, want %q", kind, got, want)
		}
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

// Which message was made stands in either part of the answer.
func TestRespondTellsTheMessage(t *testing.T) {
	for name, body := range map[string]string{
		"as a resource":   `{"resource":{"message":{"id":"5","flags":64}}}`,
		"by the callback": `{"interaction":{"response_message_id":"5","response_message_ephemeral":true}}`,
	} {
		t.Run(name, func(t *testing.T) {
			d := newDiscord(t, status(200, body))
			m, err := respond(within(t, patience), d.client())
			if err != nil || m.ID != "5" {
				t.Errorf("got %+v, %v, want message 5", m, err)
			}
		})
	}
}

// Faults that a second try cures are cured, within the deadline. It does not go by a
// connection that was open before: all of those may hang together.
func TestRespondTriesAgain(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]reply{
		"500": status(500, ""), "502": status(502, "<html>"), "503": apiError(503, 130000), "504": status(504, ""),
		"reset": reset, "429": limited(0.05), "hang": hang,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDiscord(t, first, status(200, callbackOK))
			c := d.client()
			m, err := respond(within(t, 3*time.Second), c)
			if err != nil || m == nil {
				t.Fatalf("got %v, %v, want a message", m, err)
			}
			if got := d.requests(); len(got) != 2 || got[0].last || !got[1].last {
				t.Errorf("requests: got %+v, want 2, the second on a connection of its own", got)
			}
		})
	}
}

// A first try that hangs leaves enough of Discord's time for another, which may hear that
// the first was taken.
func TestRespondThatHangsIsInTime(t *testing.T) {
	for name, c := range map[string]struct {
		second func(*http.Request) (*http.Response, error)
		want   error
	}{
		"lost":  {says(http.StatusOK), nil},
		"taken": {saysInWords(http.StatusBadRequest, `{"code":40060}`), rest.ErrAlreadyAcknowledged},
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
				w.becomes(func(req *http.Request) (*http.Response, error) {
					if seen, _ := w.requests(); len(seen) == 1 {
						return silence(req)
					}
					return slowly(900*time.Millisecond, c.second)(req)
				})
				if _, err := respond(lasting(t, 2850*time.Millisecond), client); !errors.Is(err, c.want) || errors.Is(err, rest.ErrAnsweredElsewhere) {
					t.Errorf("got %v, want %v of this very answer", err, c.want)
				}
			})
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
			if !errors.Is(err, rest.ErrAlreadyAcknowledged) || errors.Is(err, rest.ErrAnsweredElsewhere) {
				t.Errorf("got %v, want ErrAlreadyAcknowledged by this very answer", err)
			}
		})
	}
}

// What another try cannot cure is tried once, and is told at once.
func TestRespondGivesUpAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"unknown interaction":  {404, `{"message":"m","code":10062}`, rest.ErrUnknownInteraction},
		"already acknowledged": {400, `{"message":"m","code":40060}`, rest.ErrAlreadyAcknowledged},
		"invalid form":         {400, `{"message":"m","code":50035}`, rest.ErrInvalidForm},
		"long 429":             {429, `{"message":"slow down","retry_after":3600,"global":false}`, rest.ErrRateLimited},
		"html 429":             {429, "<html>banned", rest.ErrRateLimited}, // which means more than three seconds
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
				w.becomes(saysInWords(c.status, c.body))
				start := time.Now()
				if _, err := respond(lasting(t, 3*time.Second), client); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if seen, _ := w.requests(); len(seen) != 1 {
					t.Errorf("requests: got %d, want 1", len(seen))
				}
				if took := time.Since(start); took != 0 {
					t.Errorf("took %v, want no waiting", took)
				}
			})
		})
	}
}

func TestAnswersKeepTheirDeadline(t *testing.T) {
	for name, becomes := range map[string]func(*http.Request) (*http.Response, error){
		"hang": silence, "502": says(502), "429": tooOften("0.01"),
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
				w.becomes(becomes)
				const budget = 700 * time.Millisecond
				start := time.Now()
				if _, err := respond(lasting(t, budget), client); err == nil {
					t.Error("got success")
				}
				if took := time.Since(start); took > budget {
					t.Errorf("took %v, want at most %v", took, budget)
				}
				if seen, _ := w.requests(); len(seen) > 4 {
					t.Errorf("requests: got %d, want at most 4", len(seen))
				}
			})
		})
	}
	t.Run("none given", func(t *testing.T) {
		inWeatherWith(t, func(o *rest.Options) { o.AnswerTimeout = 200 * time.Millisecond }, func(t *testing.T, w *weather, client *rest.Client) {
			w.becomes(silence)
			start := time.Now()
			if _, err := respond(t.Context(), client); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 200*time.Millisecond {
				t.Errorf("got %v after %v, want the end of the default deadline", err, time.Since(start))
			}
		})
	})
	t.Run("cancelled", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
			w.becomes(silence)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			start := time.Now()
			if _, err := respond(ctx, client); !errors.Is(err, context.Canceled) || time.Since(start) != 20*time.Millisecond {
				t.Errorf("got %v after %v, want context.Canceled", err, time.Since(start))
			}
		})
	})
}

// saysInWords answers with a body.
func saysInWords(status int, body string) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		resp, _ := says(status)(nil)
		resp.Body = io.NopCloser(strings.NewReader(body))
		return resp, nil
	}
}
