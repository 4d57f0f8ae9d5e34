package recent

import (
	"testing"
	"time"
)

// However much is done in an instant, never more than twice as many as most are kept.
func TestLatelyIsBounded(t *testing.T) {
	const most = 1000
	var l Lately[int]
	start := time.Date(2026, time.May, 4, 12, 0, 0, 0, time.UTC)
	for n := range 3 * most {
		if l.Again(n, start, time.Minute, most) {
			t.Fatalf("%d was new and is said to be known", n)
		}
		if known := len(l.done.old) + len(l.done.new); known > 2*most {
			t.Fatalf("%d are remembered, want at most %d", known, 2*most)
		}
	}
}
