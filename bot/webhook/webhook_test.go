package webhook_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"tictactoe/bot/discord"
	"tictactoe/bot/discord/discordtest"
	"tictactoe/bot/internal/tasks"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/webhook"
)

func TestMain(m *testing.M) { waittest.Main(m) }

const (
	ping  = `{"id":"7","application_id":"8","type":1,"token":"t","version":1}`
	click = `{"id":"7","application_id":"8","type":3,"token":"t","channel_id":"9","user":{"id":"5"},"data":{"custom_id":"x","component_type":2}}`
)

// endpoint is a handler on loopback, with the key that signs for it.
type endpoint struct {
	*webhook.Handler
	handling tasks.Group
	key      ed25519.PrivateKey
	url      string
	now      time.Time

	mu        sync.Mutex
	callbacks []rest.Callback // by the callback route
}

func (e *endpoint) Respond(_ context.Context, id, token string, cb rest.Callback) (*rest.Message, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if id != "7" || token != "t" {
		return nil, rest.ErrUnknownInteraction
	}
	e.callbacks = append(e.callbacks, cb)
	return &rest.Message{ID: "101"}, nil
}

func (e *endpoint) byCallback() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.callbacks)
}

func listen(t *testing.T, handle func(in *discord.Interaction, a *webhook.Answer)) *endpoint {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &endpoint{key: private, now: time.Unix(1_700_000_000, 0)}
	e.Handler = webhook.New(webhook.Options{
		Key: public, Handle: handle, Handling: &e.handling, API: e, Settle: -1, Now: func() time.Time { return e.now },
	})
	srv := httptest.NewServer(e.Handler)
	t.Cleanup(srv.Close)
	e.url = srv.URL
	return e
}

// request makes a signed request that is as it should be.
func (e *endpoint) request(t *testing.T, body string) *http.Request {
	t.Helper()
	return e.signed(t, fmt.Sprint(e.now.Unix()), body)
}

func (e *endpoint) signed(t *testing.T, stamp, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Signature-Timestamp", stamp)
	req.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(e.key, []byte(stamp+body))))
	return req
}

func post(t *testing.T, req *http.Request) (status int, kind, body string) {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

// nobody is for requests that must not get as far as an interaction.
func nobody(t *testing.T) func(*discord.Interaction, *webhook.Answer) {
	return func(*discord.Interaction, *webhook.Answer) { t.Error("an interaction was handled") }
}

func TestPing(t *testing.T) {
	e := listen(t, nobody(t))
	for _, body := range []string{ping, `{"type":1}`} {
		status, kind, got := post(t, e.request(t, body))
		if status != http.StatusOK || kind != "application/json" || got != `{"type":1}` {
			t.Errorf("%s is answered with %d %s %s", body, status, kind, got)
		}
	}
}

// TestOnlyWhatDiscordSigned: everything else is answered with 401, before anything is
// parsed: not even a PING is answered otherwise.
func TestOnlyWhatDiscordSigned(t *testing.T) {
	e := listen(t, nobody(t))
	_, stranger, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]func(r *http.Request){
		"no signature":         func(r *http.Request) { r.Header.Del("X-Signature-Ed25519") },
		"no timestamp":         func(r *http.Request) { r.Header.Del("X-Signature-Timestamp") },
		"no hexadecimal":       func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", strings.Repeat("xy", 64)) },
		"a short signature":    func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", strings.Repeat("ab", 63)) },
		"a signature of zeros": func(r *http.Request) { r.Header.Set("X-Signature-Ed25519", strings.Repeat("0", 128)) },
		"another timestamp":    func(r *http.Request) { r.Header.Set("X-Signature-Timestamp", fmt.Sprint(e.now.Unix()+1)) },
		"no time":              func(r *http.Request) { r.Header.Set("X-Signature-Timestamp", "now") },
		"another body":         func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(strings.Replace(ping, "8", "9", 1))) },
		"another key": func(r *http.Request) {
			stamp := r.Header.Get("X-Signature-Timestamp")
			r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(stranger, []byte(stamp+ping))))
		},
	}
	for name, change := range changes {
		r := e.request(t, ping)
		change(r)
		if status, _, _ := post(t, r); status != http.StatusUnauthorized {
			t.Errorf("%s: answered with %d", name, status)
		}
	}
	if got := e.Refused(); got != int64(len(changes)) {
		t.Errorf("%d were counted, want %d", got, len(changes))
	}
}

// TestNoKeySignsNothing: where the key is none, every request is refused, and none is
// left unfinished.
func TestNoKeySignsNothing(t *testing.T) {
	e := listen(t, nobody(t))
	for _, key := range []ed25519.PublicKey{nil, {}, make([]byte, ed25519.PublicKeySize-1)} {
		h := webhook.New(webhook.Options{Key: key, Handle: nobody(t), Handling: &e.handling, API: e, Now: func() time.Time { return e.now }})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, e.request(t, ping))
		if w.Code != http.StatusUnauthorized || e.handling.Running() != 0 {
			t.Errorf("a key of %d bytes: answered with %d, %d unfinished", len(key), w.Code, e.handling.Running())
		}
	}
}

// TestOldRequests: one that somebody has recorded is refused five minutes later, and
// so is one from a time to come.
func TestOldRequests(t *testing.T) {
	e := listen(t, nobody(t))
	for offset, want := range map[time.Duration]int{
		0: 200, 5 * time.Minute: 200, -5 * time.Minute: 200, 5*time.Minute + time.Second: 401, -5*time.Minute - time.Second: 401, 24 * 365 * time.Hour: 401,
	} {
		stamp := fmt.Sprint(e.now.Add(offset).Unix())
		if status, _, _ := post(t, e.signed(t, stamp, ping)); status != want {
			t.Errorf("%v from now: answered with %d, want %d", offset, status, want)
		}
	}
	for _, stamp := range []string{"-1", "99999999999", "1700000000.5", "9223372036854775807", "0"} {
		if status, _, _ := post(t, e.signed(t, stamp, ping)); status != http.StatusUnauthorized {
			t.Errorf("timestamp %s: answered with %d", stamp, status)
		}
	}
}

// TestBodies: a body is read as far as a megabyte, and not at all behind headers that
// are wrong already.
func TestBodies(t *testing.T) {
	e := listen(t, nobody(t))
	if status, _, _ := post(t, e.request(t, strings.Repeat(" ", 1<<20)+ping)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("more than a megabyte is answered with %d", status)
	}
	if status, _, _ := post(t, e.request(t, strings.Repeat(" ", 1<<20-len(ping))+ping)); status != http.StatusOK {
		t.Errorf("a megabyte is answered with %d", status)
	}
	for _, body := range []string{``, `{`, `null`, `{"type":3}`, `[]`} {
		if status, _, _ := post(t, e.request(t, body)); status != http.StatusBadRequest {
			t.Errorf("%q is answered with %d", body, status)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", iotest.ErrReader(errors.New("it was read")))
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, r)
	if answer.Code != http.StatusUnauthorized {
		t.Errorf("without a signature the body is read, and answered with %d", answer.Code)
	}
}

// TestAnswersInTheBody: what changes the clicked message is the body of the response.
func TestAnswersInTheBody(t *testing.T) {
	for _, c := range []struct {
		cb   rest.Callback
		want string
	}{
		{rest.Callback{Type: rest.CallbackUpdate, Data: json.RawMessage(`{"content":"<&>"}`)}, `{"type":7,"data":{"content":"<&>"}}`},
		{rest.Callback{Type: rest.CallbackDeferUpdate}, `{"type":6}`},
		{rest.Callback{Type: rest.CallbackAutocomplete, Data: map[string]any{"choices": []any{}}}, `{"type":8,"data":{"choices":[]}}`},
	} {
		e := listen(t, func(in *discord.Interaction, a *webhook.Answer) {
			if in.CustomID != "x" || in.User != "5" {
				t.Errorf("the interaction is %+v", in)
			}
			if m, err := a.Answer(context.Background(), in, c.cb); m != nil || err != nil {
				t.Errorf("the answer returned %v, %v", m, err)
			}
			// What follows has to take the other way.
			if m, err := a.Answer(context.Background(), in, c.cb); m == nil || err != nil {
				t.Errorf("the second answer returned %v, %v", m, err)
			}
		})
		status, kind, got := post(t, e.request(t, click))
		if status != http.StatusOK || kind != "application/json" || got != c.want {
			t.Errorf("answered with %d %s %s, want %s", status, kind, got, c.want)
		}
		drained(t, e)
		if n := e.byCallback(); n != 1 {
			t.Errorf("%d answers by the callback route, want 1", n)
		}
	}
}

// TestNewMessagesByCallback: only that route tells the message's id.
func TestNewMessagesByCallback(t *testing.T) {
	e := listen(t, func(in *discord.Interaction, a *webhook.Answer) {
		m, err := a.Answer(context.Background(), in, rest.Callback{Type: rest.CallbackMessage, Data: json.RawMessage(`{"content":"x"}`)})
		if err != nil || m == nil || m.ID != "101" {
			t.Errorf("the answer returned %v, %v", m, err)
		}
	})
	if status, _, got := post(t, e.request(t, click)); status != http.StatusAccepted || got != "" {
		t.Errorf("answered with %d %q", status, got)
	}
	drained(t, e)
	if n := e.byCallback(); n != 1 {
		t.Errorf("%d answers by the callback route, want 1", n)
	}
}

// TestNoAnswer: what was delivered twice is answered elsewhere, and a handler that
// panics leaves nobody waiting.
func TestNoAnswer(t *testing.T) {
	for name, handle := range map[string]func(*discord.Interaction, *webhook.Answer){
		"none":  func(*discord.Interaction, *webhook.Answer) {},
		"panic": func(*discord.Interaction, *webhook.Answer) { panic("the handler is broken") },
	} {
		e := listen(t, handle)
		if status, _, got := post(t, e.request(t, click)); status != http.StatusAccepted || got != "" {
			t.Errorf("%s: answered with %d %q", name, status, got)
		}
		drained(t, e)
	}
}

// TestStop: what was begun is finished, what comes later is refused in a way that lets
// somebody else be asked.
func TestStop(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	e := listen(t, func(in *discord.Interaction, a *webhook.Answer) {
		close(begun)
		<-finish
		if _, err := a.Answer(context.Background(), in, rest.Callback{Type: rest.CallbackDeferUpdate}); err != nil {
			t.Error(err)
		}
	})
	first := make(chan int, 1)
	r := e.request(t, click)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			first <- 0
			return
		}
		_ = resp.Body.Close()
		first <- resp.StatusCode
	}()
	<-begun
	e.Stop()
	if status, _, _ := post(t, e.request(t, click)); status != http.StatusServiceUnavailable {
		t.Errorf("after Stop a click is answered with %d", status)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.handling.Wait(over); !errors.Is(err, context.Canceled) || e.handling.Running() != 1 {
		t.Errorf("the wait returned %v, %d are handled", err, e.handling.Running())
	}
	close(finish)
	drained(t, e)
	if status := <-first; status != http.StatusOK {
		t.Errorf("the click that was begun is answered with %d", status)
	}
}

func drained(t *testing.T, e *endpoint) {
	t.Helper()
	if err := e.handling.Wait(waittest.Within(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
}

// TestSettle: an answer in the body counts as on its way for a while, and the response
// does not wait for that.
func TestSettle(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	e := &endpoint{key: private, now: time.Now()}
	returned := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	e.Handler = webhook.New(webhook.Options{Key: public, API: e, Settle: time.Hour, Now: time.Now, Handle: func(in *discord.Interaction, a *webhook.Answer) {
		_, _ = a.Answer(ctx, in, rest.Callback{Type: rest.CallbackDeferUpdate})
		a.Settle(ctx)
		close(returned)
	}})
	srv := httptest.NewServer(e.Handler)
	defer srv.Close()
	e.url = srv.URL
	if status, _, _ := post(t, e.request(t, click)); status != http.StatusOK {
		t.Errorf("answered with %d", status)
	}
	select {
	case <-returned:
		t.Error("the answer does not count as on its way")
	default:
	}
	cancel()
	<-returned
	drained(t, e)
}

func TestParseKey(t *testing.T) {
	good := strings.Repeat("0A", 32)
	if key, err := webhook.ParseKey(good); err != nil || !bytes.Equal(key, bytes.Repeat([]byte{10}, 32)) {
		t.Errorf("%v, %v", key, err)
	}
	for _, text := range []string{"", "0a", good + "00", strings.Repeat("x", 64), " " + good} {
		if _, err := webhook.ParseKey(text); !errors.Is(err, webhook.ErrKey) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestTakesWhatDiscordSigned: signatures of Discord's own fit, and none of a body that has
// another byte.
func TestTakesWhatDiscordSigned(t *testing.T) {
	t.Parallel()
	for _, s := range discordtest.SignedByDiscord() {
		key, err := webhook.ParseKey(s.Key)
		if err != nil {
			t.Fatal(err)
		}
		stamp, err := strconv.ParseInt(s.Stamp, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan *discord.Interaction, 1)
		h := webhook.New(webhook.Options{
			Key: key, API: &endpoint{}, Settle: -1, Now: func() time.Time { return time.Unix(stamp, 0) },
			Handle: func(in *discord.Interaction, _ *webhook.Answer) { got <- in },
		})
		post := func(body []byte) int {
			r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(body))
			r.Header.Set("X-Signature-Ed25519", s.Signature)
			r.Header.Set("X-Signature-Timestamp", s.Stamp)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code
		}
		if status := post(s.Body); status != http.StatusAccepted {
			t.Errorf("%s: answered with %d", s.ID, status)
		}
		if in := <-got; in.ID != s.ID {
			t.Errorf("%s: handled %s", s.ID, in.ID)
		}
		other := bytes.Replace(s.Body, []byte(`"version":1`), []byte(`"version":2`), 1)
		if status := post(other); status != http.StatusUnauthorized {
			t.Errorf("%s with another byte: answered with %d", s.ID, status)
		}
	}
}
