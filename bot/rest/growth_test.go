package rest_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox/waittest"
)

// quickDiscord acknowledges everything and counts connections.
func quickDiscord(tb testing.TB) (address string, open *atomic.Int64) {
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
	address, open := quickDiscord(t)
	c := rest.New(rest.Options{BaseURL: address, Token: botToken, AnswerTimeout: waittest.Patience()})
	c.SetApplicationID(appID)
	t.Cleanup(c.Close)
	ours := func(i int) error {
		token := longToken(i)
		if _, err := c.Respond(context.Background(), strconv.Itoa(i), token, rest.Callback{Type: rest.CallbackDeferUpdate}); err != nil {
			return err
		}
		_, err := c.EditByToken(context.Background(), token, "@original", nil)
		return err
	}
	session, err := discordgo.New("Bot " + botToken)
	if err != nil {
		t.Fatal(err)
	}
	session.Client = &http.Client{Transport: libraryAt(address)}
	theirs := func(i int) error {
		in := &discordgo.Interaction{ID: strconv.Itoa(i), Token: longToken(i), AppID: appID}
		return session.InteractionRespond(in, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredMessageUpdate})
	}

	growth := func(call func(int) error) (bytes int64, before int) {
		all(t, 200, workers, call) // connections and buffers are made
		before, h := runtime.NumGoroutine(), heap()
		all(t, interactions, workers, call)
		return heap() - h, before
	}
	bytes, before := growth(ours)
	c.Close() // those of connections that stay open for a while are not what is looked for
	// The server's own may be at the end of the last requests.
	waittest.Until(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() <= before+10 })
	baseline, _ := growth(theirs)
	t.Logf("heap after %d interactions: %+d bytes, %d connections; the library: %+d bytes", interactions, bytes, open.Load(), baseline)
	if bytes > interactions*50 { // half a kilobyte each would be 5 MB
		t.Errorf("heap grew by %d bytes", bytes)
	}
	// Ours and the library's; net/http may dial one more while it waits for one.
	if n := open.Load(); n > 5*workers {
		t.Errorf("connections: got %d, want at most %d", n, 5*workers)
	}
	if buckets, _ := c.Limited(); buckets != 0 {
		t.Errorf("buckets: got %d, want 0", buckets)
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

// libraryAt sends what the library addresses to Discord to the API at this address.
type libraryAt string

func (base libraryAt) RoundTrip(req *http.Request) (*http.Response, error) {
	target, err := url.Parse(string(base) + strings.TrimPrefix(req.URL.Path, "/api/v9"))
	if err != nil {
		return nil, err
	}
	out := req.Clone(req.Context())
	out.URL, out.Host = target, target.Host
	return http.DefaultTransport.RoundTrip(out)
}
