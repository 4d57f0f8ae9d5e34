package bottest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/service"
	"tictactoe/bot/webhook"
)

// Interactions is the environment variable that has all worlds deliver interactions
// another way than the Gateway: "http" posts them, signed, as ByHTTP does.
const Interactions = "TEST_INTERACTIONS"

// ByHTTP has Discord post interactions, signed, and the bot play without a Gateway
// connection.
func ByHTTP(c *config) { c.http = true }

// serveHTTP gives the bot an address that Discord can post to. It stays the same when
// the bot is started again.
func (w *World) serveHTTP(t testing.TB) {
	t.Helper()
	key, _ := webhook.ParseKey(w.Discord.PublicKey()) // the local Discord's is one
	w.Configure(func(o *service.Options) { o.Webhook.Key, o.GatewayOff = key, true })
	w.endpoint = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		to := w.posted.Load()
		if to.hold != nil {
			rw = heldWriter{rw, to.hold}
		}
		to.service.Interactions().ServeHTTP(rw, r)
	}))
	t.Cleanup(w.endpoint.Close)
}

// connectHTTP has Discord post to the bot from now on, once that can answer Discord's check.
func (w *World) connectHTTP(t testing.TB) {
	t.Helper()
	if w.endpoint == nil || w.Discord.App().Endpoint() != "" {
		return
	}
	if err := w.Discord.REST().SetEndpoint(waittest.Within(t, waittest.Patience()), w.Discord.App(), w.endpoint.URL+"/interactions"); err != nil {
		t.Fatal(err)
	}
}

// PostsTo has Discord post interactions to one bot from now on. With hold its responses
// wait, and with them the pictures, until the channel is closed; of one that is nil they do
// not. It may be called while others post.
func (w *World) PostsTo(s *service.Service, hold <-chan struct{}) {
	w.posted.Store(&posted{s, hold})
}

// posted says who takes what Discord posts, and when their responses go on; nil for at once.
type posted struct {
	service *service.Service
	hold    <-chan struct{}
}

// heldWriter writes a response when it may.
type heldWriter struct {
	http.ResponseWriter
	until <-chan struct{}
}

func (h heldWriter) WriteHeader(status int) {
	<-h.until
	h.ResponseWriter.WriteHeader(status)
}

func (h heldWriter) Unwrap() http.ResponseWriter { return h.ResponseWriter }
