package rest_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
)

// quickDiscord acknowledges everything and counts connections.
func quickDiscord(tb testing.TB) (url string, open *atomic.Int64) {
	tb.Helper()
	open = new(atomic.Int64)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		switch s {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
	srv.Start()
	tb.Cleanup(srv.Close)
	return srv.URL + "/api/v10", open
}

// heap returns the live heap.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Ten thousand interactions, each with a token of its own, leave nothing behind.
// The client library on the same server keeps an entry for each, with its token,
// which is why it does not answer interactions here.
func TestTenThousandInteractionsLeaveNothingBehind(t *testing.T) {
	const interactions, workers = 10_000, 8
	url, open := quickDiscord(t)
	c := rest.New(rest.Options{BaseURL: url, Token: botToken, ApplicationID: appID})
	t.Cleanup(c.Close)
	ours := func(i int) error {
		token := longToken(i)
		if _, err := c.Respond(context.Background(), strconv.Itoa(i), token, rest.Callback{Type: rest.CallbackDeferUpdate}); err != nil {
			return err
		}
		_, err := c.EditOriginal(context.Background(), token, nil)
		return err
	}
	session, err := discordgo.New("Bot " + botToken)
	if err != nil {
		t.Fatal(err)
	}
	session.Client = &http.Client{Transport: c.Transport()}
	theirs := func(i int) error {
		in := &discordgo.Interaction{ID: strconv.Itoa(i), Token: longToken(i), AppID: appID}
		return session.InteractionRespond(in, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate})
	}

	growth := func(call func(int) error) (bytes int64, goroutines int) {
		all(t, 200, workers, call) // connections and buffers are made
		g, h := runtime.NumGoroutine(), heap()
		all(t, interactions, workers, call)
		return heap() - h, runtime.NumGoroutine() - g
	}
	bytes, goroutines := growth(ours)
	baseline, _ := growth(theirs)
	t.Logf("heap after %d interactions: %+d bytes, %+d goroutines, %d connections; the library: %+d bytes", interactions, bytes, goroutines, open.Load(), baseline)
	if bytes > interactions*50 { // half a kilobyte each would be 5 MB
		t.Errorf("heap grew by %d bytes", bytes)
	}
	if goroutines > 10 {
		t.Errorf("goroutines grew by %d", goroutines)
	}
	// Ours and the library's; net/http may dial one more while it waits for one.
	if n := open.Load(); n > 5*workers {
		t.Errorf("connections: got %d, want at most %d", n, 5*workers)
	}
	if st := c.Stats(); st.Buckets != 0 {
		t.Errorf("buckets: got %d, want 0", st.Buckets)
	}
	if baseline < interactions*100 {
		t.Errorf("the library's heap grew by only %d bytes: the reason for this package may be gone", baseline)
	}
	runtime.KeepAlive(session)
}

func longToken(i int) string { return fmt.Sprintf("%s-%08d", strings.Repeat("t", 160), i) }

// all calls f for 0 to n-1 from several goroutines.
func all(tb testing.TB, n, workers int, f func(int) error) {
	tb.Helper()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := f(i); err != nil {
					tb.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// The library, on our transport, reaches the configured server by its full path.
func TestTransportForTheLibrary(t *testing.T) {
	d := newDiscord(t, status(200, `{"id":"9","username":"oxo"}`))
	session, err := discordgo.New("Bot " + botToken)
	if err != nil {
		t.Fatal(err)
	}
	session.Client = &http.Client{Transport: d.client().Transport()}
	u, err := session.User("@me")
	if err != nil || u.Username != "oxo" {
		t.Fatalf("got %v, %v", u, err)
	}
	if got, want := d.requests()[0].path, "/api/v10/users/@me"; got != want {
		t.Errorf("path: got %s, want %s", got, want)
	}
	resp, err := session.Client.Get("https://cdn.discordapp.com/x") //nolint:noctx // never sent
	if err == nil {
		_ = resp.Body.Close()
		t.Error("an address outside the API was reached")
	}
}

func BenchmarkRespond(b *testing.B) {
	url, _ := quickDiscord(b)
	c := rest.New(rest.Options{BaseURL: url, Token: botToken})
	b.Cleanup(c.Close)
	cb := rest.Callback{Type: rest.CallbackDeferUpdate}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Respond(context.Background(), "1", interactionToken, cb); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibraryRespond is the baseline: discordgo on the same server.
func BenchmarkLibraryRespond(b *testing.B) {
	url, _ := quickDiscord(b)
	c := rest.New(rest.Options{BaseURL: url, Token: botToken})
	b.Cleanup(c.Close)
	session, err := discordgo.New("Bot " + botToken)
	if err != nil {
		b.Fatal(err)
	}
	session.Client = &http.Client{Transport: c.Transport()}
	in := &discordgo.Interaction{ID: "1", Token: interactionToken, AppID: appID}
	b.ReportAllocs()
	for b.Loop() {
		if err := session.InteractionRespond(in, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate}); err != nil {
			b.Fatal(err)
		}
	}
}
