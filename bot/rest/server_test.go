package rest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

const (
	botToken         = "MTA.token-of-the-bot.xyz"
	interactionToken = "aW50ZXJhY3Rpb24.secret-token"
	appID            = "900"
	patience         = 15 * time.Second
)

// reply is one scripted behaviour of the server.
type reply func(w http.ResponseWriter, r *http.Request)

// discord answers each request by the next reply of its script; the last one is
// used again.
type discord struct {
	t    *testing.T
	http *httptest.Server

	mu     sync.Mutex
	script []reply
	got    []received
}

type received struct {
	method, path, query, auth, agent, contentType, body string

	last bool // on its connection
}

func newDiscord(t *testing.T, script ...reply) *discord {
	t.Helper()
	d := &discord{t: t, script: script}
	d.http = httptest.NewServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() {
		d.http.CloseClientConnections()
		d.http.Close()
	})
	return d
}

func (d *discord) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // a client that hangs up is seen by its test
	d.mu.Lock()
	n := len(d.got)
	d.got = append(d.got, received{
		method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, auth: r.Header.Get("Authorization"),
		agent: r.UserAgent(), contentType: r.Header.Get("Content-Type"), body: string(body), last: r.Close,
	})
	next := d.script[min(n, len(d.script)-1)]
	d.mu.Unlock()
	next(w, r)
}

func (d *discord) requests() []received {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]received(nil), d.got...)
}

// client returns a client of d whose log is checked for secrets at the end.
func (d *discord) client(change ...func(*rest.Options)) *rest.Client {
	d.t.Helper()
	log := &lockedWriter{b: new(bytes.Buffer)}
	o := rest.Options{
		BaseURL: d.http.URL + "/api/v10", Token: botToken,
		Logger: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, f := range change {
		f(&o)
	}
	c := rest.New(o)
	c.SetApplicationID(appID)
	d.t.Cleanup(func() {
		c.Close()
		wantNoSecrets(d.t, log.String())
	})
	return c
}

type lockedWriter struct {
	mu sync.Mutex
	b  *bytes.Buffer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func (w *lockedWriter) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

func wantNoSecrets(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{botToken, interactionToken, "secret-token"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q stands in: %s", secret, text)
		}
	}
}

func status(code int, body string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// apiError answers as Discord does, with its message quoting the path.
func apiError(httpStatus, code int) reply {
	return status(httpStatus, fmt.Sprintf(`{"message":"error %d","code":%d}`, code, code))
}

func limited(retryAfter float64, header ...string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = fmt.Fprintf(w, `{"message":"slow down","retry_after":%v,"global":false}`, retryAfter)
	}
}

// reset breaks the connection before a response.
func reset(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// hang says nothing until the client has gone.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// within returns a context that ends after d, or later on a slow machine.
func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	return waittest.Within(t, d)
}

// newTLS serves by HTTP/1.1 and HTTP/2, encrypted.
func newTLS(t *testing.T, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	srv := httptest.NewUnstartedServer(handler)
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv
}
