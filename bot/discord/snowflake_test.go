package discord

import (
	"testing"
	"time"
)

func TestMade(t *testing.T) {
	// The example of Discord's documentation.
	since, ok := Made("175928847299117063")
	if want := SinceEpoch(time.Date(2016, 4, 30, 11, 18, 25, 796e6, time.UTC)); !ok || since != want {
		t.Errorf("got %v, %v, want %v", since, ok, want)
	}
	for _, id := range []string{"", "-1", "1.5", "x", " 1", "18446744073709551616"} {
		if _, ok := Made(id); ok {
			t.Errorf("%q is taken for a snowflake", id)
		}
	}
}

func TestOlder(t *testing.T) {
	ids := []string{"", "1", "9", "10", "175928847299117063", "1100000000000000001"}
	for i, a := range ids {
		for j, b := range ids {
			if got := Older(a, b); got != (i < j) {
				t.Errorf("Older(%q, %q): got %v", a, b, got)
			}
		}
	}
}
