package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tictactoe/bot/rest"
)

// weather is Discord's API as it is at a moment: what becomes of any request. It has no
// sockets, so that it can be in a bubble of package synctest.
type weather struct {
	mu   sync.Mutex
	now  func(*http.Request) (*http.Response, error)
	seen []string     // "method path" of each request
	at   []time.Time  // when each came
	open atomic.Int64 // requests without an answer
}

func (w *weather) RoundTrip(req *http.Request) (*http.Response, error) {
	w.open.Add(1)
	defer w.open.Add(-1)
	w.mu.Lock()
	w.seen = append(w.seen, req.Method+" "+req.URL.Path)
	w.at = append(w.at, time.Now())
	now := w.now
	w.mu.Unlock()
	return now(req)
}

func (w *weather) becomes(now func(*http.Request) (*http.Response, error)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

func (w *weather) requests() ([]string, []time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.seen...), append([]time.Time(nil), w.at...)
}

func says(status int) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(strings.NewReader(`{"id":"1"}`))}, nil
	}
}

func refuses(*http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }

func silence(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// inWeather runs f in a bubble, with a client in fair weather.
func inWeather(t *testing.T, f func(t *testing.T, w *weather, c *rest.Client)) {
	t.Helper()
	inWeatherWith(t, func(*rest.Options) {}, f)
}

func inWeatherWith(t *testing.T, change func(*rest.Options), f func(t *testing.T, w *weather, c *rest.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &weather{now: says(http.StatusOK)}
		o := rest.Options{BaseURL: "http://discord.invalid/api/v10", Token: botToken, Transport: w}
		change(&o)
		c := rest.New(o)
		c.SetApplicationID(appID)
		defer synctest.Wait() // for a probe that was under way
		defer c.Close()
		f(t, w, c)
	})
}

// lasting returns a context that ends after d on the bubble's clock.
func lasting(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func wantReachable(t *testing.T, c *rest.Client, want bool, when string) {
	t.Helper()
	if got := c.Reachable(); got != want {
		t.Errorf("%s: reachable is %v, want %v", when, got, want)
	}
}

// Every kind of call tells that Discord is away, when all its tries end without an
// answer or in a 5xx.
func TestUnreachable(t *testing.T) {
	for name, w0 := range map[string]func(*http.Request) (*http.Response, error){
		"refused": refuses, "silent": silence, "500": says(500), "502": says(502), "503": says(503), "504": says(504), "521": says(521),
	} {
		for kind, call := range map[string]func(context.Context, *rest.Client) error{
			"first answer": func(ctx context.Context, c *rest.Client) error { _, err := respond(ctx, c); return err },
			"edit by token": func(ctx context.Context, c *rest.Client) error {
				_, err := c.EditByToken(ctx, interactionToken, "1", nil)
				return err
			},
			"follow-up": func(ctx context.Context, c *rest.Client) error {
				_, err := c.FollowUp(ctx, interactionToken, nil)
				return err
			},
			"edit": func(ctx context.Context, c *rest.Client) error {
				_, err := c.EditMessage(ctx, "1", "2", nil)
				return err
			},
			"gateway": func(ctx context.Context, c *rest.Client) error { _, err := c.GatewayBot(ctx); return err },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
					wantReachable(t, c, true, "before anything was sent")
					w.becomes(w0)
					if err := call(lasting(t, 2500*time.Millisecond), c); err == nil {
						t.Fatal("got success")
					}
					wantReachable(t, c, false, "after it failed")
					w.becomes(says(http.StatusOK))
					if err := call(lasting(t, 2500*time.Millisecond), c); err != nil {
						t.Fatal(err)
					}
					wantReachable(t, c, true, "after another was answered")
				})
			})
		}
	}
}

// What people can bring about, and what says nothing of Discord, is no outage.
func TestReachableAllTheSame(t *testing.T) {
	first := func(first, then func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
		var once sync.Once
		return func(req *http.Request) (*http.Response, error) {
			next := then
			once.Do(func() { next = first })
			return next(req)
		}
	}
	for name, w0 := range map[string]func(*http.Request) (*http.Response, error){
		"400": says(400), "401": says(401), "403": says(403), "404": says(404), "405": says(405), "413": says(413), "429": says(429), "304": says(304),
		"a 500, then an answer":            first(says(500), says(200)),
		"a 500, then a refusal":            first(says(500), says(404)),
		"a broken connection, then a 403":  first(refuses, says(403)),
		"an answer that breaks off":        breaksOff,
		"a refusal, then a server's fault": first(says(429), says(500)),
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
				w.becomes(w0)
				_, _ = respond(lasting(t, 2500*time.Millisecond), c)
				wantReachable(t, c, true, "afterwards")
			})
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(silence)
			ctx, cancel := context.WithCancel(lasting(t, time.Hour))
			time.AfterFunc(2*time.Second, cancel)
			_, _ = respond(ctx, c)
			wantReachable(t, c, true, "after its caller gave up")
		})
	})
	t.Run("too late to say", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(silence)
			_, _ = respond(lasting(t, 900*time.Millisecond), c)
			wantReachable(t, c, true, "after 0.9 seconds")
			_, _ = respond(lasting(t, 1100*time.Millisecond), c)
			wantReachable(t, c, false, "after 1.1 seconds")
		})
	})
	t.Run("not sent", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(refuses)
			_, _ = c.EditMessage(lasting(t, time.Second), "..", "2", nil)
			wantReachable(t, c, true, "after an argument that cannot be sent")
		})
		c := rest.New(rest.Options{BaseURL: "http://a b", Token: botToken})
		defer c.Close()
		if _, err := c.GatewayBot(t.Context()); !errors.Is(err, rest.ErrBadArgument) {
			t.Errorf("an address that is none: got %v, want ErrBadArgument", err)
		}
		wantReachable(t, c, true, "after an address that is none")
	})
	limited := func(*http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: http.StatusTooManyRequests, Header: http.Header{}, ContentLength: -1,
			Body: io.NopCloser(strings.NewReader(`{"message":"slow down","retry_after":8,"global":false}`)),
		}, nil
	}
	edit := func(t *testing.T, c *rest.Client, d time.Duration) error {
		_, err := c.EditMessage(lasting(t, d), "1", "2", nil)
		return err
	}
	t.Run("refused by the limiter", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(limited)
			_ = edit(t, c, 5*time.Second)
			w.becomes(says(http.StatusOK))
			time.Sleep(2 * time.Second) // on the bubble's clock
			if err := edit(t, c, 5*time.Second); !errors.Is(err, rest.ErrRateLimited) {
				t.Errorf("got %v, want ErrRateLimited", err)
			}
			if seen, _ := w.requests(); len(seen) != 1 {
				t.Errorf("sent %v, want one request", seen)
			}
			wantReachable(t, c, true, "after an edit that waits too long to be sent")
		})
	})
	t.Run("waiting for a turn in vain", func(t *testing.T) {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(silence) // as long as the first one is on its way nobody knows the limit
			go func() { _ = edit(t, c, 20*time.Second) }()
			synctest.Wait()
			_ = edit(t, c, 5*time.Second)
			wantReachable(t, c, true, "after an edit whose turn did not come")
			w.becomes(says(http.StatusOK))
			time.Sleep(time.Minute)
		})
	})
	t.Run("too many refused requests", func(t *testing.T) {
		inWeatherWith(t, func(o *rest.Options) { o.Limits.Invalid = 10 }, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(says(http.StatusForbidden))
			for range 10 {
				_ = edit(t, c, time.Minute)
			}
			time.Sleep(time.Second)
			before, _ := w.requests()
			_ = edit(t, c, 5*time.Second)
			if after, _ := w.requests(); len(after) != len(before) {
				t.Error("the last edit was sent")
			}
			wantReachable(t, c, true, "after an edit that the budget does not allow")
		})
	})
}

func breaksOff(*http.Request) (*http.Response, error) {
	resp, _ := says(200)(nil)
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id":`), brokenReader{}))
	return resp, nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// A call that fails says nothing if another one was answered after it had begun: not
// all is gone, and one person's fault must not stop the others.
func TestOneFailureAmongAnswers(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(func(req *http.Request) (*http.Response, error) {
			if strings.Contains(req.URL.Path, "/channels/") {
				return silence(req)
			}
			return says(200)(req)
		})
		failed := make(chan struct{})
		go func() {
			defer close(failed)
			_, _ = c.EditMessage(lasting(t, 10*time.Second), "1", "2", nil)
		}()
		time.Sleep(time.Second) // on the bubble's clock
		if _, err := respond(lasting(t, time.Second), c); err != nil {
			t.Fatal(err)
		}
		<-failed
		wantReachable(t, c, true, "after an answer that came meanwhile")
		_, _ = c.EditMessage(lasting(t, 10*time.Second), "1", "2", nil)
		wantReachable(t, c, false, "after a failure with nothing beside it")
	})
}

// Nobody has to click for Discord to be found again: the client asks by itself, ever
// less often, and stops asking once there is an answer.
func TestUnreachableAsksByItself(t *testing.T) {
	for name, answer := range map[string]int{"success": 200, "a refusal": 403, "too often": 429} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
				w.becomes(refuses)
				_, _ = respond(lasting(t, 2500*time.Millisecond), c)
				before, _ := w.requests()
				away := time.Now()
				time.Sleep(time.Minute) // on the bubble's clock
				wantReachable(t, c, false, "a minute later")
				seen, at := w.requests()
				var pauses []time.Duration
				for i := len(before); i < len(seen); i++ {
					if seen[i] != "GET /api/v10/users/@me" {
						t.Errorf("asked by %s", seen[i])
					}
					pauses = append(pauses, at[i].Sub(away))
					away = at[i]
				}
				want := []time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second, 15 * time.Second, 15 * time.Second}
				if len(pauses) != len(want) {
					t.Fatalf("pauses: got %v, want %v", pauses, want)
				}
				for i := range want {
					if pauses[i] != want[i] {
						t.Errorf("pauses: got %v, want %v", pauses, want)
					}
				}
				w.becomes(says(answer))
				time.Sleep(16 * time.Second)
				wantReachable(t, c, true, "after an answer")
				before, _ = w.requests()
				time.Sleep(time.Hour)
				if after, _ := w.requests(); len(after) != len(before) {
					t.Errorf("still asking: %v", after[len(before):])
				}
			})
		})
	}
}

// Outages that follow each other closely are asked about once each, not twice.
func TestUnreachableAgain(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		for range 5 {
			w.becomes(refuses)
			_, _ = respond(lasting(t, 2500*time.Millisecond), c)
			wantReachable(t, c, false, "away")
			time.Sleep(1900 * time.Millisecond) // shortly before it would ask
			w.becomes(says(200))
			if _, err := respond(lasting(t, 2500*time.Millisecond), c); err != nil {
				t.Fatal(err)
			}
		}
		w.becomes(refuses)
		_, _ = respond(lasting(t, 2500*time.Millisecond), c)
		before, _ := w.requests()
		time.Sleep(20 * time.Second) // 2 + 4 + 8
		if after, _ := w.requests(); len(after)-len(before) != 3 {
			t.Errorf("asked %d times in 20 seconds, want 3", len(after)-len(before))
		}
	})
}

// That holds for an outage that begins while the client still asks about the one before.
func TestUnreachableAgainWhileAsking(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(silence)
		_, _ = respond(lasting(t, 2500*time.Millisecond), c)
		time.Sleep(3 * time.Second) // it asks for five seconds, since one
		w.becomes(says(200))
		if _, err := respond(lasting(t, time.Second), c); err != nil {
			t.Fatal(err)
		}
		w.becomes(refuses)
		_, _ = respond(lasting(t, time.Second), c)
		before, _ := w.requests()
		time.Sleep(20 * time.Second) // 2 + 4 + 8
		if after, _ := w.requests(); len(after)-len(before) != 3 {
			t.Errorf("asked %d times in 20 seconds, want 3", len(after)-len(before))
		}
	})
}

// A call that waited in vain for another turn has shown what its first try did.
func TestUnreachableInTheQueue(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(silence)
		nonce := json.RawMessage(`{"nonce":"n","enforce_nonce":true}`)
		go func() { _, _ = c.CreateMessage(lasting(t, 5*time.Second), "1", nonce) }() // three seconds, and again
		synctest.Wait()
		go func() { _, _ = c.CreateMessage(lasting(t, 6*time.Second), "1", nil) }() // from then on
		time.Sleep(4900 * time.Millisecond)
		wantReachable(t, c, true, "as long as both try")
		time.Sleep(200 * time.Millisecond)
		wantReachable(t, c, false, "when one has given up")
		time.Sleep(time.Second)
	})
}

// A client that is closed asks nothing any more, also not one that was just asking.
func TestCloseEndsAsking(t *testing.T) {
	for name, after := range map[string]time.Duration{"before the first time": time.Second, "while it asks": 3 * time.Second, "between": 8 * time.Second} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
				w.becomes(silence)
				_, _ = respond(lasting(t, 2500*time.Millisecond), c)
				time.Sleep(after)
				c.Close()
				synctest.Wait()
				if n := w.open.Load(); n != 0 {
					t.Errorf("after Close %d requests are still open", n)
				}
				before, _ := w.requests()
				time.Sleep(time.Hour)
				if after, _ := w.requests(); len(after) != len(before) {
					t.Errorf("asked after Close: %v", after[len(before):])
				}
			})
		})
	}
}
