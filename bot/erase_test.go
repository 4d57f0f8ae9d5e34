package bot

import (
	"testing"
	"time"
)

// TestPaceOfErasing: what takes long is done in smaller steps, with as long a pause behind
// each, and what is fast in larger ones again.
func TestPaceOfErasing(t *testing.T) {
	var p pace
	if p.rows() != eraseMost {
		t.Errorf("begins with %d rows, want %d", p.rows(), eraseMost)
	}
	for _, test := range []struct {
		name         string
		took, pause  time.Duration
		rows, rounds int
	}{
		{"fast", time.Millisecond, erasePause, eraseMost, 1},
		{"slow", 40 * time.Millisecond, 40 * time.Millisecond, eraseMost / 2, 1},
		{"slow for long", time.Second, time.Second, eraseLeast, 9},
		{"as meant", eraseTime, eraseTime, eraseLeast, 1},
		{"fast again", time.Millisecond, erasePause, 2 * eraseLeast, 1},
		{"fast for long", 0, erasePause, eraseMost, 99},
	} {
		var pause time.Duration
		for range test.rounds {
			pause = p.took(test.took)
		}
		if pause != test.pause || p.rows() != test.rows {
			t.Errorf("%s: %d rows and a pause of %v, want %d and %v", test.name, p.rows(), pause, test.rows, test.pause)
		}
	}
}
