package gateway

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
)

// event is what the session tells its handler of an interaction.
var event = &discordgo.Event{Type: eventInteraction}

// add hands an interaction over.
func add(t *testing.T, r *relay, raw string) {
	t.Helper()
	if !r.handOver(handoff{raw: json.RawMessage(raw)}, time.Minute) {
		t.Fatal("not handed over")
	}
}

func newRelay(s *Supervisor) *relay { return &relay{s: s, handoffs: make(chan *handoff, maxHandoffs)} }

// An interaction counts as begun as soon as the session has it. If the session is
// stuck it is written off, and does not begin later, when nobody reckons with it.
func TestInteractionsInAStuckSessionAreWrittenOff(t *testing.T) {
	var handled []string
	s := New(Options{
		OnInteraction: func(raw json.RawMessage, _ time.Time) { handled = append(handled, string(raw)) },
	})
	r := newRelay(s)
	add(t, r, "1")
	add(t, r, "2")
	if got, want := s.opts.Handling.Running(), 2; got != want {
		t.Errorf("handed on: got %d handling, want %d", got, want)
	}
	r.onEvent(nil, event)
	if got, want := s.opts.Handling.Running(), 1; got != want || len(handled) != 1 || handled[0] != "1" {
		t.Errorf("one handled: got %d handling and %v handled, want %d and [1]", got, handled, want)
	}
	r.settle(time.Millisecond)
	if err := s.opts.Handling.Wait(context.Background()); err != nil {
		t.Error(err)
	}
	r.onEvent(nil, event)
	if len(handled) != 1 || s.opts.Handling.Running() != 0 {
		t.Errorf("after it was written off: got %v handled, want one", handled)
	}
}

// An interaction that Discord sends twice arrives twice, and what was never handed over does
// not arrive, however often the session calls.
func TestEachHandoffIsDeliveredOnce(t *testing.T) {
	handled := map[string]int{}
	s := New(Options{OnInteraction: func(raw json.RawMessage, _ time.Time) { handled[string(raw)]++ }})
	r := newRelay(s)
	add(t, r, "same")
	add(t, r, "same")
	r.onEvent(nil, &discordgo.Event{Type: eventReady})
	if len(handled) != 0 {
		t.Errorf("at another event: got %v handled, want none", handled)
	}
	for range 4 {
		r.onEvent(nil, event)
	}
	if handled["same"] != 2 || len(handled) != 1 || s.opts.Handling.Running() != 0 {
		t.Errorf("handled: got %v, want the same one twice", handled)
	}
}

// A session that is only slow gets the time it needs.
func TestSettleWaitsForASlowSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := 0
		s := New(Options{OnInteraction: func(json.RawMessage, time.Time) { handled++ }})
		r := newRelay(s)
		add(t, r, "1")
		r.settle(time.Hour)
		time.Sleep(time.Hour - time.Second)
		r.onEvent(nil, event)
		time.Sleep(2 * time.Second)
		if got := s.opts.Handling.Running(); got != 0 || handled != 1 {
			t.Errorf("got %d handling and %d handled, want 0 and 1", got, handled)
		}
	})
}

// A session that takes packets and begins nothing fills up no memory: at some point
// no more are handed over, and as soon as it begins one there is room again.
func TestHandoffsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		r := newRelay(s)
		for range maxHandoffs {
			if !r.handOver(handoff{}, time.Minute) {
				t.Fatal("not handed over")
			}
		}
		start := time.Now()
		if ok := r.handOver(handoff{}, 5*time.Second); ok || time.Since(start) != 5*time.Second {
			t.Errorf("one more: got %v after %v, want false after 5s", ok, time.Since(start))
		}
		if got := s.opts.Handling.Running(); got != maxHandoffs {
			t.Errorf("counted: got %d, want %d", got, maxHandoffs)
		}
		time.AfterFunc(time.Second, func() { <-r.handoffs })
		if ok := r.handOver(handoff{}, 5*time.Second); !ok || time.Since(start) != 6*time.Second {
			t.Errorf("when there is room: got %v after %v, want true after 6s", ok, time.Since(start))
		}
	})
}
