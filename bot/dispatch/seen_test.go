package dispatch

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// start is when the tests begin.
var start = time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)

// newSeen returns what reports whether an interaction is the first with its id, as a dispatcher
// asks.
func newSeen() (first func(id string, now time.Time) bool) {
	var d Dispatcher[string, string, string]
	return func(id string, now time.Time) bool { return !d.seen.Again(id, now, seenFor, seenMost) }
}

func TestSeenIDs(t *testing.T) {
	first := newSeen()
	for _, test := range []struct {
		id   string
		at   time.Duration
		want bool
	}{
		{"a", 0, true},
		{"a", 0, false},
		{"b", time.Second, true},
		{"a", seenFor / 2, false},
		{"a", seenFor/2 + time.Second, false}, // of the older generation now
		{"b", seenFor, false},
		{"c", seenFor, true},
		{"c", seenFor + 2*time.Second, false},
		{"a", 3*seenFor/2 + 3*time.Second, true}, // forgotten
		{"a", 3*seenFor/2 + 4*time.Second, false},
		{"", 3*seenFor/2 + 5*time.Second, true},
		{"", 3*seenFor/2 + 6*time.Second, false},
	} {
		if got := first(test.id, start.Add(test.at)); got != test.want {
			t.Errorf("%q after %v: got %v, want %v", test.id, test.at, got, test.want)
		}
	}
}

// However many interactions come in an instant, those of the last seenMost are
// remembered. That they are never more than twice as many is tested in package recent.
func TestSeenIDsIsBounded(t *testing.T) {
	first := newSeen()
	id := func(n int) string { return strconv.Itoa(n) }
	for n := range 3 * seenMost {
		if !first(id(n), start) {
			t.Fatalf("%d was new and is said to be known", n)
		}
	}
	for n := 2 * seenMost; n < 3*seenMost; n++ {
		if first(id(n), start) {
			t.Fatalf("%d was among the last %d and is forgotten", n, seenMost)
		}
	}
	if !first(id(0), start) {
		t.Error("the very first is remembered still")
	}
}

func TestSeenIDsTogether(t *testing.T) {
	first := newSeen()
	var firsts atomic.Int64
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for n := range 1000 {
				if first(fmt.Sprint(n), start) {
					firsts.Add(1)
				}
			}
		})
	}
	work.Wait()
	if got := firsts.Load(); got != 1000 {
		t.Errorf("%d deliveries were the first, want 1000", got)
	}
}
