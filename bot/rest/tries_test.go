package rest_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"tictactoe/bot/rest"
)

// slowly answers after a while.
func slowly(d time.Duration, then func(*http.Request) (*http.Response, error)) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		select {
		case <-time.After(d):
			return then(req)
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
}

// A call that cannot be repeated has all of its time for the one try; of one that can
// there must be some left for another connection.
func TestTimeOfATry(t *testing.T) {
	for name, c := range map[string]struct {
		call  func(*testing.T, *rest.Client) error
		tries int
		fails bool
	}{
		"a follow-up": {func(t *testing.T, c *rest.Client) error {
			_, err := c.FollowUp(lasting(t, 10*time.Second), interactionToken, nil)
			return err
		}, 1, false},
		"a message without nonce": {func(t *testing.T, c *rest.Client) error {
			_, err := c.CreateMessage(lasting(t, 10*time.Second), "1", nil)
			return err
		}, 1, false},
		"a first answer": {func(t *testing.T, c *rest.Client) error { _, err := respond(lasting(t, 10*time.Second), c); return err }, 2, true},
		"an edit by token": {func(t *testing.T, c *rest.Client) error {
			_, err := c.EditByToken(lasting(t, 10*time.Second), interactionToken, "1", nil)
			return err
		}, 2, true},
		"an edit": {func(t *testing.T, c *rest.Client) error {
			_, err := c.EditMessage(lasting(t, 10*time.Second), "1", "2", nil)
			return err
		}, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
				w.becomes(slowly(8*time.Second, says(200)))
				if err := c.call(t, client); (err != nil) != c.fails {
					t.Errorf("got %v", err)
				}
				if _, at := w.requests(); len(at) != c.tries {
					t.Errorf("tries: got %d, want %d", len(at), c.tries)
				}
			})
		})
	}
}

// Between tries there are pauses that grow and are not the same for everybody; there
// are four tries at most, and none begins with hardly any time left.
func TestPausesBetweenTries(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 30 {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(says(503))
			_, _ = c.EditMessage(lasting(t, time.Minute), "1", "2", nil)
			_, at := w.requests()
			if len(at) != 4 {
				t.Fatalf("tries: got %d, want 4", len(at))
			}
			for i, most := range []time.Duration{75 * time.Millisecond, 150 * time.Millisecond, 300 * time.Millisecond} {
				pause := at[i+1].Sub(at[i])
				seen[pause] = true
				if pause < most/3 || pause > most {
					t.Errorf("pause %d: got %v, want %v to %v", i, pause, most/3, most)
				}
			}
		})
	}
	if len(seen) < 20 {
		t.Errorf("only %d different pauses of 90", len(seen))
	}
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(slowly(900*time.Millisecond, says(503)))
		_, _ = c.EditMessage(lasting(t, 960*time.Millisecond), "1", "2", nil)
		if _, at := w.requests(); len(at) > 2 || time.Since(at[len(at)-1]) < 50*time.Millisecond {
			t.Errorf("a try began %v before the end", time.Since(at[len(at)-1]))
		}
	})
}

// A wait that Discord asks for is kept, rounded up to a millisecond; one without an
// end is cut to a day.
func TestRetryAfter(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"0.0001": time.Millisecond, "0.1234": 124 * time.Millisecond, "2": 2 * time.Second, "3600": time.Hour,
		"0": 5 * time.Second, "-7": 5 * time.Second,
	} {
		inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
			w.becomes(tooOften(said))
			_, _ = c.FollowUp(lasting(t, 24*time.Hour), interactionToken, nil)
			_, at := w.requests()
			if len(at) != 4 {
				t.Fatalf("%s: %d tries, want 4", said, len(at))
			}
			for i := 1; i < len(at); i++ {
				if got := at[i].Sub(at[i-1]); got != want {
					t.Errorf("%s: waited %v, want %v", said, got, want)
				}
			}
		})
	}
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(tooOften("1e300"))
		_, err := c.FollowUp(lasting(t, time.Minute), interactionToken, nil)
		var e *rest.Error
		if !errors.As(err, &e) || e.RetryAfter != 24*time.Hour {
			t.Errorf("without end: got %v, want a wait of a day", err)
		}
	})
}

// A window may last for half a millisecond longer than its header says, which is rounded.
func TestWindowsAreRounded(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(func(req *http.Request) (*http.Response, error) {
			resp, err := says(http.StatusOK)(req)
			for name, value := range map[string]string{"Bucket": "b", "Limit": "1", "Remaining": "0", "Reset-After": "0.123"} {
				resp.Header.Set("X-RateLimit-"+name, value)
			}
			return resp, err
		})
		for range 2 {
			if _, err := c.EditMessage(lasting(t, time.Minute), "1", "2", nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, at := w.requests(); at[1].Sub(at[0]) != 124*time.Millisecond {
			t.Errorf("the second one came after %v, want 124ms", at[1].Sub(at[0]))
		}
	})
}

func tooOften(retryAfter string) func(*http.Request) (*http.Response, error) {
	return saysInWords(http.StatusTooManyRequests, `{"message":"slow down","retry_after":`+retryAfter+`}`)
}

// What cannot be repeated is, as long as it had no connection.
func TestFollowUpThatFoundNobody(t *testing.T) {
	inWeather(t, func(t *testing.T, w *weather, c *rest.Client) {
		var tries int
		w.becomes(func(req *http.Request) (*http.Response, error) {
			if tries++; tries < 3 {
				return refuses(req)
			}
			return says(http.StatusOK)(req)
		})
		if _, err := c.FollowUp(lasting(t, time.Minute), interactionToken, nil); err != nil || tries != 3 {
			t.Errorf("got %v after %d tries, want success after 3", err, tries)
		}
	})
}

// From half of the refusals on that Discord takes within ten minutes, bot routes are
// spread over what is left of the window; answers are not.
func TestRefusalsSlowBotRoutesDown(t *testing.T) {
	inWeatherWith(t, func(o *rest.Options) { o.Limits.Invalid = 100 }, func(t *testing.T, w *weather, c *rest.Client) {
		w.becomes(says(http.StatusForbidden))
		for range 70 {
			_, _ = c.EditByToken(lasting(t, time.Second), interactionToken, "1", nil)
		}
		w.becomes(says(http.StatusOK))
		_, before := w.requests()
		began := before[len(before)-1]
		for range 2 {
			if _, err := c.GatewayBot(lasting(t, time.Minute)); err != nil {
				t.Fatal(err)
			}
			_, at := w.requests()
			if got, want := at[len(at)-1].Sub(began), 20*time.Second; got != want { // ten minutes for 30
				t.Errorf("waited %v, want %v", got, want)
			}
			began = at[len(at)-1]
		}
		if _, err := respond(lasting(t, time.Second), c); err != nil {
			t.Errorf("an answer: %v", err)
		}
		if _, err := c.GatewayBot(lasting(t, 10*time.Second)); !errors.Is(err, rest.ErrRateLimited) {
			t.Errorf("less time than the pause: got %v, want ErrRateLimited at once", err)
		}
	})
}

// Answers go over HTTP/1.1, each try over a connection of its own: over HTTP/2 a second
// try would share the connection that hangs. Bot routes may share one.
func TestAnswersDoNotShareAConnection(t *testing.T) {
	protocols := make(chan string, 10)
	srv := newTLS(t, func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		_, _ = w.Write([]byte(`{"id":"1"}`))
	})
	c := rest.New(rest.Options{BaseURL: srv.URL, Token: botToken})
	c.SetApplicationID(appID)
	t.Cleanup(c.Close)
	c.Trust(srv.Certificate())
	ctx := within(t, patience)
	if _, err := respond(ctx, c); err != nil {
		t.Fatal(err)
	}
	if _, err := c.EditMessage(ctx, "1", "2", nil); err != nil {
		t.Fatal(err)
	}
	if first, edit := <-protocols, <-protocols; first != "HTTP/1.1" || edit != "HTTP/2.0" {
		t.Errorf("an answer went over %s and an edit over %s, want HTTP/1.1 and HTTP/2.0", first, edit)
	}
}
