package rest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

// budget is the time for an answer in tests with sockets: long enough that the hedge,
// near its end, has time to arrive on a busy machine.
var budget = waittest.Limit(4 * time.Second)

// inBudget returns a context that ends after budget.
func inBudget(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), budget)
	t.Cleanup(cancel)
	return ctx
}

// until answers when its channel is closed, or not at all.
func until(c <-chan struct{}, then reply) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-c:
			then(w, r)
		case <-r.Context().Done():
		}
	}
}

// closing closes the channel and then answers.
func closing(c chan<- struct{}, then reply) reply {
	return func(w http.ResponseWriter, r *http.Request) {
		close(c)
		then(w, r)
	}
}

// A first try that is only slow is not cut short: near the end a second one joins it,
// and whichever succeeds first tells the message.
func TestASlowAnswerIsWaitedFor(t *testing.T) {
	const other = `{"interaction":{"response_message_id":"77"},"resource":{"message":{"id":"77"}}}`
	type script func(second chan struct{}) (first, then reply)
	for name, c := range map[string]struct {
		script script
		id     string
		want   error
	}{
		"the second is refused, the first was taken": {func(second chan struct{}) (reply, reply) {
			return until(second, status(200, callbackOK)), closing(second, apiError(400, 40060))
		}, "55", nil},
		"the second fails": {func(second chan struct{}) (reply, reply) {
			return until(second, status(200, callbackOK)), closing(second, status(502, ""))
		}, "55", nil},
		"the second is too late": {func(second chan struct{}) (reply, reply) {
			return until(second, status(200, callbackOK)), closing(second, apiError(404, 10062))
		}, "55", nil},
		"the second hangs": {func(second chan struct{}) (reply, reply) {
			return until(second, status(200, callbackOK)), closing(second, hang)
		}, "55", nil},
		"the first hangs": {func(chan struct{}) (reply, reply) {
			return hang, status(200, other)
		}, "77", nil},
		"the first hangs and was taken": {func(chan struct{}) (reply, reply) {
			return hang, apiError(400, 40060)
		}, "", rest.ErrAlreadyAcknowledged},
		"the second overtakes": {func(second chan struct{}) (reply, reply) {
			return until(second, apiError(400, 40060)), closing(second, status(200, other))
		}, "77", nil},
		"the second overtakes and takes long": {func(second chan struct{}) (reply, reply) {
			refused := make(chan struct{})
			return until(second, closing(refused, apiError(400, 40060))), closing(second, until(refused, status(200, other)))
		}, "77", nil},
		"the first is refused late": {func(second chan struct{}) (reply, reply) {
			return until(second, apiError(400, 50035)), closing(second, hang)
		}, "", rest.ErrInvalidForm},
		"the first fails late": {func(second chan struct{}) (reply, reply) {
			failed := make(chan struct{})
			return until(second, closing(failed, status(500, ""))), closing(second, until(failed, status(200, other)))
		}, "77", nil},
	} {
		t.Run(name, func(t *testing.T) {
			inWeather(t, func(t *testing.T, w *weather, client *rest.Client) {
				const budget = 3 * time.Second
				w.becomes(scripted(c.script(make(chan struct{}))))
				start := time.Now()
				m, err := respond(lasting(t, budget), client)
				if !errors.Is(err, c.want) || c.want == nil && (m == nil || m.ID != c.id) {
					t.Errorf("got %+v, %v, want message %q, %v", m, err, c.id, c.want)
				}
				if took := time.Since(start); took < budget/2 || took > budget {
					t.Errorf("took %v of %v", took, budget)
				}
				if seen, _ := w.requests(); len(seen) != 2 {
					t.Errorf("%d requests, want 2", len(seen))
				}
			})
		})
	}
}

// scripted answers the first request by one reply and all others by another, without
// sockets.
func scripted(first, then reply) func(*http.Request) (*http.Response, error) {
	var requests atomic.Int64
	return func(req *http.Request) (*http.Response, error) {
		next := then
		if requests.Add(1) == 1 {
			next = first
		}
		answer := httptest.NewRecorder()
		next(answer, req)
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		return answer.Result(), nil
	}
}

// The second try does not go by a connection that was open before: all of those may
// hang together.
func TestTheSecondTryHasItsOwnConnection(t *testing.T) {
	d := newDiscord(t, hang, status(200, callbackOK))
	kept := make(chan bool, 2)
	serve := d.http.Config.Handler
	d.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kept <- !r.Close
		serve.ServeHTTP(w, r)
	})
	if _, err := respond(inBudget(t), d.client()); err != nil {
		t.Fatal(err)
	}
	if first, second := <-kept, <-kept; !first || second {
		t.Errorf("connections to be kept: %v, then %v, want the first only", first, second)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// A panic beside the first try takes nothing with it.
func TestPanicInTheSecondTry(t *testing.T) {
	second := make(chan struct{})
	d := newDiscord(t, until(second, status(200, callbackOK)))
	var tries atomic.Int64
	c := d.client(func(o *rest.Options) {
		o.Transport = roundTripper(func(req *http.Request) (*http.Response, error) {
			if tries.Add(1) == 2 {
				close(second)
				panic("provoked")
			}
			return http.DefaultTransport.RoundTrip(req)
		})
	})
	if m, err := respond(inBudget(t), c); err != nil || m.ID != "55" {
		t.Errorf("got %+v, %v, want message 55", m, err)
	}
}
