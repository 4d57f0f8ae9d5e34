package gateway

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/internal/tasks"
)

// event is what the session tells its handler of an interaction.
func event(sequence int) *discordgo.Event {
	return &discordgo.Event{Type: eventInteraction, Sequence: int64(sequence)}
}

// add hands an interaction over and returns its number.
func add(t *testing.T, r *relay, raw string) int {
	t.Helper()
	sequence, ok := r.handoffs.add(handoff{raw: json.RawMessage(raw)}, 0)
	if !ok {
		t.Fatal("not handed over")
	}
	return sequence
}

func newHandoffs(s *Supervisor) *relay { return &relay{s: s, handoffs: handoffs{tasks: &s.tasks}} }

// An interaction counts as begun as soon as the session has it. If the session is
// stuck it is written off, and does not begin later, when nobody reckons with it.
func TestInteractionsInAStuckSessionAreWrittenOff(t *testing.T) {
	var handled []string
	s := New(Options{
		OnInteraction: func(raw json.RawMessage, _ time.Time) { handled = append(handled, string(raw)) },
	})
	r := newHandoffs(s)
	first, second := add(t, r, "1"), add(t, r, "2")
	if got, want := s.Status().Handling, 2; got != want {
		t.Errorf("handed on: got %d handling, want %d", got, want)
	}
	r.onEvent(nil, event(second)) // goroutines begin in any order
	if got, want := s.Status().Handling, 1; got != want || len(handled) != 1 || handled[0] != "2" {
		t.Errorf("one handled: got %d handling and %v handled, want %d and [2]", got, handled, want)
	}
	r.handoffs.settle(time.Millisecond)
	if err := s.Drain(context.Background()); err != nil {
		t.Error(err)
	}
	r.onEvent(nil, event(first))
	if len(handled) != 1 || s.Status().Handling != 0 {
		t.Errorf("after it was written off: got %v handled, want one", handled)
	}
}

// What the session delivers is matched by number, so that an interaction that Discord
// sends twice arrives twice, and what was never handed over does not arrive.
func TestEachHandoffIsDeliveredOnce(t *testing.T) {
	handled := map[string]int{}
	s := New(Options{OnInteraction: func(raw json.RawMessage, _ time.Time) { handled[string(raw)]++ }})
	r := newHandoffs(s)
	twice := []int{add(t, r, "same"), add(t, r, "same")}
	for _, sequence := range append(twice, twice[0], 0, 77) {
		r.onEvent(nil, event(sequence))
	}
	r.onEvent(nil, &discordgo.Event{Type: eventReady, Sequence: 1})
	if handled["same"] != 2 || len(handled) != 1 || s.Status().Handling != 0 {
		t.Errorf("handled: got %v, want the same one twice", handled)
	}
}

// A session that is only slow gets the time it needs.
func TestSettleWaitsForASlowSession(t *testing.T) {
	s := New(Options{})
	r := newHandoffs(s)
	sequence := add(t, r, "1")
	settled := make(chan struct{})
	go func() { r.handoffs.settle(time.Hour); close(settled) }()
	r.onEvent(nil, event(sequence))
	<-settled
	if got := s.Status().Handling; got != 0 {
		t.Errorf("handling: got %d, want 0", got)
	}
}

// A session that takes packets and begins nothing fills up no memory: at some point
// no more are handed over, and as soon as it begins one there is room again.
func TestHandoffsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running tasks.Group
		h := handoffs{tasks: &running}
		for range maxHandoffs {
			if _, ok := h.add(handoff{}, 0); !ok {
				t.Fatal("not handed over")
			}
		}
		start := time.Now()
		if _, ok := h.add(handoff{}, 5*time.Second); ok || time.Since(start) != 5*time.Second {
			t.Errorf("one more: got %v after %v, want false after 5s", ok, time.Since(start))
		}
		if got := running.Running(); got != maxHandoffs {
			t.Errorf("counted: got %d, want %d", got, maxHandoffs)
		}
		time.AfterFunc(time.Second, func() { h.take(1) })
		if _, ok := h.add(handoff{}, 5*time.Second); !ok || time.Since(start) != 6*time.Second {
			t.Errorf("when there is room: got %v after %v, want true after 6s", ok, time.Since(start))
		}
	})
}
