package timefactor

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]float64{"": 1, "1": 1, "2.5": 2.5, "1000": 1000} {
		if got, err := parse(text); got != want || err != nil {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "0.99", "-3", "1001", "NaN", "Inf", "much", "2 "} {
		if got, err := parse(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, got)
		}
	}
}

func TestLimitsAreStretched(t *testing.T) {
	before := Factor
	t.Cleanup(func() { Factor = before })
	Factor = func() float64 { return 2.5 }
	if got, want := Limit(4*time.Second), 10*time.Second; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
