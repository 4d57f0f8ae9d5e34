package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A heartbeat that fails because Discord has just closed the connection does not
// hide why it was closed.
func TestFatalCodeWinsOverFailedHeartbeat(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var up websocket.Upgrader
		conn, err := up.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(4004, ""), time.Now().Add(time.Minute))
		_, _, _ = conn.ReadMessage() // until the client is gone
		_ = conn.Close()
	}))
	t.Cleanup(srv.Close)
	up, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(srv.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = up.Close() })
	r := &relay{s: New(Options{}), discord: up, hello: true, interval: time.Hour}
	up.SetCloseHandler(func(code int, _ string) error {
		_ = up.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Minute))
		r.heartbeat() // between Discord's close and the reader's news of it
		return nil
	})
	r.readDiscord()
	var fatal *FatalError
	if r.end == nil || !errors.As(r.end.fatal, &fatal) || fatal.CloseCode != 4004 {
		t.Errorf("ending: got %+v, want a fatal one of code 4004", r.end)
	}
}

// While Discord does not tell where to connect, the pauses stay short: when it is
// back, so is the bot.
func TestPausesBetweenQuestionsStayShort(t *testing.T) {
	s := New(Options{})
	for tries := range 100 {
		if got, most := s.pause(tries, ending{asking: true}), 15*time.Second; got > most {
			t.Errorf("pause before try %d: got %v, want at most %v", tries, got, most)
		}
	}
	if got, least := s.pause(100, ending{}), 30*time.Second; got < least {
		t.Errorf("pause before dialing for the hundredth time: got %v, want at least %v", got, least)
	}
}
