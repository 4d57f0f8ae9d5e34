package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
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
	l := &line{s: New(Options{}), resume: new(resumable), up: up, hello: true, interval: time.Hour}
	up.SetCloseHandler(func(code int, _ string) error {
		_ = up.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Minute))
		l.beat() // between Discord's close and the reader's news of it
		return nil
	})
	l.pumpDown()
	if l.end == nil || l.end.fatal == nil || l.end.fatal.CloseCode != 4004 {
		t.Errorf("ending: got %+v, want a fatal one of code 4004", l.end)
	}
}

// An interaction counts as begun as soon as the session has it. If the session is
// stuck it is written off, and does not begin later, when nobody reckons with it.
func TestInteractionsInAStuckSessionAreWrittenOff(t *testing.T) {
	var handled int
	s := New(Options{
		OnInteraction: func(int, json.RawMessage, time.Time) { handled++ },
		Timing:        Timing{Stall: time.Millisecond},
	})
	l := &line{s: s}
	event := &discordgo.Event{Type: "INTERACTION_CREATE"}
	l.hand()
	l.hand()
	if got, want := s.Status().Handling, 2; got != want {
		t.Errorf("handed on: got %d handling, want %d", got, want)
	}
	l.onEvent(nil, event)
	if got, want := s.Status().Handling, 1; got != want || handled != 1 {
		t.Errorf("one handled: got %d handling and %d handled, want %d and 1", got, handled, want)
	}
	l.settle()
	if err := s.Drain(context.Background()); err != nil {
		t.Error(err)
	}
	l.onEvent(nil, event)
	if handled != 1 || s.Status().Handling != 0 {
		t.Errorf("after it was written off: got %d handled, want 1", handled)
	}
}

// A session that is only slow gets the time it needs.
func TestSettleWaitsForASlowSession(t *testing.T) {
	s := New(Options{Timing: Timing{Stall: time.Hour}})
	l := &line{s: s}
	l.hand()
	settled := make(chan struct{})
	go func() { l.settle(); close(settled) }()
	l.onEvent(nil, &discordgo.Event{Type: "INTERACTION_CREATE"})
	<-settled
	if got := s.Status().Handling; got != 0 {
		t.Errorf("handling: got %d, want 0", got)
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
